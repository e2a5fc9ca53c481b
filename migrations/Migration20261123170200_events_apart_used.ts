import { Migration } from '@mikro-orm/migrations';

const COMMON = 'id, occurred_at, client_id, subject, request_id, action, object, data, hash';

/** What was done to programs and what was denied, in the columns of the view of all events. */
export const OTHERS = `union all
    select id, occurred_at, program, 'DONE'::text, client_id, subject, request_id, action, null::text, object, data,
      null::bigint, null::bigint, seq, hash from program_event
    union all
    select id, occurred_at, program, 'DENIED'::text, client_id, subject, request_id, action, account_id, object, data,
      null::bigint, seq, null::bigint, hash from denied_attempt;`;

/**
 * The table keeps what was done in accounts. All events together are a view, which the release before this one uses as
 * its table.
 */
export class Migration20261123170200_events_apart_used extends Migration {
  override name = 'Migration20261123170200_events_apart_used';

  override up(): void | Promise<void> {
    this.addSql(`lock table "event" in access exclusive mode;`);
    this.addSql(`drop trigger chain on "event";`);
    this.addSql(`drop function chain_event();`);
    this.addSql(`drop function event_hash(bytea, event);`);
    this.addSql(`drop function program_hash(bytea, event);`);
    this.addSql(`drop function denied_hash(bytea, event);`);
    this.addSql(`drop trigger append_only on "event";`);
    this.addSql(`alter table "event" rename to "account_event";`);
    this.addSql(`alter sequence event_id_seq owned by none;`);
    this.addSql(
      `alter table "account_event" alter "id" drop default, alter "occurred_at" drop default, drop constraint "event_chained";`,
    );
    // Not valid yet, so that it looks at new rows alone. The next migration removes the others.
    this.addSql(
      `alter table "account_event" add constraint "account_event_chained" check (account_id is not null and chain_seq is not null and hash is not null) not valid;`,
    );
    this.addSql(
      `create trigger append_only before update or truncate on "account_event" for each statement execute function refuse_change();`,
    );
    this.addSql(
      `create trigger append_only_rows before delete on "account_event" for each row when (old.chain_seq is not null) execute function refuse_change();`,
    );

    // What comes next is chained to the last event of each program.
    for (const chain of PROGRAM_CHAINS) {
      this.addSql(
        moving(
          chain,
          `select distinct on (program) id from account_event where ${chain.seq} is not null order by program, ${chain.seq} desc`,
        ),
      );
    }
    this.addSql(MIXED_VIEW);
    this.addSql(`comment on view "event" is 'All events: those of accounts and of programs, and denied attempts.';`);
    // The release before this one records events here, until its last process has ended.
    this.addSql(`create function record_event() returns trigger language plpgsql as $$
      declare
        last record;
      begin
        new.id := nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end);
        new.occurred_at := coalesce(new.occurred_at, now())::timestamptz(3);
        if coalesce(new.outcome, 'DONE') <> 'DONE' then
          perform pg_advisory_xact_lock(x'6576656e'::int, hashtext(new.program));
          select seq, hash into last from denied_attempt where program = new.program order by seq desc limit 1;
          insert into denied_attempt (program, seq, account_id, ${COMMON})
            values (new.program, coalesce(last.seq, 0) + 1, new.account_id, ${values('denied_attempt_hash')});
        elsif new.account_id is null then
          perform pg_advisory_xact_lock(x'70726f67'::int, hashtext(new.program));
          select seq, hash into last from program_event where program = new.program order by seq desc limit 1;
          insert into program_event (program, seq, ${COMMON})
            values (new.program, coalesce(last.seq, 0) + 1, ${values('program_event_hash')});
        else
          select chain_seq as seq, hash into last from account_event
            where account_id = new.account_id order by chain_seq desc limit 1;
          insert into account_event (program, chain_seq, account_id, ${COMMON})
            values (new.program, coalesce(last.seq, 0) + 1, new.account_id, ${values('account_event_hash')})
            returning chain_seq as seq, account_event.hash into last;
          update account set event_seq = last.seq, event_hash = last.hash where account_id = new.account_id;
        end if;
        return new;
      end
    $$;`);
    this.addSql(`create trigger record instead of insert on "event" for each row execute function record_event();`);
  }

