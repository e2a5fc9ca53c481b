import type { Json } from '../../shared/json.js';
import type { Query } from '../database/in-two-flights.js';
import { EVENT_COLUMNS, eventValues } from './command-event.js';
import { IdempotencyKeyReused } from './command.errors.js';
import type { Asked, GroupCommand, GroupWork } from './group-work.js';
import type { Found, IdempotencyRecords, Kept } from './idempotency-record.js';
import { outcomeOfRefusal, tellsNothing, type Settled } from './under-key.js';

/** A command of a group. */
export interface Given<Input, Result> extends Asked {
  readonly command: GroupCommand<Result>;
  readonly input: Input;
  /** Null where it came without a key. */
  readonly keyHash: Buffer | null;
}

/** What is to become of a command of a group. */
export type Plan<Result, Row> = { readonly failed: unknown } | Decided<Result, Row>;

interface Decided<Result, Row> extends Settled {
  /** Absent where nothing is done: the command is refused, or replayed. */
  readonly done?: { readonly result: Result; readonly row: Row };
  /** Whether there is a record under the key whose time is over. */
  readonly isExpired?: boolean;
}

/** Decides what becomes of a command by what was read for it: a record under its key, what its caller sees, what else is known. */
export function planOf<Input, Subject, Fact, Result, Row>(
  work: GroupWork<Input, Subject, Fact, Result, Row>,
  records: IdempotencyRecords,
  { command, input, keyHash }: Given<Input, Result>,
  { subject, record, fact }: { readonly subject: Subject | null; readonly record: Found | null; readonly fact: Fact },
): Plan<Result, Row> {
  if (keyHash && record && !record.isExpired) {
    const outcome = records.outcomeIn(record.sealed, keyHash, command.name, command.input);
    if (!outcome) return { failed: new IdempotencyKeyReused() };
    return subject || tellsNothing(outcome) ? { outcome, replayed: true } : { failed: work.notFound() };
  }
  const isExpired = record?.isExpired ?? false;
  try {
    if (!subject) throw work.notFound();
    const done = work.decide(subject, fact, input);
    return { outcome: { result: done.result as Json }, replayed: false, done, isExpired };
  } catch (error) {
    return keyHash ? refused(error, isExpired) : { failed: error };
  }
}

function refused<Result, Row>(error: unknown, isExpired: boolean): Plan<Result, Row> {
  try {
    return { outcome: outcomeOfRefusal(error), replayed: false, isExpired };
  } catch (failed) {
    return { failed };
  }
}

const EVENTS = {
  name: 'events_add',
  text: `INSERT INTO event (${EVENT_COLUMNS})
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`,
};

/** The statements that write what was planned: the rows, the events, and the keys with their outcomes. */
export function effectsOf<Input, Subject, Fact, Result, Row>(
  work: GroupWork<Input, Subject, Fact, Result, Row>,
  records: IdempotencyRecords,
  planned: readonly { readonly given: Given<Input, Result>; readonly plan: Plan<Result, Row> }[],
): Query[] {
  const rows: Row[] = [];
  const events: unknown[][] = [];
  const kept: Kept[] = [];
  for (const { given, plan } of planned) {
    if ('failed' in plan || plan.replayed) continue;
    const { caller, command, keyHash } = given;
    const { outcome, done, isExpired = false } = plan;
    const { name, input } = command;
    if (keyHash) kept.push({ keyHash, program: caller.program, command: name, input, outcome, isExpired });
    if (!done) continue;
    rows.push(done.row);
    events.push(eventValues(caller, command, done.result));
  }
  const effects = rows.length > 0 ? [work.write(rows), { statement: EVENTS, values: columnsOf(events) }] : [];
  return kept.length > 0 ? [...effects, ...records.adding(kept)] : effects;
}

/** Rows as one array for each column. */
function columnsOf(rows: readonly unknown[][]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map(row => row[column]));
}
