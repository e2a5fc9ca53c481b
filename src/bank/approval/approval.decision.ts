import { recordedFacts, type AcceptedCommand, type Work } from '../../platform/command/command.js';
import { ApprovalExpired, ApprovalRejected, recordOfRefusal } from '../../platform/command/command.errors.js';
import {
  acceptedOf,
  eventsOf,
  requestIn,
  rowsOf,
  type CommandToWrite,
  type PendingCommand,
} from '../../platform/command/decision.js';
import { factsOf } from '../../platform/command/facts.js';
import type { IdempotencyRecords, IdempotencyRow, Outcome } from '../../platform/command/idempotency-record.js';
import { recording } from '../../platform/command/recording.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { pick } from '../../platform/repository/fields.js';
import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import { UUID_TEXT } from '../../shared/ids.js';
import type { Json } from '../../shared/json.js';
import { APPROVAL_FIELDS, type ApprovalRead, type ApprovalStatus, type ApprovalView } from './approval.entity.js';
import { ApprovalDecided, ApprovalNotFound, OwnApproval, PersonUnknown } from './approval.errors.js';
import type { ApprovalBook } from './approval.gate.js';
import type { ApprovalState, HeldMoney } from './approval.repository.js';

export type Verdict = 'approve' | 'reject' | 'expire';

/** The decision of somebody about an approval. */
export interface Order {
  readonly approvalId: string;
  readonly reason?: string;
  /** The approval as it was found before; null where the program has none. */
  readonly found: ApprovalRead | null;
}

interface ApprovalFacts<Subject> {
  readonly state: ApprovalState | null;
  /** The command that waits, and what decides on it now; null where none waits. */
  readonly command: PendingCommand<Subject> | null;
  readonly fact: unknown;
}

/** The rows that are written when an approval is decided. */
interface DecidedApproval<Subject> {
  readonly approval: Draft;
  /** The held money of the account without what the command kept back; null where it kept nothing back. */
  readonly held: HeldMoney | null;
  /** The key row with what a retry of the command gets. */
  readonly keyRow: Pick<IdempotencyRow, 'keyHash' | 'accountId' | 'record'>;
  /** The command, if it is done. */
  readonly command: CommandToWrite<Subject> | null;
}

/** The outcome of the command that waits. */
interface ApprovalOutcome {
  readonly status: ApprovalStatus;
  readonly outcome: Outcome;
  readonly accepted?: AcceptedCommand;
}

/** The columns that an update writes. */
const CHANGEABLE = ['status', 'object', 'decidedBy', 'decidedAt', 'reason', 'code', 'sealed'];

/**
 * Commands that decide approvals. Approving does the command that waits in the transaction of the approval: its rows,
 * its event by the caller who asked, and its outcome under the key of that caller.
 */
export function deciding<Subject>(
  verdict: Verdict,
  book: ApprovalBook,
  records: IdempotencyRecords,
): Work<Order, Subject, ApprovalFacts<Subject>, ApprovalView, DecidedApproval<Subject>> {
  const { repository } = book;
  const updating = repository.updating(CHANGEABLE);
  return {
    recorded: ({ input: { approvalId, reason } }) => ({ approvalId, reason: reason ?? null }),
    others: ({ found }) => {
      const command = waitingIn(book, found);
      return command?.kind.work.others?.(command.input) ?? [];
    },
    readFacts: (transaction, requests) =>
      readFacts(
        book,
        transaction,
        requests.map(({ input }) => input),
      ),
    permit: (subject, { state, command, fact }, { caller, input }, others) => {
      const { onFile, now } = mustWait(verdict, caller, state);
      if (!command) throw new ApprovalDecided();
      const { account, held } = withoutKeptBack(subject, onFile);
      const { status, outcome, accepted } = endingOf(verdict, { ...command, fact }, [account, ...others]);
      const event = accepted && recordedFacts(command.kind, accepted)[0];
      const view: ApprovalView = {
        ...pick<ApprovalView>(onFile, APPROVAL_FIELDS),
        status,
        object: event?.object ?? onFile.object,
        decidedBy: verdict === 'expire' ? null : caller.subject,
        // A request that expires ends at its own time, however much later that is found.
        decidedAt: verdict === 'expire' ? onFile.expiresAt : now,
        reason: input.reason ?? null,
        code: status === 'FAILED' && 'refusal' in outcome ? outcome.refusal.code : null,
      };
      const { program, keyHash, customerId, keptBackMinor } = onFile;
      const record = records.sealedOutcome(keyHash, requestIn(command), outcome);
      const approval = repository.draft({ ...view, program, keyHash, customerId, keptBackMinor, request: null });
      return {
        result: view,
        draft: {
          approval,
          held,
          keyRow: { keyHash, accountId: onFile.accountId ?? '', record },
          command: accepted ? { command, accepted } : null,
        },
      };
    },
    write: accepted => {
      const drafts = accepted.map(({ draft }) => draft);
      const commands = drafts.flatMap(({ command }) => command ?? []);
      return [
        ...rowsOf(commands),
        ...recording(eventsOf(commands)),
        updating(drafts.map(({ approval }) => approval)),
        ...repository.holding(drafts.flatMap(({ held }) => held ?? [])),
        records.replacing(drafts.map(({ keyRow }) => keyRow)),
      ];
    },
    event: ({ result: { approvalId, command, status, code, reason } }) => ({
      object: `approval/${approvalId}`,
      data: { command, status, ...(code !== null && { code }), ...(reason !== null && { reason }) },
    }),
  };
}

