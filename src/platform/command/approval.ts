import { randomUUID } from 'node:crypto';
import type { ApprovalChange, ApprovalRules, WaitingApproval } from '../../shared/approval.js';
import type { Caller } from '../../shared/caller.js';
import { ApprovalRequired } from '../../shared/errors.js';
import type { StatementSender, SqlQuery } from '../database/transaction.js';
import {
  recordedFacts,
  type CommandRequest,
  type CommandKind,
  type EventFacts,
  type KeptBack,
  type AcceptedCommand,
} from './command.js';
import {
  AgentReasonRequired,
  AgentsOnlyRead,
  IdempotencyKeyRequired,
  TooManyApprovals,
  recordOfRefusal,
  type RefusalRecord,
} from './command.errors.js';

/** An approval waits for so many days, or for as long as its idempotency key is kept if that is shorter. */
export const APPROVAL_DAYS = 7;
/**
 * The most approvals that may wait, each of a program. What customers asked for leaves places for operators, one client
 * leaves places for others, and one customer hardly takes any. What customers ask for through a client does not count
 * against what operators ask for through it.
 */
const MAX_WAITING_APPROVALS = { ofProgram: 1000, ofCustomers: 700, ofClient: 500, ofCustomer: 20 };
const DAY_MS = 86_400_000;

/** The numbers of approvals of a program that wait, by those who share its places. */
export type WaitingApprovals = Readonly<Record<keyof typeof MAX_WAITING_APPROVALS, number>>;

/** The facts that decide whether a command of a program waits, as its transaction sees them. */
export interface ApprovalTerms {
  /** Null where the program has none. */
  readonly rules: ApprovalRules | null;
  /** The number of waiting approvals that have places with this one. */
  readonly waiting: WaitingApprovals;
  /** When the transaction began, by the clock of the database, such as `2026-03-31T18:05:00.000Z`. */
  readonly beganAt: string;
}

/** A command that waits, with all that is needed to do it later. */
export interface WaitingCommand {
  readonly approval: WaitingApproval;
  readonly program: string;
  readonly input: unknown;
  /** The content by which a repeated request is compared. */
  readonly recorded: object;
  /** The person who asked, by the claim that tells persons. */
  readonly person: string | null;
  /** The customer for whom it was asked; null for the program. */
  readonly customerId: string | null;
  readonly changes: readonly ApprovalChange[];
  /** Null where no money waits. */
  readonly keptBack: KeptBack | null;
  /** Null for a dry run, of which nothing is kept. */
  readonly keyHash: Buffer | null;
}

/** Keeps the commands that wait. */
export interface ApprovalGate {
  /** The most days that a command waits. */
  readonly days: number;
  /** Makes a kind of command known that may wait, so that it can be done later. */
  admit(kind: CommandKind<never>): void;
  /** For each caller what waits of its program. It must send its statement before it waits. */
  terms(transaction: StatementSender, callers: readonly Caller[]): Promise<readonly ApprovalTerms[]>;
  /** The statements that keep commands that wait, and their money back. */
  keeping(waiting: readonly WaitingCommand[]): readonly SqlQuery[];
}

/** Reads for each command that may wait whether it does. Commands of other kinds cost nothing. */
export async function termsOf<Subject>(
  gate: ApprovalGate,
  transaction: StatementSender,
  commands: readonly (CommandRequest<unknown> & { readonly kind: CommandKind<Subject> })[],
): Promise<(ApprovalTerms | undefined)[]> {
  const mayWait = commands.flatMap(({ kind: { work }, caller, input }, index) =>
    work.approval && (caller.isAgent || (work.approval.concerns?.(input) ?? true)) ? [index] : [],
  );
  const terms: (ApprovalTerms | undefined)[] = [];
  if (mayWait.length === 0) return terms;
  const callers = mayWait.map(index => (commands[index] as CommandRequest<unknown>).caller);
  const found = await gate.terms(transaction, callers);
  mayWait.forEach((index, place) => (terms[index] = found[place]));
  return terms;
}

/** The rules of a program that has none. */
const NO_RULES: ApprovalRules = {
  agentProposals: false,
  closingAccounts: false,
  reversalsAbove: [],
  postingsAbove: [],
  postingClients: [],
  transfersAbove: [],
  changingOwners: false,
  changingWebhookEndpoints: false,
  changingTransferLimits: false,
  erasingCustomers: false,
  documents: false,
};

