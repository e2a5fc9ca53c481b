import { Migration } from '@mikro-orm/migrations';

/** What events of accounts, events of programs and denied attempts have in common. */
const COMMON = `"id" bigint not null, "occurred_at" timestamptz(3) not null, "client_id" text not null, "subject" text not null,
  "request_id" text not null, "action" text not null, "object" text null, "data" jsonb not null, "hash" bytea not null`;

const ARGUMENTS = `previous bytea, seq bigint, id bigint, at timestamptz, program text, client_id text, subject text, request_id text,
  action text, account_id text, object text, data jsonb`;

/**
 * Prepares tables of their own for what is done to programs and for denied attempts, and the end of its chain in each
 * account. The next migrations fill and use them.
 */
export class Migration20261123170000_events_apart extends Migration {
  override name = 'Migration20261123170000_events_apart';

  override up(): void | Promise<void> {
    this.addSql(
      `alter table "account" add "event_seq" bigint not null default 0, add "event_hash" bytea not null default '';`,
    );
    for (const [table, more] of [
      ['program_event', ''],
      ['denied_attempt', ', "account_id" text null'],
    ] as const) {
      this.addSql(
        `create table "${table}" ("program" text not null, "seq" bigint not null, ${COMMON}${more}, primary key ("program", "seq"));`,
      );
      this.addSql(`alter table "${table}" add constraint "${table}_id_unique" unique ("id");`);
      this.addSql(
        `create index "${table}_program_occurred_at_id_index" on "${table}" ("program", "occurred_at", "id");`,
      );
      this.addSql(
        `create trigger append_only before update or delete or truncate on "${table}" for each statement execute function refuse_change();`,
      );
    }

    // The same hashes as event_hash, program_hash and denied_hash, of values that are no row yet.
    this.addSql(`create function account_event_hash(${ARGUMENTS}) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', seq, id, floor(extract(epoch from at) * 1000)::int8, to_json(program),
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), to_json(account_id), to_json(object), data), 'UTF8'))
    $$;`);
    this.addSql(`create function program_event_hash(${ARGUMENTS}) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"program"', seq, id, extract(epoch from at), to_json(program), '"DONE"',
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), coalesce(to_json(object)::text, 'null'), data), 'UTF8'))
    $$;`);
    this.addSql(`create function denied_attempt_hash(${ARGUMENTS}) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"denied"', seq, id, extract(epoch from at), to_json(program), '"DENIED"',
        to_json(client_id), to_json(subject), to_json(request_id), to_json(action), coalesce(to_json(account_id)::text, 'null'),
        coalesce(to_json(object)::text, 'null'), data), 'UTF8'))
    $$;`);

    // The release before this one knows no end of a chain in the account, so the trigger keeps it.
    this.addSql(
      chainEvent(
        `update account set event_seq = new.chain_seq, event_hash = new.hash where account_id = new.account_id;`,
      ),
    );
  }

  override down(): void | Promise<void> {
    this.addSql(chainEvent(''));
    this.addSql(`drop function account_event_hash;`);
    this.addSql(`drop function program_event_hash;`);
    this.addSql(`drop function denied_attempt_hash;`);
    this.addSql(`drop table "denied_attempt";`);
    this.addSql(`drop table "program_event";`);
    this.addSql(`alter table "account" drop column "event_seq", drop column "event_hash";`);
  }
}

/** The trigger that made the chains, and what else it does to an account. */
function chainEvent(ofAccount: string): string {
  return `create or replace function chain_event() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      if new.outcome <> 'DONE' then
        perform pg_advisory_xact_lock(x'6576656e'::int, hashtext(new.program));
        select denied_seq as seq, hash into last from event
          where program = new.program and denied_seq is not null order by denied_seq desc limit 1;
        new.denied_seq := coalesce(last.seq, 0) + 1;
        new.hash := denied_hash(coalesce(last.hash, ''), new);
      elsif new.account_id is null then
        perform pg_advisory_xact_lock(x'70726f67'::int, hashtext(new.program));
        select program_seq as seq, hash into last from event
          where program = new.program and program_seq is not null order by program_seq desc limit 1;
        new.program_seq := coalesce(last.seq, 0) + 1;
        new.hash := program_hash(coalesce(last.hash, ''), new);
      else
        select chain_seq as seq, hash into last from event
          where account_id = new.account_id and chain_seq is not null order by chain_seq desc limit 1;
        new.chain_seq := coalesce(last.seq, 0) + 1;
        new.hash := event_hash(coalesce(last.hash, ''), new);
        ${ofAccount}
      end if;
      return new;
    end
  $$;`;
}