/** The account of a command that waited, with the money that it kept back. */
function withoutKeptBack<Subject>(
  subject: Subject,
  { accountId, keptBackMinor }: ApprovalRead,
): { readonly account: Subject; readonly held: HeldMoney | null } {
  if (accountId === null || keptBackMinor === 0n) return { account: subject, held: null };
  const { heldMinor } = subject as HeldMoney;
  const held = { accountId, heldMinor: heldMinor - keptBackMinor };
  return { account: { ...subject, heldMinor: held.heldMinor }, held };
}

async function readFacts<Subject>(
  book: ApprovalBook,
  transaction: StatementSender,
  orders: readonly Order[],
): Promise<ApprovalFacts<Subject>[]> {
  const commands = orders.map(({ found }) => waitingIn<Subject>(book, found));
  const waiting = commands.filter(command => command !== null);
  const [states, facts] = await Promise.all([
    book.repository.statesOf(
      transaction,
      orders.map(({ approvalId }) => (UUID_TEXT.test(approvalId) ? approvalId : null)),
    ),
    factsOf(transaction, waiting),
  ]);
  return commands.map((command, index) => ({
    state: states[index] ?? null,
    command,
    fact: command && facts[waiting.indexOf(command)],
  }));
}

/** The command that an approval waits with, or null. */
function waitingIn<Subject>(book: ApprovalBook, found: ApprovalRead | null): PendingCommand<Subject> | null {
  return found?.status === 'WAITING' ? book.commandOf<Subject>(found) : null;
}

/** Throws `ApprovalNotFound`, `ApprovalDecided`, `ApprovalExpired`, `OwnApproval`, `PersonUnknown`. */
function mustWait(verdict: Verdict, caller: Caller, state: ApprovalState | null): ApprovalState {
  if (state?.onFile.program !== caller.program) throw new ApprovalNotFound();
  const { status, expiresAt } = state.onFile;
  if (status === 'EXPIRED') throw new ApprovalExpired();
  if (status !== 'WAITING') throw new ApprovalDecided();
  if (expiresAt <= state.now !== (verdict === 'expire')) throw new ApprovalExpired();
  if (verdict === 'approve') mustBeAnother(caller, state.onFile);
  return state;
}

/**
 * One person may have two subjects, one for each client, and one agent may act for two people. Throws `OwnApproval`,
 * `PersonUnknown`.
 */
function mustBeAnother(caller: Caller, { subject, actor, request }: ApprovalRead): void {
  const approving = [caller.subject, caller.actor];
  if (approving.includes(subject) || (actor !== null && approving.includes(actor))) throw new OwnApproval();
  if (request?.person && request.person === caller.person) throw new OwnApproval();
  if (caller.person === null) throw new PersonUnknown();
}

function endingOf<Subject>(
  verdict: Verdict,
  command: PendingCommand<Subject> & { readonly fact: unknown },
  [subject, ...others]: readonly [Subject, ...Subject[]],
): ApprovalOutcome {
  if (verdict === 'reject') {
    return { status: 'REJECTED', outcome: { refusal: recordOfRefusal(new ApprovalRejected()) } };
  }
  if (verdict === 'expire') return { status: 'EXPIRED', outcome: { refusal: recordOfRefusal(new ApprovalExpired()) } };
  try {
    const accepted = acceptedOf(command, subject, command.fact, command.kind.work.prepare?.(command), others);
    return { status: 'APPROVED', outcome: { result: accepted.result as Json }, accepted };
  } catch (error) {
    // A request that is only impossible for a moment may be approved again.
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
    return { status: 'FAILED', outcome: { refusal: recordOfRefusal(error) } };
  }
}
