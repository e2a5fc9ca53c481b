import type { Json } from '../../shared/json.js';
import { columnsOf } from '../repository/by-ordinal.js';
import type { Query } from '../database/transaction.js';
import { EVENT_COLUMNS, eventValues } from './command-event.js';
import { IdempotencyKeyReused } from './command.errors.js';
import type { Asked, GroupCommand, GroupWork, Permitted, Prepared } from './group-work.js';
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
export type Plan<Fact, Result, Draft> = { readonly failed: unknown } | Decided<Fact, Result, Draft>;

interface Decided<Fact, Result, Draft> extends Settled {
  /** Absent where nothing is done: the command is refused, or replayed. */
  readonly done?: Done<Fact, Result, Draft>;
  /** Whether there is a record under the key whose time is over. */
  readonly isExpired?: boolean;
}

interface Done<Fact, Result, Draft> extends Permitted<Fact, Draft> {
  readonly result: Result;
  /** What is kept under the key; null where there is none. */
  readonly record: Buffer | null;
}

/** What was made of a command beforehand, with what is kept under its key if it is done. */
export type Preparation<Result, Draft> =
  { readonly failed: unknown } | (Prepared<Result, Draft> & { readonly record: Buffer | null });

/** Makes what needs nothing of what is read. */
export function preparationOf<Input, Subject, Fact, Result, Draft>(
  work: GroupWork<Input, Subject, Fact, Result, Draft>,
  records: IdempotencyRecords,
  { accountId, command, input, keyHash }: Given<Input, Result>,
): Preparation<Result, Draft> {
  try {
    const prepared = work.prepare(accountId, input);
    const outcome = { result: prepared.result as Json };
    const record = keyHash && records.sealedOutcome(keyHash, command.name, command.input, outcome);
    return { ...prepared, record };
  } catch (failed) {
    return { failed };
  }
}

/** What was made of a command, and what was read for it. */
interface Known<Subject, Fact, Result, Draft> {
  readonly preparation: Preparation<Result, Draft>;
  readonly subject: Subject | null;
  readonly record: Found | null;
  readonly fact: Fact;
}

/** Decides what becomes of a command by what was read for it: a record under its key, what its caller sees, what else is known. */
export function planOf<Input, Subject, Fact, Result, Draft>(
  work: GroupWork<Input, Subject, Fact, Result, Draft>,
  records: IdempotencyRecords,
  { command, keyHash }: Given<Input, Result>,
  { preparation, subject, record, fact }: Known<Subject, Fact, Result, Draft>,
): Plan<Fact, Result, Draft> {
  if (keyHash && record && !record.isExpired) {
    const outcome = records.outcomeIn(record.sealed, keyHash, command.name, command.input);
    if (!outcome) return { failed: new IdempotencyKeyReused() };
    return subject || tellsNothing(outcome) ? { outcome, replayed: true } : { failed: work.notFound() };
  }
  const isExpired = record?.isExpired ?? false;
  try {
    if (!subject) throw work.notFound();
    if ('failed' in preparation) throw preparation.failed;
    work.permit(subject, fact);
    return {
      outcome: { result: preparation.result as Json },
      replayed: false,
      done: { ...preparation, fact },
      isExpired,
    };
  } catch (error) {
    return keyHash ? refused(error, isExpired) : { failed: error };
  }
}

function refused(
  error: unknown,
  isExpired: boolean,
): { readonly failed: unknown } | (Settled & { readonly isExpired: boolean }) {
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
export function effectsOf<Input, Subject, Fact, Result, Draft>(
  work: GroupWork<Input, Subject, Fact, Result, Draft>,
  records: IdempotencyRecords,
  planned: readonly { readonly given: Given<Input, Result>; readonly plan: Plan<Fact, Result, Draft> }[],
): Query[] {
  const permitted: Permitted<Fact, Draft>[] = [];
  const events: unknown[][] = [];
  const kept: Kept[] = [];
  for (const { given, plan } of planned) {
    if ('failed' in plan || plan.replayed) continue;
    const { caller, command, keyHash } = given;
    const { outcome, done, isExpired = false } = plan;
    const { name, input } = command;
    if (keyHash) {
      const record = done?.record ?? records.sealedOutcome(keyHash, name, input, outcome);
      kept.push({ keyHash, program: caller.program, record, isExpired });
    }
    if (!done) continue;
    permitted.push(done);
    events.push(eventValues(caller, command, done.result));
  }
  const effects = permitted.length > 0 ? [work.write(permitted), { statement: EVENTS, values: columnsOf(events) }] : [];
  return kept.length > 0 ? [...effects, ...records.adding(kept)] : effects;
}