  override down(): void | Promise<void> {
    this.addSql(`lock table "account_event", "program_event", "denied_attempt" in access exclusive mode;`);
    this.addSql(`drop view "event";`);
    this.addSql(`drop function record_event();`);
    this.addSql(`drop trigger append_only on "account_event";`);
    this.addSql(`drop trigger append_only_rows on "account_event";`);
    this.addSql(`alter table "account_event" drop constraint "account_event_chained";`);
    this.addSql(`alter table "account_event" rename to "event";`);
    this.addSql(`alter sequence event_id_seq owned by "event"."id";`);
    this.addSql(
      `alter table "event" alter "id" set default nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end), alter "occurred_at" set default now();`,
    );
    // Those that are here already were never removed.
    this.addSql(
      `insert into "event" (program, program_seq, ${COMMON}) select program, seq, ${COMMON} from "program_event" on conflict (id) do nothing;`,
    );
    this.addSql(
      `insert into "event" (program, denied_seq, outcome, account_id, ${COMMON}) select program, seq, 'DENIED', account_id, ${COMMON} from "denied_attempt" on conflict (id) do nothing;`,
    );
    this.addSql(
      `alter table "event" add constraint "event_chained" check (hash is not null and case when outcome <> 'DONE' then denied_seq is not null and chain_seq is null and program_seq is null when account_id is null then program_seq is not null and chain_seq is null and denied_seq is null else chain_seq is not null and denied_seq is null and program_seq is null end);`,
    );
    this.addSql(`create function event_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', e.chain_seq, e.id, floor(extract(epoch from e.occurred_at) * 1000)::int8,
        to_json(e.program), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action), to_json(e.account_id),
        to_json(e.object), e.data), 'UTF8'))
    $$;`);
    this.addSql(`create function denied_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"denied"', e.denied_seq, e.id, extract(epoch from e.occurred_at),
        to_json(e.program), to_json(e.outcome), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action),
        coalesce(to_json(e.account_id)::text, 'null'), coalesce(to_json(e.object)::text, 'null'), e.data), 'UTF8'))
    $$;`);
    this.addSql(`create function program_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"program"', e.program_seq, e.id, extract(epoch from e.occurred_at),
        to_json(e.program), to_json(e.outcome), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action),
        coalesce(to_json(e.object)::text, 'null'), e.data), 'UTF8'))
    $$;`);
    // The migration that comes before in the order of going back replaces its text.
    this.addSql(`create function chain_event() returns trigger language plpgsql as $$ begin return new; end $$;`);
    this.addSql(`create trigger chain before insert on "event" for each row execute function chain_event();`);
    this.addSql(
      `create trigger append_only before update or delete or truncate on "event" for each statement execute function refuse_change();`,
    );
  }
}

/** The tables of programs, and what their rows have where they come from. */
export const PROGRAM_CHAINS = [
  { table: 'program_event', seq: 'program_seq', more: '' },
  { table: 'denied_attempt', seq: 'denied_seq', more: 'account_id, ' },
] as const;

/** The statement that moves rows whose ids a query gives to the table of programs that they belong to. */
export function moving({ table, seq, more }: (typeof PROGRAM_CHAINS)[number], ids: string): string {
  return `with gone as (delete from account_event e using (${ids}) i where e.id = i.id returning e.*), kept as (
      insert into ${table} (program, seq, ${more}${COMMON}) select program, ${seq}, ${more}${COMMON} from gone returning 1)
    select count(*)::int as moved from kept`;
}

/**
 * All events. Those of programs and denied attempts are where they were, or where the next migration has moved them.
 * Without a condition, so that PostgreSQL reads each table by its indexes.
 */
export const MIXED_VIEW = `create or replace view "event" as
    select id, occurred_at, program, outcome, client_id, subject, request_id, action, account_id, object, data,
      chain_seq, denied_seq, program_seq, hash from account_event ${OTHERS}`;

function values(hash: string): string {
  const who = 'new.client_id, new.subject, new.request_id, new.action';
  return `new.id, new.occurred_at, ${who}, new.object, new.data, ${hash}(coalesce(last.hash, ''), coalesce(last.seq, 0) + 1, new.id,
    new.occurred_at, new.program, ${who}, new.account_id, new.object, new.data)`;
}
