import type { Json } from '../../shared/json.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';

/** An event that was committed. */
export interface FeedEvent {
  /** Its place in the one order of all events. Grows with gaps. */
  readonly position: number;
  /** The number of the event, such as `1042`. */
  readonly id: string;
  readonly program: string;
  /** Null where the command was about no account. */
  readonly accountId: string | null;
  /** The name of the command, such as `beneficiary.add`. */
  readonly action: string;
  readonly object: string | null;
  readonly data: Json;
  /** When the command began, such as `2026-03-31T18:05:00.000Z`. */
  readonly occurredAt: string;
  /** The number of the event in its chain, from 1 without gaps. */
  readonly chainSeq: number;
}

export interface FeedSelection {
  readonly program: string;
  /** Only events of this account. */
  readonly accountId?: string | undefined;
  /** Only events of these commands. */
  readonly actions?: readonly string[] | undefined;
}

export interface FeedPage {
  /** Oldest first. */
  readonly events: readonly FeedEvent[];
  /** Where to go on: everything that is selected up to here was given. */
  readonly position: number;
  /** True if more is known to be there. */
  readonly more: boolean;
}

export type FeedRow = [
  position: bigint,
  id: string,
  program: string,
  accountId: string | null,
  action: string,
  object: string | null,
  data: Json,
  occurredAt: string,
  chainSeq: bigint,
];

/** The most events that are read at once, and at which a page looks at once to find those that are selected. */
export const MAX_READ = 500;
export const WINDOW = 2000;

/** Gives positions to events that were committed. */
export const ADVANCE = statementOf('SELECT last_position, more, missing, lag_seconds FROM feed_advance($1)');
export const PRESENT = statementOf('SELECT position FROM feed_state');
/** The number of the last event that is committed. */
export const LAST_EVENT = statementOf(`SELECT max(id) FROM (${inEventTables('')}) e`);
/** The last position; up to which number events have one, but for those that are missing; and from which none is. */
export const PLACES = statementOf(`SELECT position, last_event_id::text, (missing + newly_missing)::text,
  least(last_event_id, lower(missing + newly_missing) - 1)::text FROM feed_state`);
/** Tells if an event up to the number $1 is committed and had no position when the places $2 to $4 were read. */
export const IS_LEFT = statementOf(
  `SELECT count(*) > 0 FROM (${inEventTables('WHERE id > $4::int8 AND id <= $1::int8')}) e
    WHERE id > $2::int8 OR $3::int8multirange @> id`,
);
export const READ = readWhere('f.position > $1');
export const READ_OF_PROGRAM = readWhere('f.position > $1 AND f.program = $3');
export const WINDOW_OF_PROGRAM = windowWhere('program = $1');
export const WINDOW_OF_ACCOUNT = windowWhere('program = $1 AND account_id = $6');

/** At most $2 events, and at most `MAX_READ`. */
function readWhere(condition: string): ReturnType<typeof statementOf> {
  return statementOf(`WITH ${near(condition, MAX_READ, '$2')} ${eventsNear('')} ORDER BY position`);
}

/**
 * The places of some events. PostgreSQL knows the number `most`, and that few are read: it does not know the parameter
 * `limit`, and would read whole tables.
 */
function near(condition: string, most: number, limit: string): string {
  return `near AS MATERIALIZED (
      SELECT * FROM (SELECT position, event_id, program, account_id FROM feed f WHERE ${condition} ORDER BY position LIMIT ${most}) n
      ORDER BY position LIMIT ${limit})`;
}

/** The numbers of events of accounts and of programs. */
function inEventTables(condition: string): string {
  return `SELECT id FROM account_event ${condition} UNION ALL SELECT id FROM program_event ${condition}`;
}

/** Selects the events at these places, of accounts and of programs. */
function eventsNear(condition: string): string {
  const columns = (account: string, seq: string): string =>
    `f.position, e.id::text, e.program, ${account} AS account_id, e.action, e.object, e.data, e.occurred_at, ${seq} AS seq`;
  return `SELECT ${columns('e.account_id', 'e.chain_seq')} FROM near f
      JOIN account_event e ON e.account_id = f.account_id AND e.id = f.event_id ${condition}
    UNION ALL
    SELECT ${columns('NULL::text', 'e.seq')} FROM near f
      JOIN program_event e ON f.account_id IS NULL AND e.program = f.program AND e.id = f.event_id ${condition}`;
}

/**
 * Ends with a row of nulls that says how far the window goes, or where the feed ends if that is further.
 *
 * Citus reads the tables of a statement one after another, each as it is at that time. So the end is read first, and
 * then the places up to it. In the other order the places in between would be missing.
 */
function windowWhere(condition: string): ReturnType<typeof statementOf> {
  const behind = `${condition} AND position > $2 AND position <= (SELECT position FROM present)`;
  return statementOf(
    `WITH present AS MATERIALIZED (SELECT position FROM feed_state), ${near(behind, WINDOW, '$3')},
     selected AS (${eventsNear('WHERE $4::text[] IS NULL OR e.action = ANY($4)')} ORDER BY position LIMIT $5)
     SELECT * FROM selected UNION ALL
     SELECT CASE WHEN count(*) = $3 THEN max(position) ELSE greatest($2, (SELECT position FROM present)) END,
       CASE WHEN count(*) = $3 THEN 'more' END, NULL, NULL, NULL, NULL, NULL, NULL, NULL FROM near`,
  );
}

export function eventOf(row: FeedRow): FeedEvent {
  const [position, id, program, accountId, action, object, data, occurredAt, chainSeq] = row;
  const what = { id, program, accountId, action, object, data, occurredAt };
  return { position: Number(position), ...what, chainSeq: Number(chainSeq) };
}
