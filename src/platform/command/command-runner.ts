import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Json, Plain } from '../../shared/json.js';
import { isRetryable, isUniqueViolation } from '../../../lib/pg-wire/pg-errors.js';
import { attempt } from '../database/retry.js';
import type { Database } from '../database/orm.js';
import { committedBefore } from '../database/reading.js';
import { CommitUnknown, inSteps, type Step } from '../database/transaction.js';
import {
  targetsOf,
  type CommandRequest,
  type CommandKind,
  type LockTarget,
  type SubjectLocker,
  type Work,
} from './command.js';
import { refusalOfRecord } from './command.errors.js';
import { counted, type CommandWatch } from './counted.js';
import { refusalOfWrite } from './denial.js';
import { termsOf, type ApprovalGate } from './approval.js';
import {
  decisionOf,
  effectsOf,
  preparationOf,
  recordedOf,
  type Decision,
  type PendingCommand,
  type SettledCommand,
} from './decision.js';
import { factsOf } from './facts.js';
import { KEY_WAIT_MS, type IdempotencyRecords } from './idempotency-record.js';
import { CommandQueue, type Group, type QueuedCommand, type WaitingCommand } from './command-queue.js';
import { KeyQueue } from './key-queue.js';
import type { DeclaredOperation } from '../../shared/operation.js';

/** The number of times that a command that runs alone is begun again when others get in its way. */
const ATTEMPTS = { most: 4, pauseMs: 20 };
/** The decision for a command that another transaction is in the way of: to run alone, and to wait. */
const ALONE = 'alone';

// A group belongs to no single request, so it must not run in the context (log fields, deadline) of the one that came
// first.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/**
 * The one way to change anything. The effect of a command, its event and its idempotency key with the outcome are one
 * transaction, so that a crash leaves all of it or nothing.
 *
 * Commands that come while others commit go together in the next transaction, whatever their kinds, so all of them wait
 * for one COMMIT; each is still decided, recorded and refused by itself. A group takes two round trips: BEGIN, advisory
 * locks of the keys, locks of the accounts, records under the keys, and what else decides; then rows, events, keys with
 * outcomes, COMMIT. Commands on one account go one after another, and one about several accounts waits for all of them.
 * Where many wait for one account, they are steps of a transaction: each is decided by what those before it wrote.
 * Programs, then their clients, then their customers take turns.
 * When a group is rolled back, its commands run one by one, so that none fails because of another. When the connection
 * is lost at COMMIT, each client is told to try again, which is safe with a key.
 */