interface ApprovableCommand<Subject> {
  readonly kind: CommandKind<Subject>;
  readonly recorded: object;
  readonly keyHash: Buffer | null;
  readonly dryRun: boolean;
}

/**
 * The approval that a permitted command must wait for, or null. That of a dry run has no id, as nothing is kept of it.
 * Throws `TooManyApprovals`, `IdempotencyKeyRequired` where nobody could get the result later, and for agents
 * `AgentsOnlyRead` and `AgentReasonRequired`.
 */
export function waitingOf<Subject>(
  { days }: ApprovalGate,
  { rules, waiting, beganAt }: ApprovalTerms,
  { kind, recorded, keyHash, dryRun }: ApprovableCommand<Subject>,
  accepted: AcceptedCommand,
  subject: Subject,
): WaitingCommand | null {
  const { approval } = kind.work;
  const [event] = recordedFacts(kind, accepted);
  if (!approval || !mustWait(approval, rules ?? NO_RULES, accepted, subject, event !== undefined)) return null;
  if (!keyHash && !dryRun) throw new IdempotencyKeyRequired();
  mustHavePlace(waiting, accepted.caller);
  const { object = null, data = {} } = approval.facts?.(accepted) ?? event ?? {};
  const { program, clientId, subject: person, actor = null, statedReason, requestId } = accepted.caller;
  const expiresAt = new Date(Date.parse(beganAt) + days * DAY_MS).toISOString();
  return {
    program,
    input: accepted.input,
    recorded,
    person: accepted.caller.person ?? null,
    customerId: accepted.caller.customerId,
    changes: approval.changes(accepted, subject),
    // A proposal of an agent must not take anything from anybody, not even for a while.
    keptBack: accepted.caller.isAgent ? null : (approval.keepsBack?.(accepted, subject) ?? null),
    keyHash,
    approval: {
      approvalId: dryRun ? null : randomUUID(),
      status: 'WAITING',
      command: kind.name,
      accountId: accepted.accountId || null,
      object,
      facts: data,
      clientId,
      subject: person,
      actor,
      statedReason,
      requestId,
      requestedAt: beganAt,
      expiresAt,
      decidedBy: null,
      decidedAt: null,
      reason: null,
      code: null,
    },
  };
}

/**
 * True if a command waits: by the rules of the program, and of an agent each that changes something. Throws
 * `AgentsOnlyRead`, `AgentReasonRequired`.
 */
function mustWait<Subject>(
  policy: NonNullable<CommandKind<Subject>['work']['approval']>,
  rules: ApprovalRules,
  accepted: AcceptedCommand,
  subject: Subject,
  changesSomething: boolean,
): boolean {
  const { isAgent, statedReason } = accepted.caller;
  if (!isAgent) return policy.needs(rules, accepted, subject);
  if (!changesSomething) return false;
  if (!rules.agentProposals) throw new AgentsOnlyRead();
  if (statedReason === null) throw new AgentReasonRequired();
  return true;
}

/** Throws `TooManyApprovals`. */
function mustHavePlace(waiting: WaitingApprovals, { customerId }: Caller): void {
  const isFull = (of: keyof WaitingApprovals) => waiting[of] >= MAX_WAITING_APPROVALS[of];
  if (customerId !== null && isFull('ofCustomer')) throw new TooManyApprovals('customer');
  if (isFull('ofClient')) throw new TooManyApprovals('client');
  if (isFull('ofProgram') || (customerId !== null && isFull('ofCustomers'))) throw new TooManyApprovals('program');
}

/** The refusal of a command that waits, as it is kept under its key. */
export function recordOfWaiting({ approval }: WaitingCommand): RefusalRecord {
  return { ...recordOfRefusal(new ApprovalRequired(approval)), approval };
}

/** The event of a command that waits: who asked for what. */
export function requestOf({ approval }: WaitingCommand): EventFacts & { readonly action: string } {
  const { approvalId, command, object, facts, expiresAt } = approval;
  return { action: 'approval.request', object: `approval/${approvalId}`, data: { command, object, facts, expiresAt } };
}
