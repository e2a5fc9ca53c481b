import { Migration } from '@mikro-orm/migrations';

export class Migration20261121112642_chained_events extends Migration {
  override name = 'Migration20261121112642_chained_events';

  override up(): void | Promise<void> {
    this.addSql(`drop index "event_program_id_index";`);
    this.addSql(
      `alter table "event" add "outcome" text not null default 'DONE', add "chain_seq" bigint null, add "hash" bytea null;`,
    );
    this.addSql(`alter table "event" alter column "object" drop not null;`);
    this.addSql(`create index "event_program_occurred_at_id_index" on "event" ("program", "occurred_at", "id");`);

    // What an event says, and the hash of the event before it in its account, make its hash. Changing one event means
    // changing all that follow it, and who keeps a later hash elsewhere sees it. Commands on an account take turns, so
    // there is one end to add to.
    this.addSql(`create function event_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', e.chain_seq, e.id, floor(extract(epoch from e.occurred_at) * 1000)::int8,
        to_json(e.program), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action), to_json(e.account_id),
        to_json(e.object), e.data), 'UTF8'))
    $$;`);
    this.addSql(`create function chain_event() returns trigger language plpgsql as $$
      declare
        last record;
      begin
        select chain_seq, hash into last from event
          where account_id = new.account_id and chain_seq is not null order by chain_seq desc limit 1;
        new.chain_seq := coalesce(last.chain_seq, 0) + 1;
        new.hash := event_hash(coalesce(last.hash, ''), new);
        return new;
      end
    $$;`);
    this.addSql(`do $$
      declare
        present event;
        account text := null;
        previous bytea;
        number bigint;
      begin
        for present in select * from event order by account_id, id loop
          if account is distinct from present.account_id then
            account := present.account_id;
            previous := '';
            number := 0;
          end if;
          number := number + 1;
          present.chain_seq := number;
          previous := event_hash(previous, present);
          update event set chain_seq = present.chain_seq, hash = previous where id = present.id;
        end loop;
      end
    $$;`);
    this.addSql(
      `alter table "event" add constraint "event_account_id_chain_seq_unique" unique ("account_id", "chain_seq");`,
    );
    this.addSql(
      `alter table "event" add constraint "event_chained" check (case outcome when 'DONE' then account_id is not null and chain_seq is not null and hash is not null else chain_seq is null and hash is null end);`,
    );

    this.addSql(
      `create trigger chain before insert on "event" for each row when (new.outcome = 'DONE') execute function chain_event();`,
    );
    this.addSql(
      `create trigger append_only before update or delete or truncate on "event" for each statement execute function refuse_change();`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`drop trigger append_only on "event";`);
    this.addSql(`drop trigger chain on "event";`);
    this.addSql(`drop function chain_event();`);
    this.addSql(`drop function event_hash(bytea, event);`);
    this.addSql(`drop index "event_program_occurred_at_id_index";`);
    this.addSql(`alter table "event" drop constraint "event_account_id_chain_seq_unique";`);
    this.addSql(`alter table "event" drop constraint "event_chained";`);
    this.addSql(`alter table "event" drop column "outcome", drop column "chain_seq", drop column "hash";`);
    this.addSql(`alter table "event" alter column "object" set not null;`);
    this.addSql(`create index "event_program_id_index" on "event" ("program", "id");`);
  }
}
