/** Card numbers by their digests: they are unique in a program, whatever account the card is of. */
export const CARD_NUMBERS = 'card_number';

export const CARD_FUNCTIONS = [
  // A column that the draft lacks has its default, as elsewhere.
  `create or replace function add_card(draft json) returns void language plpgsql as $$
    declare
      added card := json_populate_record(null::card, draft);
      of_program text;
      names text;
      fields text;
    begin
      select program into of_program from account where account_id = added.account_id;
      added.number_digest := card_number_digest(added.number_digest, of_program);
      insert into ${CARD_NUMBERS} (number_digest, account_id, card_id) values (added.number_digest, added.account_id, added.card_id);
      select string_agg(quote_ident(k), ', '), string_agg('($1).' || quote_ident(k), ', ') into names, fields
        from json_object_keys(draft) k;
      execute format('insert into card (%s) values (%s)', names, fields) using added;
    end
  $$`,
  // A number is found by its digest, which goes with the seal.
  `create or replace function reseal_card(of_account text, of_card text, was bytea, fresh bytea, keyed bytea)
    returns table (account_id text, card_id text) language plpgsql as $$
    declare
      old_digest bytea;
      new_digest bytea := card_number_digest(keyed, (select a.program from account a where a.account_id = of_account));
    begin
      select c.number_digest into old_digest from card c
        where c.account_id = of_account and c.card_id = of_card and c.sealed_number = was for no key update skip locked;
      if found then
        update card c set sealed_number = fresh, number_digest = new_digest where c.account_id = of_account and c.card_id = of_card;
        if new_digest <> old_digest then
          insert into ${CARD_NUMBERS} (number_digest, account_id, card_id) values (new_digest, of_account, of_card);
          delete from ${CARD_NUMBERS} n where n.number_digest = old_digest;
        end if;
        return query select of_account, of_card;
      end if;
    end
  $$`,
  // The number of an erased card may be used again.
  `create or replace function erase_card(of_account text, of_card text, fresh bytea, keyed bytea)
    returns void language plpgsql as $$
    declare
      old_digest bytea;
      new_digest bytea := card_number_digest(keyed, (select a.program from account a where a.account_id = of_account));
    begin
      select c.number_digest into old_digest from card c where c.account_id = of_account and c.card_id = of_card for no key update;
      update card c set sealed_number = fresh, number_digest = new_digest, pin_verification = null, metadata = '{}'
        where c.account_id = of_account and c.card_id = of_card;
      insert into ${CARD_NUMBERS} (number_digest, account_id, card_id) values (new_digest, of_account, of_card);
      delete from ${CARD_NUMBERS} n where n.number_digest = old_digest;
    end
  $$`,
  // The lock on the holder is that of the statement `customer_guard_key_share`. Citus reads the numbers of several shards
  // first, and fails where they have no column.
  `create or replace function card_deciding(of_account text, of_program text, id text, holder uuid, digests text[],
      out has_holder boolean, out cards int, out is_taken boolean) language plpgsql as $$
    declare
      wanted bytea[] := array(select card_number_digest(decode(d, 'base64'), of_program) from unnest(digests) d);
    begin
      perform pg_advisory_xact_lock_shared(hashtextextended('customer ' || holder, 0));
      select exists (select from customer c where c.customer_id = holder and c.program = of_program and c.erased_at is null)
        into has_holder;
      select count(*)::int from card c where c.account_id = of_account into cards;
      select exists (select from card c where c.account_id = of_account and c.card_id = id) into is_taken;
      if not is_taken then
        select exists (select 1 from ${CARD_NUMBERS} n where n.number_digest = any (wanted)) into is_taken;
      end if;
    end
  $$`,
];
