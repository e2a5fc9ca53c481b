import { Refusal, type RefusalKind } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { Query } from '../database/transaction.js';
import { recording, type NewEvent } from './recording.js';
import type { Asked, CommandKind, Locking, Permitted, Prepared } from './command.js';
import { IdempotencyKeyReused } from './command.errors.js';
import type { Found, IdempotencyRecords, Kept, Outcome } from './idempotency-record.js';

/** A command in a group. */
export interface Given<Subject> extends Asked<unknown> {
  readonly kind: CommandKind<Subject>;
  /** What a repeated request is compared by. */
  readonly recorded: object;
  /** Null where it came without a key. */
  readonly keyHash: Buffer | null;
}

type Done = Permitted<unknown, unknown, unknown, unknown>;

/** What becomes of a command, and whether that was only read from its record. */
export interface Settled {
  readonly outcome: Outcome;
  readonly replayed: boolean;
  /** Absent where nothing is written: the command is refused, or replayed. */
  readonly done?: Done;
  /** What is kept under its key, for a command that has one and is not replayed. */
  readonly kept?: Kept;
}

export type Decision = Settled | { readonly failed: unknown };

/** What was made of a command while the database read. */
export type Preparation =
  | { readonly failed: unknown }
  | { readonly prepared: Prepared<unknown, unknown>; readonly record: Buffer | null }
  | null;

/** Makes all that needs nothing that is read: the result and the draft, and the sealed record under the key. */
export function preparationOf<Subject>(records: IdempotencyRecords, given: Given<Subject>): Preparation {
  const { work } = given.kind;
  if (!work.prepare) return null;
  try {
    const prepared = work.prepare(given);
    return { prepared, record: recordOf(records, given, { result: prepared.result as Json }) };
  } catch (failed) {
    return { failed };
  }
}

/** What was read for a command. */
interface Known<Subject> {
  readonly subject: Subject | null;
  readonly record: Found | null;
  readonly fact: unknown;
}

/**
 * Decides what becomes of a command: what is on record under its key, what its caller sees, and what its kind permits.
 */
export function decisionOf<Subject>(
  { notFound }: Locking<Subject>,
  records: IdempotencyRecords,
  given: Given<Subject>,
  preparation: Preparation,
  { subject, record, fact }: Known<Subject>,
): Decision {
  const { keyHash, kind, recorded } = given;
  if (keyHash && record && !record.isExpired) {
    const outcome = records.outcomeIn(record.sealed, keyHash, kind.name, recorded);
    if (!outcome) return { failed: new IdempotencyKeyReused() };
    // A caller who sees the account no longer is not told what became of it. 'Not found' tells nothing, so it is
    // repeated as it was.
    return subject || isNotFound(outcome) ? { outcome, replayed: true } : { failed: notFound() };
  }
  const kept = (sealed: Buffer | null) =>
    keyHash && sealed
      ? { kept: { keyHash, program: given.caller.program, record: sealed, isExpired: record?.isExpired ?? false } }
      : {};
  try {
    if (!subject) throw notFound();
    if (preparation && 'failed' in preparation) throw preparation.failed;
    const permitted = kind.work.permit(subject, fact, given);
    const prepared = permitted ?? preparation?.prepared;
    if (!prepared) throw new Error(`${kind.name} was neither prepared nor permitted`);
    const outcome = { result: prepared.result as Json };
    const sealed = (permitted ? null : preparation?.record) ?? recordOf(records, given, outcome);
    return { outcome, replayed: false, done: { ...given, ...prepared, fact }, ...kept(sealed) };
  } catch (error) {
    if (!keyHash || !isRecorded(error)) return { failed: error };
    const { kind: refused, code, message, errors } = error;
    const outcome = { refusal: { kind: refused, code, message, ...(errors && { errors }) } };
    return { outcome, replayed: false, ...kept(recordOf(records, given, outcome)) };
  }
}

/** The statements that write what was decided: the rows of each kind, the events, and the keys with their outcomes. */
export function effectsOf<Subject>(
  records: IdempotencyRecords,
  decided: readonly { readonly given: Given<Subject>; readonly decision: Decision }[],
): Query[] {
  const done = new Map<CommandKind<Subject>, Done[]>();
  const events: NewEvent[] = [];
  const keys: Kept[] = [];
  for (const { given, decision } of decided) {
    if ('failed' in decision) continue;
    if (decision.kept) keys.push(decision.kept);
    if (!decision.done) continue;
    const { kind, accountId } = given;
    events.push({
      ...kind.work.event(decision.done),
      by: given.caller,
      action: kind.name,
      accountId: accountId || null,
    });
    const ofKind = done.get(kind);
    if (ofKind) ofKind.push(decision.done);
    else done.set(kind, [decision.done]);
  }
  const rows = [...done].flatMap(([kind, ofKind]) => kind.work.write(ofKind));
  const facts = events.length > 0 ? [recording(events)] : [];
  return [...rows, ...facts, ...(keys.length > 0 ? records.adding(keys) : [])];
}

function recordOf<Subject>(
  records: IdempotencyRecords,
  { keyHash, kind, recorded }: Given<Subject>,
  outcome: Outcome,
): Buffer | null {
  return keyHash && records.sealedOutcome(keyHash, kind.name, recorded, outcome);
}

/**
 * Refusals that the state of the bank decides are part of the outcome: a retry meets the same state as the first
 * request did.
 */
const RECORDED: ReadonlySet<RefusalKind> = new Set(['not_found', 'conflict']);

/** Bad input is never recorded, wherever it is found, so that the corrected request may carry the same key. */
function isRecorded(error: unknown): error is Refusal {
  return error instanceof Refusal && RECORDED.has(error.kind);
}

function isNotFound(outcome: Outcome): boolean {
  return 'refusal' in outcome && outcome.refusal.kind === 'not_found';
}
