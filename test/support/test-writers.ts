import { onCitus } from './server-nodes.js';

/** Puts an event that is inserted into the view of all events into the chain that it belongs to. */
const EVENTS = [
  `create function record_event() returns trigger language plpgsql as $$
    declare
      last record;
    begin
      new.id := nextval(case when pg_current_xact_id() is not null then 'event_id_seq'::regclass end);
      new.occurred_at := coalesce(new.occurred_at, now())::timestamptz(3);
      if coalesce(new.outcome, 'DONE') <> 'DONE' then
        perform pg_advisory_xact_lock(x'6576656e'::int, hashtext(new.program));
        select seq, hash into last from denied_attempt where program = new.program order by seq desc limit 1;
        insert into denied_attempt (program, seq, account_id, id, occurred_at, client_id, subject, request_id, action, object, data, hash)
          values (new.program, coalesce(last.seq, 0) + 1, new.account_id, new.id, new.occurred_at, new.client_id, new.subject, new.request_id, new.action, new.object, new.data, denied_attempt_hash(coalesce(last.hash, ''), coalesce(last.seq, 0) + 1, new.id,
  new.occurred_at, new.program, new.client_id, new.subject, new.request_id, new.action, new.account_id, new.object, new.data));
      elsif new.account_id is null then
        perform pg_advisory_xact_lock(x'70726f67'::int, hashtext(new.program));
        select seq, hash into last from program_event where program = new.program order by seq desc limit 1;
        insert into program_event (program, seq, id, occurred_at, client_id, subject, request_id, action, object, data, hash)
          values (new.program, coalesce(last.seq, 0) + 1, new.id, new.occurred_at, new.client_id, new.subject, new.request_id, new.action, new.object, new.data, program_event_hash(coalesce(last.hash, ''), coalesce(last.seq, 0) + 1, new.id,
  new.occurred_at, new.program, new.client_id, new.subject, new.request_id, new.action, new.account_id, new.object, new.data));
      else
        select chain_seq as seq, hash into last from account_event
          where account_id = new.account_id order by chain_seq desc limit 1;
        insert into account_event (program, chain_seq, account_id, id, occurred_at, client_id, subject, request_id, action, object, data, hash)
          values (new.program, coalesce(last.seq, 0) + 1, new.account_id, new.id, new.occurred_at, new.client_id, new.subject, new.request_id, new.action, new.object, new.data, account_event_hash(coalesce(last.hash, ''), coalesce(last.seq, 0) + 1, new.id,
  new.occurred_at, new.program, new.client_id, new.subject, new.request_id, new.action, new.account_id, new.object, new.data))
          returning chain_seq as seq, account_event.hash into last;
        update account set event_seq = last.seq, event_hash = last.hash where account_id = new.account_id;
      end if;
      return new;
    end
  $$;`,
  `create trigger record instead of insert on "event" for each row execute function record_event();`,
];

/** Fills the local times of a transaction that is inserted without them. */
const LOCAL_TIMES = [
  `create function fill_local_times() returns trigger language plpgsql as $$
    begin
      select date_trunc('second', new.transaction_timestamp at time zone a.time_zone),
        date_trunc('second', new.posted_timestamp at time zone a.time_zone)
        into new.transaction_time, new.posted_time from account a where a.account_id = new.account_id;
      return new;
    end
  $$;`,
  `create trigger local_times before insert on "transaction" for each row when (new.transaction_time is null) execute function fill_local_times();`,
];

/** Lets tests insert events and transactions by SQL in few columns. The gateway itself gives all that a row has. */
export async function addTestWriters(database: { query(text: string): Promise<unknown> }): Promise<void> {
  // On Citus a trigger of a shard reads no other table.
  for (const text of [...EVENTS, ...(onCitus ? [] : LOCAL_TIMES)]) await database.query(text);
}
