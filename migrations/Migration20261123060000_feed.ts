import { Migration } from '@mikro-orm/migrations';

export class Migration20261123060000_feed extends Migration {
  override name = 'Migration20261123060000_feed';

  override up(): void | Promise<void> {
    // What is done to a program and not to an account has a chain for each program.
    this.addSql(`alter table "event" add "program_seq" bigint null;`);
    this.addSql(`create function program_hash(previous bytea, e event) returns bytea language sql stable as $$
      select sha256(previous || convert_to(concat_ws(',', '"program"', e.program_seq, e.id, extract(epoch from e.occurred_at),
        to_json(e.program), to_json(e.outcome), to_json(e.client_id), to_json(e.subject), to_json(e.request_id), to_json(e.action),
        coalesce(to_json(e.object)::text, 'null'), e.data), 'UTF8'))
    $$;`);
    this.addSql(`create or replace function chain_event() returns trigger language plpgsql as $$
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
        end if;
        return new;
      end
    $$;`);
    this.addSql(`alter table "event" drop constraint "event_chained";`);
    this.addSql(
      `alter table "event" add constraint "event_chained" check (hash is not null and case when outcome <> 'DONE' then denied_seq is not null and chain_seq is null and program_seq is null when account_id is null then program_seq is not null and chain_seq is null and denied_seq is null else chain_seq is not null and denied_seq is null and program_seq is null end);`,
    );
    this.addSql(
      `create unique index "event_program_program_seq_unique" on "event" ("program", "program_seq") where program_seq is not null;`,
    );

    // A transaction has an id before it takes the number of an event. So the transaction behind a number that is
    // missing is one of those that had an id when the number was found missing: see feed_advance.
    this.addSql(
      `alter table "event" alter column "id" set default nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end);`,
    );

    this.addSql(
      `create table "feed" ("position" bigint not null, "event_id" bigint not null, "program" text not null, "account_id" text null, primary key ("position"));`,
    );
    this.addSql(`create index "feed_program_position_index" on "feed" ("program", "position");`);
    this.addSql(`create index "feed_account_id_position_index" on "feed" ("account_id", "position");`);

    this.addSql(
      `create table "feed_state" ("id" int not null default 1, "position" bigint not null default 0, "last_event_id" bigint not null default 0, "missing" int8multirange not null default '{}', "missing_before" xid8 not null default '0', "newly_missing" int8multirange not null default '{}', "history" text not null default '', primary key ("id"), constraint "feed_state_single" check (id = 1));`,
    );
    this.addSql(`insert into "feed_state" default values;`);

    // Gives committed events their positions. One transaction does it at a time: it holds the row of feed_state until
    // its own commit, so positions are committed in their order.
    //
    // The number of an event is taken before its transaction commits, so a number may be missing when higher ones are
    // there. It comes later, or never if its transaction was rolled back. Missing numbers are kept, and looked for each
    // time, until every transaction that could bring them has ended. A number that was missing in one call belongs to a
    // transaction that had its id before the next call, so it can come no more once all transactions older than that
    // call have ended. What a statement sees and the oldest transaction that still runs are of one snapshot.
    //
    // In a database that was restored elsewhere, or on a server that took over, transactions that ran before are gone,
    // and positions may have been given out that are not here. Then positions jump, so that none is given twice.
    this
      .addSql(`create function feed_advance(most int, out last_position bigint, out more boolean, out missing int, out lag_seconds float8)
      language plpgsql as $$
      declare
        state feed_state;
        present_history text := (select system_identifier from pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
        numbers int8multirange;
        last_found bigint;
        numbered bigint;
        oldest_running xid8;
      begin
        select s.position, false, 0, 0 into last_position, more, missing, lag_seconds from feed_state s;
        if not exists (select from feed_state s where s.history <> present_history or s.missing <> '{}' or s.newly_missing <> '{}'
            or exists (select from event where id > s.last_event_id)) then
          return;
        end if;
        select * into state from feed_state for update skip locked;
        if not found then
          return;
        end if;
        if state.history <> present_history then
          if state.history <> '' then
            state.position := (state.position / 4294967296 + 1) * 4294967296;
          end if;
          state.missing_before := pg_current_xact_id();
          state.history := present_history;
        end if;

        with fresh as (
          select id, outcome, program, account_id, occurred_at from event where id > state.last_event_id order by id limit most
        ), late as (
          select e.id, e.outcome, e.program, e.account_id, e.occurred_at
          from unnest(state.missing + state.newly_missing) r join event e on e.id >= lower(r) and e.id < upper(r)
        ), seen as (
          select * from fresh union all select * from late
        ), positioned as (
          insert into feed (position, event_id, program, account_id)
          select state.position + row_number() over (order by id), id, program, account_id from seen where outcome = 'DONE'
          returning 1
        )
        select (select max(id) from fresh), (select count(*) = most from fresh), coalesce(range_agg(int8range(id, id, '[]')), '{}'),
            coalesce(extract(epoch from clock_timestamp() - min(occurred_at)), 0), (select count(*) from positioned),
            pg_snapshot_xmin(pg_current_snapshot())
          into last_found, more, numbers, lag_seconds, numbered, oldest_running from seen;

        state.missing := state.missing - numbers;
        state.newly_missing := state.newly_missing - numbers;
        if oldest_running >= state.missing_before then
          state.missing := state.newly_missing;
          state.newly_missing := '{}';
          state.missing_before := pg_current_xact_id();
        end if;
        if last_found > state.last_event_id then
          state.newly_missing := state.newly_missing + (int8multirange(int8range(state.last_event_id, last_found, '(]')) - numbers);
          state.last_event_id := last_found;
        end if;
        state.position := state.position + numbered;

        update feed_state set position = state.position, last_event_id = state.last_event_id, missing = state.missing,
            missing_before = state.missing_before, newly_missing = state.newly_missing, history = state.history
          where feed_state is distinct from state;
        last_position := state.position;
        missing := (select count(*) from unnest(state.missing + state.newly_missing));
      end
    $$;`);
  }

  override down(): void | Promise<void> {
    this.addSql(`drop function feed_advance(int);`);
    this.addSql(`drop table "feed_state";`);
    this.addSql(`drop table "feed";`);
    this.addSql(`alter table "event" alter column "id" set default nextval('event_id_seq');`);
    this.addSql(`drop index "event_program_program_seq_unique";`);
    this.addSql(`alter table "event" drop constraint "event_chained";`);
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
    this.addSql(`drop function program_hash(bytea, event);`);
    // Events of programs have no place in the release before.
    this.addSql(`alter table "event" disable trigger append_only;`);
    this.addSql(`delete from "event" where "program_seq" is not null;`);
    this.addSql(`alter table "event" enable trigger append_only;`);
    this.addSql(`alter table "event" drop column "program_seq";`);
    this.addSql(
      `alter table "event" add constraint "event_chained" check (hash is not null and case outcome when 'DONE' then account_id is not null and chain_seq is not null and denied_seq is null else chain_seq is null and denied_seq is not null end);`,
    );
  }
}
