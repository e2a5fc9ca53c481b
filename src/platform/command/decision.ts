import { Refusal, type RefusalKind } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { VersionCondition } from '../../shared/version.js';
import type { Query } from '../database/transaction.js';
import { recording, type NewEvent } from './recording.js';
import {
  recordOfWaiting,
  requestOf,
  waitingOf,
  type ApprovalGate,
  type ApprovalTerms,
  type WaitingCommand,
} from './approval.js';
import {
  recordedFacts,
  targetsOf,
  type CommandRequest,
  type CommandKind,
  type EventFacts,
  type Kind,
  type SubjectLocker,
  type AcceptedCommand,
  type PreparedCommand,
} from './command.js';
import { IdempotencyKeyReused, recordOfRefusal } from './command.errors.js';
import type {
  StoredOutcome,
  IdempotencyRecords,
  IdempotencyRow,
  KeyedRequest,
  Outcome,
  SharedKey,
} from './idempotency-record.js';

/** A command in a group. */
export interface PendingCommand<Subject> extends CommandRequest<unknown> {
  readonly kind: CommandKind<Subject>;
  /** What a repeated request is compared by. */
  readonly recorded: object;
  /** Null where it came without a key, and for a dry run. */
  readonly keyHash: Buffer | null;
  /** Null where it came without a key or is the only write of its request, and for a dry run. */
  readonly sharedKey: SharedKey | null;
  /** Whether it is decided only, and nothing is written. */
  readonly dryRun: boolean;
}

/**
 * What a repeated request is compared by. The versions that it expects are not part of it: a client that lost the
 * answer and read the record again sends the version that it made itself, and gets the recorded answer.
 */
export function recordedOf<Subject>({ work }: CommandKind<Subject>, asked: CommandRequest<unknown>): object {
  const { versions: _, ...compared } = asked.input as VersionCondition;
  return work.recorded?.(asked) ?? { accountId: asked.accountId, ...compared };
}

/** The outcome of a command, and whether it was replayed from the record under its key. */
export interface SettledCommand {
  readonly outcome: Outcome;
  readonly replayed: boolean;
  /** Absent where nothing is written: the command is refused, replayed, or a dry run. */
  readonly done?: AcceptedCommand;
  /** For a command that waits for an approval. */
  readonly waiting?: WaitingCommand;
  /** For a command whose refusal is an event. */
  readonly refused?: EventFacts;
  /** The rows under its key, for a command that has one and is not replayed. */
  readonly kept?: readonly IdempotencyRow[];
}

export type Decision = SettledCommand | { readonly failed: unknown };

/** What was made of a command while the database read. */
export type Preparation =
  | { readonly failed: unknown }
  | { readonly prepared: PreparedCommand<unknown, unknown>; readonly record: Buffer | null }
  | null;

/** Makes all that needs nothing that is read: the result and the draft, and the sealed record under the key. */
export function preparationOf<Subject>(records: IdempotencyRecords, given: PendingCommand<Subject>): Preparation {
  const { work } = given.kind;
  if (!work.prepare) return null;
  try {
    const prepared = work.prepare(given);
    return { prepared, record: recordOf(records, given, { result: prepared.result as Json }) };
  } catch (failed) {
    return { failed };
  }
}

/** The facts that were read for a command, by which it is decided. */
interface DecisionFacts<Subject> {
  /** What the caller sees of what the command is about, in the order of `targetsOf`. */
  readonly subjects: readonly (Subject | null)[];
  readonly record: StoredOutcome | null;
  /** What is on record under the key that it shares with other writes of its request. */
  readonly sharedRecord: StoredOutcome | null;
  readonly fact: unknown;
  /** Of a kind that may wait. */
  readonly terms: ApprovalTerms | undefined;
}

/** Where outcomes of commands are kept under their keys, and commands that wait for an approval. */
interface CommandStores {
  readonly records: IdempotencyRecords;
  readonly approvals: ApprovalGate;
}

/**
 * Decides what becomes of a command: what is on record under its key, what its caller sees, what its kind permits, and
 * whether it waits for an approval: what is impossible now is refused, and never waits.
 */
