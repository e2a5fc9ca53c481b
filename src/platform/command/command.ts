import type { ApprovalChange, ApprovalRules } from '../../shared/approval.js';
import type { Caller, Scope } from '../../shared/caller.js';
import type { Refusal } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { StatementSender, SqlQuery } from '../database/transaction.js';

/** A command as a client sends it, about one account or about its program. */
export interface CommandRequest<Input> {
  readonly caller: Caller;
  /** Empty where it is about the program. */
  readonly accountId: string;
  readonly input: Input;
}

/** An account, or a program, that is locked for a command of this caller. */
export interface LockTarget extends Pick<CommandRequest<unknown>, 'caller' | 'accountId'> {
  /**
   * True for an account that is there beside the first one: then it is locked if it is of the caller's program, whoever
   * owns it.
   */
  readonly isOther?: boolean;
  /** True for an account that a customer may not name: it is neither waited for nor locked, as if it did not exist. */
  readonly isHidden?: boolean;
}

/** The result of a command if no fact that is read forbids it, and the draft of what is written for it. */
export interface PreparedCommand<Result, Draft> {
  readonly result: Result;
  readonly draft: Draft;
  /**
   * The record is what the command asks for already: nothing is written, no event is recorded, no approval is needed.
   */
  readonly isUnchanged?: boolean;
}

/** A command that its kind permits, with the facts on which that was decided. It is written in the same transaction. */
export interface AcceptedCommand<Input = unknown, Fact = unknown, Result = unknown, Draft = unknown>
  extends PreparedCommand<Result, Draft>, CommandRequest<Input> {
  readonly fact: Fact;
}

/** The content of the event of a command: the object that changed, and facts without personal data. */
export interface EventFacts {
  readonly object: string;
  readonly data: Json;
  /** Where one kind of command has events of several names; that of the kind when absent. */
  readonly action?: string;
  /** The account whose chain has the event, one of those that the command is about; the first one when absent. */
  readonly chain?: string;
}

/** Money of an account that is kept back while a command waits, in minor units. */
export interface KeptBack {
  readonly amountMinor: bigint;
  /** All that is held of the account then. */
  readonly heldMinor: bigint;
}

/** When commands of a kind wait until another person approves them, and which facts that person reads. */
export interface ApprovalPolicy<Input, Subject, Fact, Result, Draft> {
  /** True if customers give such commands as well, so that one waits as what its customer asked for. */
  readonly isForCustomers?: true;
  /** False where a command never waits, whatever the rules: they are not read for it then. */
  concerns?(input: Input): boolean;
  /** True if a permitted command waits where a program has these rules. */
  needs(rules: ApprovalRules, accepted: AcceptedCommand<Input, Fact, Result, Draft>, subject: Subject): boolean;
  /**
   * The changes that the command would make, without personal data and secrets; those that its event would tell when
   * absent.
   */
  facts?(
    accepted: AcceptedCommand<Input, Fact, Result, Draft>,
  ): Omit<EventFacts, 'object'> & { readonly object: string | null };
  /** Each field that the command would change. It is sealed, and for approvers alone: a URL may hold a token. */
  changes(accepted: AcceptedCommand<Input, Fact, Result, Draft>, subject: Subject): readonly ApprovalChange[];
  /** The part of the money of its account that waits with a command, so that it is not spent meanwhile. */
  keepsBack?(accepted: AcceptedCommand<Input, Fact, Result, Draft>, subject: Subject): KeptBack;
  /** The changes that an approver reads besides, as they are when they are read. */
  describe?(request: CommandRequest<Input>): Promise<readonly ApprovalChange[]>;
}

/**
 * The policy of a kind of which the commands of agents wait, and no other: no rule of a program concerns it. `changes`
 * tells what one would change.
 */
export function waitsForAgents<Input, Subject, Fact, Result, Draft>(
  changes: ApprovalPolicy<Input, Subject, Fact, Result, Draft>['changes'],
): ApprovalPolicy<Input, Subject, Fact, Result, Draft> {
  return { isForCustomers: true, concerns: () => false, needs: () => false, changes };
}

/**
 * The steps of commands of one kind, behind the lock of their accounts. Each step but `permit` is for many commands at
 * once. `Subject` is what the caller sees of the locked account, `Fact` what else decides, `Draft` what is to be
 * written for one command.
 */
