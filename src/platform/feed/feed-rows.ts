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
  /** Whether more is known to be there. */
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

const COLUMNS = `f.position, e.id::text, e.program, e.account_id, e.action, e.object, e.data, e.occurred_at,
  coalesce(e.chain_seq, e.program_seq)`;

/** Gives positions to events that were committed. */
export const ADVANCE = statementOf('SELECT last_position, more, missing, lag_seconds FROM feed_advance($1)');
export const PRESENT = statementOf('SELECT position FROM feed_state');
export const READ = readWhere('f.position > $1');
export const READ_OF_PROGRAM = readWhere('f.position > $1 AND f.program = $3');
export const WINDOW_OF_PROGRAM = windowWhere('program = $1');
export const WINDOW_OF_ACCOUNT = windowWhere('program = $1 AND account_id = $6');

/** At most $2 events. */
function readWhere(condition: string): ReturnType<typeof statementOf> {
  return statementOf(
    `SELECT ${COLUMNS} FROM feed f JOIN event e ON e.id = f.event_id WHERE ${condition} ORDER BY f.position LIMIT $2`,
  );
}

/** Ends with a row of nulls that says how far the window goes, or where the feed ends if that is further. */
function windowWhere(condition: string): ReturnType<typeof statementOf> {
  return statementOf(
    `WITH present AS (SELECT position FROM feed_state), near AS MATERIALIZED (
       SELECT position, event_id FROM feed WHERE ${condition} AND position > $2 ORDER BY position LIMIT $3
     ), selected AS (
       SELECT ${COLUMNS} FROM near f JOIN event e ON e.id = f.event_id
       WHERE $4::text[] IS NULL OR e.action = ANY($4) ORDER BY f.position LIMIT $5
     )
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
