import { Migration } from '@mikro-orm/migrations';

export class Migration20261123031000_chained_denials extends Migration {
  override name = 'Migration20261123031000_chained_denials';

  override up(): void | Promise<void> {
    this.addSql(`alter table "event" drop constraint "event_chained";`);
    this.addSql(`alter table "event" add "denied_seq" bigint null;`);

    // What was done keeps its chain and its hash, so events of the time before verify as ever. Denied attempts have a
    // chain for each program. Their hash names every column, null where there is nothing, and the instant with all its
    // digits.
    this.addSql(`create function denied_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"denied"', e.denied_seq, e.id, extract(epoch from e.occurred_at),
        to_json(e.program), to_json(e.outcome), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action),
        coalesce(to_json(e.account_id)::text, 'null'), coalesce(to_json(e.object)::text, 'null'), e.data), 'UTF8'))
    $$;`);
    // No row stands for a program's chain, so whoever adds to it takes a lock of its own until the end of the
    // transaction: attempts are recorded in transactions of their own, for which no answer waits.
    this.addSql(`create or replace function chain_event() returns trigger language plpgsql as $$
      declare
        last record;
      begin
        if new.outcome = 'DONE' then
          select chain_seq as seq, hash into last from event
            where account_id = new.account_id and chain_seq is not null order by chain_seq desc limit 1;
          new.chain_seq := coalesce(last.seq, 0) + 1;
          new.hash := event_hash(coalesce(last.hash, ''), new);
        else
          perform pg_advisory_xact_lock(x'6576656e'::int, hashtext(new.program));
          select denied_seq as seq, hash into last from event
            where program = new.program and denied_seq is not null order by denied_seq desc limit 1;
          new.denied_seq := coalesce(last.seq, 0) + 1;
          new.hash := denied_hash(coalesce(last.hash, ''), new);
        end if;
        return new;
      end
    $$;`);
    this.addSql(`drop trigger chain on "event";`);
    this.addSql(`create trigger chain before insert on "event" for each row execute function chain_event();`);

    this.addSql(`alter table "event" disable trigger append_only;`);
    this.addSql(`do $$
      declare
        present event;
        of_program text := null;
        previous bytea;
        number bigint;
      begin
        for present in select * from event where chain_seq is null order by program, id loop
          if of_program is distinct from present.program then
            of_program := present.program;
            previous := '';
            number := 0;
          end if;
          number := number + 1;
          present.denied_seq := number;
          previous := denied_hash(previous, present);
          update event set denied_seq = number, hash = previous where id = present.id;
        end loop;
      end
    $$;`);
    this.addSql(`alter table "event" enable trigger append_only;`);

    this.addSql(
      `create unique index "event_program_denied_seq_unique" on "event" ("program", "denied_seq") where denied_seq is not null;`,
    );
    this.addSql(
      `alter table "event" add constraint "event_chained" check (hash is not null and case outcome when 'DONE' then account_id is not null and chain_seq is not null and denied_seq is null else chain_seq is null and denied_seq is not null end);`,
    );
  }

  override down(): void | Promise<void> {
    this.addSql(`alter table "event" drop constraint "event_chained";`);
    this.addSql(`drop index "event_program_denied_seq_unique";`);
    this.addSql(`drop trigger chain on "event";`);
    this.addSql(`create or replace function chain_event() returns trigger language plpgsql as $$
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
    this.addSql(
      `create trigger chain before insert on "event" for each row when (new.outcome = 'DONE') execute function chain_event();`,
    );
    this.addSql(`drop function denied_hash(bytea, event);`);
    this.addSql(`alter table "event" drop column "denied_seq";`);
    this.addSql(`alter table "event" disable trigger append_only;`);
    this.addSql(`update "event" set "hash" = null where "chain_seq" is null;`);
    this.addSql(`alter table "event" enable trigger append_only;`);
    this.addSql(
      `alter table "event" add constraint "event_chained" check (case outcome when 'DONE' then account_id is not null and chain_seq is not null and hash is not null else chain_seq is null and hash is null end);`,
    );
  }
}
