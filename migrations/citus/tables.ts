import { CARD_FUNCTIONS, CARD_NUMBERS } from './cards.js';
import { FEED_ADVANCE } from './feed.js';

/**
 * What Citus needs of the schema beside the migrations: where each table is, and what differs there. `tillgate migrate`
 * applies it behind the migrations. Each statement can be run again.
 */

/** As in the migration that made the marks. */
const MOST_ENTRIES = 128;
const ENTRIES_A_MARK = 64;
const BOOKED = `t.status = 'POSTED' and t.debit_credit_memo <> 'MEMO'`;
const MOVED = `case when not (${BOOKED}) then 0 when t.debit_credit_memo = 'CREDIT' then t.amount_minor else -t.amount_minor end`;

/** Distributed by `account_id`, so everything of an account is on one node. The first one comes first. */
export const BY_ACCOUNT = [
  'account',
  'account_owner',
  'former_owner',
  'ended_account',
  'beneficiary',
  'transaction',
  'card',
  'statement',
  'hold',
  'transfer',
  'account_limit',
  'balance_mark',
  'account_event',
  'idempotency_key',
];

/** On every node. What is written of programs is committed with them in two phases. */
export const EVERYWHERE = ['program', 'customer', 'approval', 'note', 'program_event'];

/** Distributed by columns of their own. */
export const BY_COLUMN: Readonly<Record<string, string>> = {
  [CARD_NUMBERS]: 'number_digest',
  transfer_key: 'transfer_id',
};

/** Before tables are distributed. */
export const BEFORE = [
  // These triggers read other tables, which those of shards cannot. The functions below do their work.
  `drop trigger if exists balance_marks on "transaction"`,
  `drop trigger if exists digest_number on "card"`,
  // A unique index of a distributed table has its column of distribution.
  `alter table "account_event" drop constraint if exists "account_event_id_unique"`,
  `create index if not exists "account_event_id_index" on "account_event" ("id")`,
  `alter table "card" drop constraint if exists "card_number_digest_unique"`,
  `create index if not exists "card_number_digest_index" on "card" ("number_digest")`,
  `create table if not exists "${CARD_NUMBERS}" ("number_digest" bytea not null, "account_id" text not null, "card_id" text not null, primary key ("number_digest"))`,
  // A key is kept with its account, so that a command and its key are one commit on one node.
  `alter table "idempotency_key" add column if not exists "account_id" text not null default ''`,
  `do $$ begin
    if not exists (select from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
      where c.conname = 'idempotency_key_pkey' and a.attname = 'account_id') then
      alter table idempotency_key drop constraint if exists idempotency_key_pkey, add constraint idempotency_key_pkey primary key (account_id, key_hash);
    end if;
  end $$`,
];

/** Behind it. */
export const AFTER = [
  `insert into "${CARD_NUMBERS}" (number_digest, account_id, card_id) select number_digest, account_id, card_id from card on conflict do nothing`,
  // What waits for a lock waits on the node that has the shard. Citus makes the setting on all nodes.
  `do $$ begin execute format('alter database %I set lock_timeout = %L', current_database(), '2s'); end $$`,
  `drop function if exists mark_balances(text[], int8[])`,
];

/**
 * They run on the coordinator, and each of their statements is about one account. `tillgate migrate` makes those anew
 * that have changed, on a cluster that was distributed before as well, and migrations leave those alone that are here.
 */
