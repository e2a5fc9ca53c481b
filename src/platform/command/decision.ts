import { Refusal, type RefusalKind } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { VersionCondition } from '../../shared/version.js';
import type { SqlQuery } from '../database/transaction.js';
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
  /** The content by which a repeated request is compared. */
  readonly recorded: object;
  /** Null where it came without a key, and for a dry run. */
  readonly keyHash: Buffer | null;
  /** Null where it came without a key or is the only write of its request, and for a dry run. */
  readonly sharedKey: SharedKey | null;
  /** True if the command is decided only, and nothing is written. */
  readonly dryRun: boolean;
}

/**
 * Makes the content by which a repeated request is compared. The versions that it expects are not part of it: a client
 * that lost the answer and read the record again sends the version that it made itself, and gets the recorded answer.
 */
export function recordedOf<Subject>({ work }: CommandKind<Subject>, request: CommandRequest<unknown>): object {
  const { versions: _, ...compared } = request.input as VersionCondition;
  return work.recorded?.(request) ?? { accountId: request.accountId, ...compared };
}

/** The outcome of a command, and whether it was replayed from the record under its key. */
export interface SettledCommand {
  readonly outcome: Outcome;
  readonly replayed: boolean;
  /** Absent where nothing is written: the command is refused, replayed, or a dry run. */
  readonly accepted?: AcceptedCommand;
  /** For a command that waits for an approval. */
  readonly waiting?: WaitingCommand;
  /** For a command whose refusal is an event. */
  readonly refused?: EventFacts;
  /** The rows under its key, for a command that has one and is not replayed. */
  readonly keyRows?: readonly IdempotencyRow[];
}

export type Decision = SettledCommand | { readonly failed: unknown };

/** The outcome of preparing a command while the database read. */
export type Preparation =
  | { readonly failed: unknown }
  | { readonly prepared: PreparedCommand<unknown, unknown>; readonly record: Buffer | null }
  | null;

/** Makes all that needs nothing that is read: the result and the draft, and the sealed record under the key. */
export function preparationOf<Subject>(records: IdempotencyRecords, command: PendingCommand<Subject>): Preparation {
  const { work } = command.kind;
  if (!work.prepare) return null;
  try {
    const prepared = work.prepare(command);
    return { prepared, record: recordOf(records, command, { result: prepared.result as Json }) };
  } catch (failed) {
    return { failed };
  }
}

/** The facts that were read for a command, by which it is decided. */
interface DecisionFacts<Subject> {
  /** The subjects of the command as the caller sees them, in the order of `targetsOf`. */
  readonly subjects: readonly (Subject | null)[];
  readonly record: StoredOutcome | null;
  /** The outcome on record under the key that it shares with other writes of its request. */
  readonly sharedRecord: StoredOutcome | null;
  readonly fact: unknown;
  /** The terms of a kind that may wait. */
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
  command: PendingCommand<Subject>,
  preparation: Preparation,
  { subjects, record, sharedRecord, fact, terms }: DecisionFacts<Subject>,
): Decision {
  const { keyHash, sharedKey, dryRun } = command;
  if (sharedKey && isOnRecord(sharedRecord) && !records.isShared(sharedRecord.sealed, sharedKey)) {
    return { failed: new IdempotencyKeyReused() };
  }
  const [subject = null] = subjects;
  const isSeen = subject !== null || command.kind.work.mayLack === 'all';
  const repeated = repetitionOf(records, command, record, fact, isSeen ? null : () => notFound(command));
  if (repeated) return repeated;
  const rowsFor = (key: Buffer, stored: StoredOutcome | null, sealed: () => Buffer): IdempotencyRow[] => {
    if (isOnRecord(stored)) return [];
    const { accountId, caller } = command;
    const isExpired = stored !== null;
    return [{ keyHash: key, program: caller.program, accountId, record: sealed(), isExpired }];
  };
  const keyRowsOf = (sealed: Buffer | null) =>
    keyHash && sealed
      ? {
          keyRows: [
            ...rowsFor(keyHash, record, () => sealed),
            ...(sharedKey ? rowsFor(sharedKey.keyHash, sharedRecord, () => records.sealedShared(sharedKey)) : []),
          ],
        }
      : {};
  try {
    const [first, ...others] = allSeen(command, subjects, notFound);
    if (preparation && 'failed' in preparation) throw preparation.failed;
    const accepted = acceptedOf(command, first, fact, preparation?.prepared, others);
    const waiting = terms && !accepted.isUnchanged && waitingOf(approvals, terms, command, accepted, first);
    const outcome = waiting ? { refusal: recordOfWaiting(waiting) } : { result: accepted.result as Json };
    if (dryRun) return { outcome, replayed: false };
    if (waiting) return { outcome, replayed: false, waiting, ...keyRowsOf(recordOf(records, command, outcome)) };
    return {
      outcome,
      replayed: false,
      accepted,
      ...keyRowsOf(preparedRecord(preparation, accepted) ?? recordOf(records, command, outcome)),
    };
  } catch (error) {
    if (!keyHash || !isRecorded(error)) return { failed: error };
    const outcome = { refusal: recordOfRefusal(error) };
    const refused = refusedOf(command, error, subject, fact);
    return { outcome, replayed: false, ...refused, ...keyRowsOf(recordOf(records, command, outcome)) };
  }
}