export interface Work<Input, Subject, Fact, Result, Draft> {
  /**
   * The content that distinguishes a repeated request from another: everything that the client sent and that may be
   * kept. The input, unless this or `Idempotency.sent` says otherwise.
   */
  recorded?(request: CommandRequest<Input>): object;
  /**
   * True if a repeated request under the same key is carried out again, with an event of its own, in place of the
   * recorded outcome: for commands that show something, where each time counts.
   */
  readonly repeats?: boolean;
  /** True if the input is a merge patch, in which null clears what an absent field leaves as it is. */
  readonly isPatch?: boolean;
  /**
   * The accounts that a command is about beside the first one, for a kind about several. All are locked together, and
   * each goes one after another. Those are not checked against the customer of the caller: `permit` decides what the
   * caller may do with them.
   */
  others?(input: Input): readonly string[];
  /** The accounts that a command about a program names, for the record of what was denied. */
  names?(input: Input): readonly string[];
  /** Those of the other accounts that a customer may name without owning them. Read before the command queues. */
  payable?(request: CommandRequest<Input>): Promise<readonly string[]>;
  /**
   * Set where accounts may be missing, and `permit` decides what that means: it gets null for the others then. For
   * `all` it looks at the others alone, of which the first account is one, and `replay` at what the caller still sees.
   */
  readonly mayLack?: 'others' | 'all';
  /** The recorded result as a repeated request gets it, without what its caller no longer sees. */
  replay?(result: Result, fact: Fact, request: CommandRequest<Input>): Result;
  /**
   * The number of ordinary commands that it is as large as, so that a large one does not keep others of its group
   * waiting.
   */
  weight?(input: Input): number;
  /** Reads what else decides. It must send all its statements before it waits for any. */
  readFacts?(transaction: StatementSender, requests: readonly CommandRequest<Input>[]): Promise<readonly Fact[]>;
  /** Makes what needs nothing that is read, while the database reads. Throws a `Refusal` of the input. */
  prepare?(request: CommandRequest<Input>): PreparedCommand<Result, Draft>;
  /**
   * Throws a `Refusal` of what may not be done. Gives the result and the draft where they need what was read. `others`
   * are the other accounts, in the order of `Work.others`.
   */
  permit(
    subject: Subject,
    fact: Fact,
    request: CommandRequest<Input>,
    others: readonly (Subject | null)[],
  ): PreparedCommand<Result, Draft> | void;
  /** The statements that write accepted commands. */
  write(accepted: readonly AcceptedCommand<Input, Fact, Result, Draft>[]): readonly SqlQuery[];
  /**
   * The record of the command: one event, or one for each record where it changed several, in their order. Null where
   * nothing changed.
   */
  event(accepted: AcceptedCommand<Input, Fact, Result, Draft>): EventFacts | readonly EventFacts[] | null;
  /**
   * The event of a refusal that people look for, such as that of a purchase; null for any other. It is written with the
   * refusal under its key, and so once. A refusal that no key keeps has none.
   */
  refused?(refusal: Refusal, subject: Subject, fact: Fact, request: CommandRequest<Input>): EventFacts | null;
  /**
   * For a kind that may wait. Its scope must be for program-wide callers unless it `isForCustomers`, and its input
   * plain data: it is kept, and permitted again when it is approved.
   */
  readonly approval?: ApprovalPolicy<Input, Subject, Fact, Result, Draft>;
}

/** A kind of command: the name that its events carry, such as `beneficiary.add`, and what it does. */
export interface Kind<Subject> {
  readonly name: string;
  readonly work: Work<unknown, Subject, unknown, unknown, unknown>;
}

/** The events of an accepted command, in their order; none where nothing changed. */
export function recordedFacts<Subject>({ work }: Kind<Subject>, accepted: AcceptedCommand) {
  const facts = (accepted.isUnchanged ? null : work.event(accepted)) ?? [];
  return 'object' in facts ? [facts] : facts;
}

/** A kind that callers may give who have its scope. */
export interface CommandKind<Subject> extends Kind<Subject> {
  readonly scopes: readonly Scope[];
}

/** Names the targets of a command: its account or program, and the other accounts. */
export function targetsOf<Subject>(
  command: CommandRequest<unknown> & { readonly kind: Kind<Subject> },
): readonly [LockTarget, ...LockTarget[]] {
  const { caller, kind, input } = command;
  const others = kind.work.others?.(input) ?? [];
  return [command, ...others.map(accountId => ({ caller, accountId, isOther: true }))];
}

/** Locks the accounts or programs that commands are about. */
export interface SubjectLocker<Subject> {
  /** True if the customer of a caller owns what a command names. */
  owns(target: LockTarget): Promise<boolean>;
  /**
   * Locks the accounts until the transaction ends, all in one order, and gives what each caller sees of its account;
   * null for nothing, and unless it `waits` also for what another transaction holds.
   */
  lock(
    transaction: StatementSender,
    targets: readonly LockTarget[],
    waits: boolean,
  ): Promise<readonly (Subject | null)[]>;
  /** The refusal where a caller sees nothing. */
  readonly notFound: (target: LockTarget) => Refusal;
}