export const FUNCTIONS = [
  FEED_ADVANCE,
  `create or replace function record_account_event(new_program text, client_id text, subject text, request_id text, action text, object text, of_account text, data jsonb)
    returns void language plpgsql as $$
    declare
      last record;
      new_id bigint := nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end);
      new_at timestamptz(3) := now();
      new_hash bytea;
    begin
      select a.event_seq as seq, a.event_hash as hash into strict last from account a where a.account_id = of_account;
      new_hash := account_event_hash(last.hash, last.seq + 1, new_id, new_at, new_program, client_id, subject, request_id, action, of_account, object, data);
      insert into account_event (account_id, chain_seq, id, occurred_at, program, client_id, subject, request_id, action, object, data, hash)
        values (of_account, last.seq + 1, new_id, new_at, new_program, client_id, subject, request_id, action, object, data, new_hash);
      update account set event_seq = last.seq + 1, event_hash = new_hash where account_id = of_account;
    end
  $$`,
  `create or replace function record_program_event(of_program text, client_id text, subject text, request_id text, action text, object text, data jsonb)
    returns void language plpgsql as $$
    declare
      last record;
      new_seq bigint;
      new_id bigint := nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end);
      new_at timestamptz(3) := now();
      new_hash bytea;
    begin
      select p.seq, p.hash into last from program_event p where p.program = of_program order by p.seq desc limit 1;
      new_seq := coalesce(last.seq, 0) + 1;
      new_hash := program_event_hash(coalesce(last.hash, ''), new_seq, new_id, new_at, of_program, client_id, subject, request_id, action, null, object, data);
      insert into program_event (program, seq, id, occurred_at, client_id, subject, request_id, action, object, data, hash)
        values (of_program, new_seq, new_id, new_at, client_id, subject, request_id, action, object, data, new_hash);
    end
  $$`,
  ...CARD_FUNCTIONS,
  `create or replace function chain_ends(behind text, most int) returns table (of_account text, seq bigint, is_named boolean) language plpgsql stable as $$
    declare
      a record;
    begin
      for a in select account_id, event_seq, event_hash from account where account_id > behind order by account_id limit most loop
        of_account := a.account_id;
        select e.chain_seq, e.chain_seq = a.event_seq and e.hash = a.event_hash into seq, is_named
          from account_event e where e.account_id = a.account_id order by e.chain_seq desc limit 1;
        if not found then
          seq := 0;
          is_named := a.event_seq = 0 and a.event_hash = '';
        end if;
        return next;
      end loop;
    end
  $$`,
  `create or replace function move_marks(of_account text, first_seq int8, last_seq int8) returns void language plpgsql as $$
    declare
      last_mark timestamptz(3) := (select max(b.until) from balance_mark b where b.account_id = of_account);
      late record;
    begin
      if last_mark is null then
        return;
      end if;
      for late in select t.posted_timestamp as posted, ${MOVED} as moved from "transaction" t
        where t.account_id = of_account and t.seq between first_seq and last_seq and t.posted_timestamp < last_mark and ${BOOKED}
      loop
        update balance_mark set balance_minor = balance_minor + late.moved where account_id = of_account and until > late.posted;
      end loop;
    end
  $$`,
  `create or replace function account_event_of(of_id bigint, of_account text) returns setof account_event language plpgsql stable as $$
    begin
      return query select * from account_event e where e.account_id = of_account and e.id = of_id;
    end
  $$`,
  `create or replace function program_event_of(of_id bigint) returns setof program_event language plpgsql stable as $$
    begin
      return query select * from program_event e where e.id = of_id;
    end
  $$`,
  `create or replace function event_of(of_id bigint, at_position bigint) returns table (id bigint, occurred_at timestamptz(3), program text,
      action text, account_id text, object text, data jsonb, chain_seq bigint, program_seq bigint) language plpgsql stable as $$
    declare
      place record;
    begin
      select f.account_id, f.program into place from feed f where f.position = at_position and f.event_id = of_id;
      if place.account_id is not null then
        return query select e.id, e.occurred_at, e.program, e.action, e.account_id, e.object, e.data, e.chain_seq, null::bigint
          from account_event e where e.account_id = place.account_id and e.id = of_id;
      else
        return query select e.id, e.occurred_at, e.program, e.action, null::text, e.object, e.data, null::bigint, e.seq
          from program_event e where e.id = of_id;
      end if;
    end
  $$`,
  `create or replace function events_since(of_program text, since timestamptz) returns table (id bigint, occurred_at timestamptz(3)) language plpgsql stable as $$
    begin
      return query select e.id, e.occurred_at from account_event e where e.program = of_program and e.occurred_at >= since
        order by e.occurred_at limit 1000;
      return query select e.id, e.occurred_at from program_event e where e.program = of_program and e.occurred_at >= since
        order by e.occurred_at limit 1000;
    end
  $$`,
  // For statements about tables of the coordinator, which Citus would otherwise plan as statements of the shards.
  `create or replace function accounts_of(programs text[]) returns table (account_id text, program text) language plpgsql stable as $$
    begin
      return query select a.account_id, a.program from account a where a.program = any(programs);
    end
  $$`,
  `create or replace function accounts_named(account_ids text[], of_program text) returns setof text language plpgsql stable as $$
    begin
      return query select a.account_id from account a where a.account_id = any(account_ids) and a.program = of_program;
    end
  $$`,
  `create or replace function accounts_between(first text, last text) returns setof text language plpgsql stable as $$
    begin
      return query select a.account_id from account a where a.account_id between first and last;
    end
  $$`,
  `create or replace function are_accounts_of(of_program text, account_ids text[]) returns boolean language plpgsql stable as $$
    begin
      return (select count(*) from account a where a.account_id = any(account_ids) and a.program = of_program)
        = (select count(distinct i) from unnest(account_ids) i);
    end
  $$`,
  // Each program has a present of its own, and its holds are on all nodes.
  `create or replace function holds_due(of_each_program int) returns table (program text, account_id text, hold_id text) language plpgsql stable as $$
    declare
      holding text := (select min(h.program) from hold h where h.status = 'ACTIVE');
      present timestamptz;
    begin
      while holding is not null loop
        present := program_now(holding);
        return query select h.program, h.account_id, h.hold_id from hold h
          where h.status = 'ACTIVE' and h.program = holding and h.expires_at <= present order by h.expires_at limit of_each_program;
        select min(h.program) into holding from hold h where h.status = 'ACTIVE' and h.program > holding;
      end loop;
    end
  $$`,
  `create or replace function mark_balances_of(of_account text, behind_seq int8) returns void language plpgsql as $$
      declare
        last_mark timestamptz(3) := (select max(b.until) from balance_mark b where b.account_id = of_account);
        mark record;
      begin
        for mark in with point as materialized (
          select distinct k.account_id, case when t.posted_timestamp < k.until then t.posted_timestamp else 'infinity' end as at
            from (select of_account as account_id, last_mark as until) k
              join "transaction" t on t.account_id = of_account and t.seq > behind_seq
            where t.posted_timestamp is not null
        ), part as materialized (
          select distinct p.account_id, lo.until as since, hi.until, coalesce(lo.balance_minor, 0) as balance
            from point p
            left join lateral (select b.until, b.balance_minor from balance_mark b
              where b.account_id = of_account and b.until <= p.at order by b.until desc limit 1) lo on true
            left join lateral (select b.until from balance_mark b
              where b.account_id = of_account and b.until > p.at order by b.until limit 1) hi on true
        ), instant as (
          select p.account_id, p.since, p.balance, e.at, e.entries, e.moved
            from part p cross join lateral (
              select t.posted_timestamp as at, count(*) as entries, sum(${MOVED})::int8 as moved from "transaction" t
              where t.account_id = of_account and t.posted_timestamp >= coalesce(p.since, '-infinity')
                and t.posted_timestamp < coalesce(p.until, 'infinity') group by t.posted_timestamp) e
        ), counted as (
          select i.account_id, i.at, i.balance + (sum(i.moved) over w)::int8 - i.moved as balance,
            (sum(i.entries) over w)::int8 - i.entries as before, lag(i.entries, 1, 0::int8) over w as last,
            (sum(i.entries) over (partition by i.account_id, i.since))::int8 as entries
            from instant i window w as (partition by i.account_id, i.since order by i.at)
        )
        select c.at, c.balance from counted c
          where c.entries >= ${MOST_ENTRIES} and c.before / ${ENTRIES_A_MARK} > (c.before - c.last) / ${ENTRIES_A_MARK}
        loop
          insert into balance_mark (account_id, until, balance_minor) values (of_account, mark.at, mark.balance);
        end loop;
      end
    $$`,
];