export function decisionOf<Subject>(
  { notFound, records, approvals }: Pick<SubjectLocker<Subject>, 'notFound'> & CommandStores,
  given: PendingCommand<Subject>,
  preparation: Preparation,
  { subjects, record, sharedRecord, fact, terms }: DecisionFacts<Subject>,
): Decision {
  const { keyHash, sharedKey, dryRun } = given;
  if (sharedKey && isOnRecord(sharedRecord) && !records.isShared(sharedRecord.sealed, sharedKey)) {
    return { failed: new IdempotencyKeyReused() };
  }
  const [subject = null] = subjects;
  const isSeen = subject !== null || given.kind.work.mayLack === 'all';
  const repeated = repetitionOf(records, given, record, fact, isSeen ? null : () => notFound(given));
  if (repeated) return repeated;
  const rowsFor = (key: Buffer, stored: StoredOutcome | null, sealed: () => Buffer): IdempotencyRow[] => {
    if (isOnRecord(stored)) return [];
    const { accountId, caller } = given;
    const isExpired = stored !== null;
    return [{ keyHash: key, program: caller.program, accountId, record: sealed(), isExpired }];
  };
  const kept = (sealed: Buffer | null) =>
    keyHash && sealed
      ? {
          kept: [
            ...rowsFor(keyHash, record, () => sealed),
            ...(sharedKey ? rowsFor(sharedKey.keyHash, sharedRecord, () => records.sealedShared(sharedKey)) : []),
          ],
        }
      : {};
  try {
    const [first, ...others] = allSeen(given, subjects, notFound);
    if (preparation && 'failed' in preparation) throw preparation.failed;
    const done = doneOf(given, first, fact, preparation?.prepared, others);
    const waiting = terms && !done.isUnchanged && waitingOf(approvals, terms, given, done, first);
    const outcome = waiting ? { refusal: recordOfWaiting(waiting) } : { result: done.result as Json };
    if (dryRun) return { outcome, replayed: false };
    if (waiting) return { outcome, replayed: false, waiting, ...kept(recordOf(records, given, outcome)) };
    return {
      outcome,
      replayed: false,
      done,
      ...kept(preparedRecord(preparation, done) ?? recordOf(records, given, outcome)),
    };
  } catch (error) {
    if (!keyHash || !isRecorded(error)) return { failed: error };
    const outcome = { refusal: recordOfRefusal(error) };
    const refused = refusedOf(given, error, subject, fact);
    return { outcome, replayed: false, ...refused, ...kept(recordOf(records, given, outcome)) };
  }
}

function isOnRecord(stored: StoredOutcome | null): stored is StoredOutcome {
  return stored !== null && !stored.isExpired;
}

/** The event of a refusal, where its kind has one. */
function refusedOf<Subject>(
  given: PendingCommand<Subject>,
  refusal: Refusal,
  subject: Subject | null,
  fact: unknown,
): Pick<SettledCommand, 'refused'> {
  const refused = subject === null ? null : given.kind.work.refused?.(refusal, subject, fact, given);
  return refused ? { refused } : {};
}

/** The decision that is on record under the key of a command; null where the command is to be carried out. */
function repetitionOf<Subject>(
  records: IdempotencyRecords,
  given: PendingCommand<Subject>,
  record: StoredOutcome | null,
  fact: unknown,
  notFound: (() => Refusal) | null,
): Decision | null {
  if (!given.keyHash || !isOnRecord(record)) return null;
  const outcome = records.outcomeIn(record.sealed, given.keyHash, requestIn(given));
  if (!outcome) return { failed: new IdempotencyKeyReused() };
  const { work } = given.kind;
  if (work.repeats) return null;
  if (work.replay && 'result' in outcome) {
    try {
      return { outcome: { result: work.replay(outcome.result, fact, given) as Json }, replayed: true };
    } catch (error) {
      if (error instanceof Refusal) return { failed: error };
      throw error;
    }
  }
  return replayOf(outcome, notFound);
}

/** The record that was sealed for a prepared command; null if the accepted draft is another one. */
function preparedRecord(preparation: Preparation, { draft }: AcceptedCommand): Buffer | null {
  return preparation && 'prepared' in preparation && draft === preparation.prepared.draft ? preparation.record : null;
}