function isOnRecord(stored: StoredOutcome | null): stored is StoredOutcome {
  return stored !== null && !stored.isExpired;
}

/** The event of a refusal, where its kind has one. */
function refusedOf<Subject>(
  command: PendingCommand<Subject>,
  refusal: Refusal,
  subject: Subject | null,
  fact: unknown,
): Pick<SettledCommand, 'refused'> {
  const refused = subject === null ? null : command.kind.work.refused?.(refusal, subject, fact, command);
  return refused ? { refused } : {};
}

/** The decision that is on record under the key of a command; null where the command is to be carried out. */
function repetitionOf<Subject>(
  records: IdempotencyRecords,
  command: PendingCommand<Subject>,
  record: StoredOutcome | null,
  fact: unknown,
  notFound: (() => Refusal) | null,
): Decision | null {
  if (!command.keyHash || !isOnRecord(record)) return null;
  const outcome = records.outcomeIn(record.sealed, command.keyHash, requestIn(command));
  if (!outcome) return { failed: new IdempotencyKeyReused() };
  const { work } = command.kind;
  if (work.repeats) return null;
  if (work.replay && 'result' in outcome) {
    try {
      return { outcome: { result: work.replay(outcome.result, fact, command) as Json }, replayed: true };
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

/** The subjects of a command; null for what its kind may lack. Throws the refusal for what its caller does not see. */
export function allSeen<Subject>(
  command: CommandRequest<unknown> & { readonly kind: Kind<Subject> },
  subjects: readonly (Subject | null)[],
  notFound: SubjectLocker<Subject>['notFound'],
): [Subject, ...(Subject | null)[]] {
  const { mayLack } = command.kind.work;
  return targetsOf(command).map((target, index) => {
    const subject = subjects[index] ?? null;
    if (subject === null && (!mayLack || (index === 0 && mayLack === 'others'))) throw notFound(target);
    return subject;
  }) as [Subject, ...(Subject | null)[]];
}

/** Accepts a command. Throws what its kind does not permit. */
export function acceptedOf<Subject>(
  command: CommandRequest<unknown> & { readonly kind: Kind<Subject> },
  subject: Subject,
  fact: unknown,
  prepared: PreparedCommand<unknown, unknown> | undefined,
  others: readonly (Subject | null)[],
): AcceptedCommand {
  const { kind } = command;
  const permitted = kind.work.permit(subject, fact, command, others) ?? prepared;
  if (!permitted) throw new Error(`${kind.name} was neither prepared nor permitted`);
  return { ...command, ...permitted, fact };
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
  readonly command: CommandRequest<unknown> & { readonly kind: Kind<Subject> };
  readonly accepted: AcceptedCommand;
}

/** The statements that write accepted commands: the rows of each kind. */
export function rowsOf<Subject>(commands: readonly CommandToWrite<Subject>[]): SqlQuery[] {
  const changing = commands.filter(({ accepted }) => !accepted.isUnchanged);
  const kinds = Map.groupBy(changing, ({ command }) => command.kind);
  return [...kinds].flatMap(([{ work }, ofKind]) => work.write(ofKind.map(({ accepted }) => accepted)));
}

/** The events of accepted commands. */
export function eventsOf<Subject>(commands: readonly CommandToWrite<Subject>[]): NewEvent[] {
  return commands.flatMap(({ command: { caller, accountId, kind }, accepted }) => {
    return recordedFacts(kind, accepted).map(({ chain = accountId, ...facts }) => ({
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
  decided: readonly { readonly command: PendingCommand<Subject>; readonly decision: Decision }[],
): SqlQuery[] {
  const settled = decided.flatMap(({ command, decision }) => ('failed' in decision ? [] : [{ ...decision, command }]));
  const commands = settled.flatMap(({ command, accepted }) => (accepted ? [{ command, accepted }] : []));
  const waiting = settled.flatMap(one => one.waiting ?? []);
  const requests = settled.flatMap(one =>
    one.waiting
      ? [{ ...requestOf(one.waiting), by: one.command.caller, accountId: one.command.accountId || null }]
      : [],
  );
  const refusals = settled.flatMap(({ refused, command: { kind, caller, accountId } }) =>
    refused ? [{ action: kind.name, ...refused, by: caller, accountId: accountId || null }] : [],
  );
  const keys = settled.flatMap(({ keyRows = [] }) => keyRows);
  return [
    ...rowsOf(commands),
    ...(waiting.length > 0 ? approvals.keeping(waiting) : []),
    ...recording([...eventsOf(commands), ...requests, ...refusals]),
    ...(keys.length > 0 ? records.adding(keys) : []),
  ];
}

function recordOf<Subject>(
  records: IdempotencyRecords,
  command: PendingCommand<Subject>,
  outcome: Outcome,
): Buffer | null {
  return command.keyHash && records.sealedOutcome(command.keyHash, requestIn(command), outcome);
}

/** Makes the request with which a repeated one is compared. */
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