export class CommandRunner<Subject> {
  private readonly keyQueue = new KeyQueue();
  private readonly queue: CommandQueue<Subject>;
  private running = 0;
  private isScheduled = false;

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly locking: SubjectLocker<Subject>,
    private readonly watch: CommandWatch,
    private readonly approvals: ApprovalGate,
  ) {
    this.queue = new CommandQueue(database.cluster);
  }

  /**
   * Makes a kind of command. What it gives runs one once for each idempotency key, and throws what `Caller.require`
   * throws, `IdempotencyKeyReused`, `IdempotencyInProgress`, `Unavailable`, or what the work refuses.
   *
   * A dry run takes the same locks, reads the same facts and has the same answer, and writes nothing: no row, no event,
   * no key. It has no key: neither does it read what is on record under one, nor is one used up by it.
   */
  kind<Input, Fact, Result, Draft>(
    operation: DeclaredOperation,
    work: Work<Input, Subject, Fact, Plain<Result>, Draft>,
  ): (caller: Caller, accountId: string, input: Input, dryRun?: boolean) => Promise<Result> {
    // The runner knows no types of a kind. Facts and drafts go back only to the kind that made them, so the cast is
    // safe.
    const { name, scopes, mayWait } = operation;
    const kind = { name, scopes, work: work as unknown as CommandKind<Subject>['work'] };
    if (mayWait !== Boolean(work.approval)) {
      throw new Error(`${name} declares whether it may wait, and its work differs`);
    }
    if (work.approval) this.approvals.admit(kind);
    return (caller, accountId, input, dryRun = false) =>
      counted(this.watch.count, caller, { command: name, dryRun }, async () => {
        const refusal = refusalOfWrite(caller, operation);
        if (refusal) throw refusal;
        try {
          return await this.run(kind, { caller, accountId, input }, dryRun);
        } catch (error) {
          addCallers(error);
          throw error;
        }
      }) as Promise<Result>;
  }

  private async run(kind: CommandKind<Subject>, request: CommandRequest<unknown>, dryRun: boolean): Promise<Json> {
    const { caller } = request;
    const recorded = caller.idempotency?.sent ?? recordedOf(kind, request);
    const command = { ...request, kind, recorded, dryRun };
    const targets = await this.targetsOf(command);
    if (!caller.idempotency || dryRun) {
      return resultOf(await this.join({ ...command, keyHash: null, sharedKey: null }, targets));
    }
    const keyedCommand = {
      ...command,
      keyHash: this.records.hashOf(caller, caller.idempotency),
      sharedKey: this.records.sharedKeyOf(caller, caller.idempotency),
    };
    const settled = await this.keyQueue.run(requestKeyOf(keyedCommand)?.toString('hex') ?? '', KEY_WAIT_MS, () =>
      this.join(keyedCommand, targets),
    );
    const { outcomes, place } = caller.idempotency;
    outcomes.push({ position: place?.position ?? null, isReplay: settled.replayed });
    return resultOf(settled);
  }

  /**
   * Finds the targets of a command. A customer must not delay those whose accounts he names, so this is decided before
   * the command queues; a caller of a whole program sees all of it.
   */
  private async targetsOf(
    command: CommandRequest<unknown> & { readonly kind: CommandKind<Subject> },
  ): Promise<readonly LockTarget[]> {
    const targets = targetsOf(command);
    const { locking } = this;
    if (command.caller.customerId === null) return targets;
    const [owned, payable = []] = await Promise.all([
      Promise.all(targets.map(target => locking.owns(target))),
      command.kind.work.payable?.(command),
    ]);
    return targets.map((target, index) =>
      owned[index] || payable.includes(target.accountId) ? target : { ...target, isHidden: true },
    );
  }

  private join(command: PendingCommand<Subject>, targets: readonly LockTarget[]): Promise<SettledCommand> {
    return new Promise((resolve, reject) => {
      this.queue.add({ command, targets, resolve, reject, request: new AsyncResource('Command') });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.queue.isEmpty || this.running >= this.queue.atOnce) return;
    this.isScheduled = true;
    // After the input that has already arrived: its commands still join the group.
    setImmediate(outsideOfRequests, () => {
      this.isScheduled = false;
      const group = this.queue.next(this.running);
      if (group.length === 0) return;
      this.running += 1;
      void this.runGroup(group).finally(() => {
        this.running -= 1;
        this.schedule();
      });
      this.schedule();
    });
  }

  private async runGroup(group: Group<Subject>): Promise<void> {
    const all = group.flat();
    const [only] = all.length === 1 ? all : [];
    const run = () => this.transact(group, false);
    const decisions = await (only ? only.request.runInAsyncScope(run) : outsideOfRequests(run)).catch(
      (error: unknown) => all.map(() => (error instanceof CommitUnknown ? { failed: error } : ALONE)),
    );
    all.forEach((one, index) => {
      const decision = decisions[index] ?? ALONE;
      // This is not awaited: a command that waits for a lock must not keep the next group waiting.
      if (decision === ALONE) void one.request.runInAsyncScope(() => this.runAlone(one));
      else this.settle(one, decision);
    });
  }

  private async runAlone(one: WaitingCommand<Subject>): Promise<void> {
    // A key or a number of a card that was not there when it was looked for, and is there now, will be found.
    const passes = (error: unknown): boolean => isRetryable(error) || isUniqueViolation(error);
    const [decision] = await attempt(ATTEMPTS, passes, () => this.transact([[one]], true)).catch((failed: unknown) => [
      { failed },
    ]);
    this.settle(one, decision as Decision);
  }

  private settle(one: WaitingCommand<Subject>, decision: Decision): void {
    const { resolve, reject } = one;
    this.queue.release(one);
    this.schedule();
    if ('failed' in decision) return reject(decision.failed);
    if (decision.accepted || decision.waiting || decision.refused) this.watch.committed();
    resolve(decision);
  }

  /**
   * Decides and writes commands in one transaction. One that `waits` for nothing gives `ALONE` for what others hold.
   */
  private async transact(group: Group<Subject>, waits: boolean): Promise<readonly (Decision | typeof ALONE)[]> {
    const steps = group.map(commands => this.stepOf(commands, waits));
    const decisions = await inSteps(this.database, steps, place => {
      for (const { request } of group.flat()) request.runInAsyncScope(committedBefore, null, place);
    });
    return decisions.flat();
  }

  /** Commands of different accounts: what decides them, and what is written for them. */
  private stepOf(group: readonly QueuedCommand<Subject>[], waits: boolean): Step<readonly (Decision | typeof ALONE)[]> {
    const { records, locking, approvals } = this;
    const commands = group.map(({ command }) => command);
    return {
      first: async transaction => {
        const shared = commands.flatMap(({ sharedKey, accountId }, index) =>
          sharedKey ? [{ keyHash: sharedKey.keyHash, accountId, index }] : [],
        );
        const keyed = [...commands, ...shared];
        const reading = Promise.all([
          records.lock(transaction, commands.map(requestKeyOf), waits),
          locking.lock(
            transaction,
            group.flatMap(({ targets }) => targets),
            waits,
          ),
          records.find(
            transaction,
            keyed.map(({ keyHash }) => keyHash),
            keyed.map(({ accountId }) => accountId),
          ),
          factsOf(transaction, commands),
          termsOf(approvals, transaction, commands),
        ]);
        // By then the statements have been sent, and the server works on them.
        await Promise.resolve();
        const preparations = commands.map(command => preparationOf(records, command));
        const [locked, seen, found, facts, terms] = await reading;
        const sharedRecords = new Map(shared.map(({ index }, at) => [index, found[commands.length + at] ?? null]));
        let from = 0;
        return commands.map((command, index) => {
          const subjects = seen.slice(from, (from += group[index]?.targets.length ?? 0));
          if (!locked[index] || !(waits || subjects.every(subject => subject !== null))) return ALONE;
          const decisionFacts = {
            subjects,
            record: found[index] ?? null,
            sharedRecord: sharedRecords.get(index) ?? null,
            fact: facts[index],
            terms: terms[index],
          };
          return decisionOf({ ...locking, records, approvals }, command, preparations[index] ?? null, decisionFacts);
        });
      },
      last: decisions =>
        effectsOf(
          { records, approvals },
          commands.flatMap((command, index) => {
            const decision = decisions[index] ?? ALONE;
            return decision === ALONE ? [] : [{ command, decision }];
          }),
        ),
    };
  }
}

/** The key that came with the request of a command. Its writes go one after another, and after those of its retries. */
function requestKeyOf({ keyHash, sharedKey }: Pick<PendingCommand<unknown>, 'keyHash' | 'sharedKey'>): Buffer | null {
  return sharedKey?.keyHash ?? keyHash;
}

/**
 * Adds the callers of a command to the stack of an unexpected error, which ends where the group of the command runs.
 */
function addCallers(error: unknown): void {
  if (!(error instanceof Error) || error instanceof Refusal) return;
  const { stack = '' } = error;
  Error.captureStackTrace(error, addCallers);
  error.stack = `${stack}\n${error.stack?.replace(/^[^]*?\n(?= +at )/, '')}`;
}

function resultOf({ outcome }: SettledCommand): Json {
  if ('refusal' in outcome) throw refusalOfRecord(outcome.refusal);
  return outcome.result;
}