/** What a command is about; null for what its kind may lack. Throws the refusal for what its caller does not see. */
export function allSeen<Subject>(
  given: CommandRequest<unknown> & { readonly kind: Kind<Subject> },
  subjects: readonly (Subject | null)[],
  notFound: SubjectLocker<Subject>['notFound'],
): [Subject, ...(Subject | null)[]] {
  const { mayLack } = given.kind.work;
  return targetsOf(given).map((target, index) => {
    const subject = subjects[index] ?? null;
    if (subject === null && (!mayLack || (index === 0 && mayLack === 'others'))) throw notFound(target);
    return subject;
  }) as [Subject, ...(Subject | null)[]];
}

/** A command that is going to be done. Throws what its kind does not permit. */
export function doneOf<Subject>(
  given: CommandRequest<unknown> & { readonly kind: Kind<Subject> },
  subject: Subject,
  fact: unknown,
  prepared: PreparedCommand<unknown, unknown> | undefined,
  others: readonly (Subject | null)[],
): AcceptedCommand {
  const { kind } = given;
  const known = kind.work.permit(subject, fact, given, others) ?? prepared;
  if (!known) throw new Error(`${kind.name} was neither prepared nor permitted`);
  return { ...given, ...known, fact };
}

/**
 * A caller who sees the account no longer is not told what became of it. 'Not found' tells nothing, so it is repeated
 * as it was.
 */
function replayOf(outcome: Outcome, notFound: (() => Refusal) | null): Decision {
  return notFound && !isNotFound(outcome) ? { failed: notFound() } : { outcome, replayed: true };
}

/** An accepted command and its request, ready to be written. */
export interface CommandToWrite<Subject> {
  readonly given: CommandRequest<unknown> & { readonly kind: Kind<Subject> };
  readonly done: AcceptedCommand;
}

/** The statements that write commands that are done: the rows of each kind. */
export function rowsOf<Subject>(commands: readonly CommandToWrite<Subject>[]): Query[] {
  const changing = commands.filter(({ done }) => !done.isUnchanged);
  const kinds = Map.groupBy(changing, ({ given }) => given.kind);
  return [...kinds].flatMap(([{ work }, ofKind]) => work.write(ofKind.map(({ done }) => done)));
}

/** The events of commands that are done. */
export function eventsOf<Subject>(commands: readonly CommandToWrite<Subject>[]): NewEvent[] {
  return commands.flatMap(({ given: { caller, accountId, kind }, done }) => {
    return recordedFacts(kind, done).map(({ chain = accountId, ...facts }) => ({
      action: kind.name,
      ...facts,
      by: caller,
      accountId: chain || null,
    }));
  });
}

/**
 * The statements that write what was decided: the rows of each kind, the commands that wait, the events, and the keys
 * with their outcomes.
 */
export function effectsOf<Subject>(
  { records, approvals }: CommandStores,
  decided: readonly { readonly given: PendingCommand<Subject>; readonly decision: Decision }[],
): Query[] {
  const settled = decided.flatMap(({ given, decision }) => ('failed' in decision ? [] : [{ ...decision, given }]));
  const commands = settled.flatMap(({ given, done }) => (done ? [{ given, done }] : []));
  const waiting = settled.flatMap(one => one.waiting ?? []);
  const requests = settled.flatMap(one =>
    one.waiting ? [{ ...requestOf(one.waiting), by: one.given.caller, accountId: one.given.accountId || null }] : [],
  );
  const refusals = settled.flatMap(({ refused, given: { kind, caller, accountId } }) =>
    refused ? [{ action: kind.name, ...refused, by: caller, accountId: accountId || null }] : [],
  );
  const keys = settled.flatMap(({ kept }) => kept ?? []);
  return [
    ...rowsOf(commands),
    ...(waiting.length > 0 ? approvals.keeping(waiting) : []),
    ...recording([...eventsOf(commands), ...requests, ...refusals]),
    ...(keys.length > 0 ? records.adding(keys) : []),
  ];
}

function recordOf<Subject>(
  records: IdempotencyRecords,
  given: PendingCommand<Subject>,
  outcome: Outcome,
): Buffer | null {
  return given.keyHash && records.sealedOutcome(given.keyHash, requestIn(given), outcome);
}

/** What a repeated request is compared with. */
export function requestIn<Subject>({
  kind,
  recorded,
}: Pick<PendingCommand<Subject>, 'kind' | 'recorded'>): KeyedRequest {
  return { command: kind.name, input: recorded, isPatch: kind.work.isPatch ?? false };
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
