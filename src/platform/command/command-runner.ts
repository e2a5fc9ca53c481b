import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { sharerOf, type Caller } from '../../shared/caller.js';
import { Refusal, Unavailable } from '../../shared/errors.js';
import type { Json, Plain } from '../../shared/json.js';
import { isRetryable, isUniqueViolation } from '../../../lib/pg-wire/pg-errors.js';
import { KeyTable } from '../../../lib/collections/in-progress.js';
import { inTurns } from '../../../lib/collections/turn-list.js';
import { attempt } from '../database/retry.js';
import { outOfTime } from '../database/deadline.js';
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
import { KeyQueue } from './key-queue.js';
import type { DeclaredOperation } from '../../shared/operation.js';

/** The number of times that a command that runs alone is begun again when others get in its way. */
const ATTEMPTS = { most: 4, pauseMs: 20 };
/**
 * Waiting commands are shared out among the groups that may run at once: in one group all commands would wait for the
 * database together, and then the database for all of them. Groups smaller than the small one would save no time. Sizes
 * are sums of weights.
 */
const LARGE_GROUP = 32;
const GROUPS = { atOnce: 3, small: 16, large: LARGE_GROUP };
/**
 * From so many commands on that wait for one account, they go together in a transaction of their own, one step after
 * another: each takes a round trip, and all of them one COMMIT. Others would wait for the steps too, so none is with
 * them. Fewer gain nothing, since they keep others from large groups.
 */
const HOT = 4;
const MAX_STEPS = 8;
/**
 * On Citus a command is a transaction of its own: one that writes on a single node is committed without being prepared
 * there, and a node that is away holds up no command about accounts of another.
 */
const GROUPS_ON_CITUS = { atOnce: 6, small: 1, large: 1 };
const MAX_WAITING = 10_000;

/** The decision for a command that another transaction is in the way of: to run alone, and to wait. */
const ALONE = 'alone';

interface QueuedCommand<Subject> {
  readonly command: PendingCommand<Subject>;
  readonly weight: number;
  /** The targets of the command. */
  readonly targets: readonly LockTarget[];
  /** The things about which commands go one after another. */
  readonly names: readonly string[];
  readonly resolve: (settled: SettledCommand) => void;
  readonly reject: (error: unknown) => void;
  /** The context of its request, for what is done for this command alone: its deadline, its trace. */
  readonly request: AsyncResource;
}

/** The commands of a transaction, by its steps. No two of a step are about one account. */
type Group<Subject> = readonly (readonly QueuedCommand<Subject>[])[];

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
  private waiting: QueuedCommand<Subject>[] = [];
  /** The number of commands that run about an account: the next command about it is of a later group. */
  private readonly busy = new KeyTable<number>();
  private running = 0;
  private isScheduled = false;

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly locking: SubjectLocker<Subject>,
    private readonly watch: CommandWatch,
    private readonly approvals: ApprovalGate,
  ) {}

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
    if (this.waiting.length >= MAX_WAITING) {
      return Promise.reject(new Unavailable('Too many writes are waiting for the database. Try again in a moment.'));
    }
    const weight = Math.min(command.kind.work.weight?.(command.input) ?? 1, LARGE_GROUP);
    return new Promise((resolve, reject) => {
      const request = new AsyncResource('Command');
      this.waiting.push({ command, weight, targets, names: namesOf(targets), resolve, reject, request });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.running >= this.groups.atOnce) return;
    this.isScheduled = true;
    // After the input that has already arrived: its commands still join the group.
    setImmediate(outsideOfRequests, () => {
      this.isScheduled = false;
      const group = this.nextGroup();
      if (group.length === 0) return;
      this.running += 1;
      void this.runGroup(group).finally(() => {
        this.running -= 1;
        this.schedule();
      });
      this.schedule();
    });
  }

  private get groups(): typeof GROUPS {
    return this.database.cluster.isApart ? GROUPS_ON_CITUS : GROUPS;
  }

  private nextGroup(): Group<Subject> {
    const group: QueuedCommand<Subject>[][] = [];
    const total = this.waiting.reduce((sum, { weight }) => sum + weight, 0);
    const { atOnce, small, large } = this.groups;
    const share = Math.ceil(total / (atOnce - this.running));
    let room = Math.min(Math.max(share, small), large);
    const isHot = hotAmong(this.waiting);
    // The order of those that wait. A later command must not take one of several accounts again and again before they
    // are all free.
    const wanted = new Set<string>();
    // The number of steps behind which the next command about an account comes.
    const steps = new Map<string, number>();
    const gone = new Set<QueuedCommand<Subject>>();
    let isChain = false;
    for (const one of inTurns(this.waiting, ({ command }) => sharerOf(command.caller))) {
      const { names } = one;
      const late = one.request.runInAsyncScope(outOfTime);
      const isFirst = group.length === 0;
      const step = Math.max(0, ...names.map(name => steps.get(name) ?? 0));
      const isAfterOwn = isChain ? step > 0 && step < MAX_STEPS : step === 0 && !isHot(one);
      if (late) {
        one.reject(late);
        gone.add(one);
      } else if (
        (isFirst || (isAfterOwn && one.weight <= room && room > 0)) &&
        names.every(name => !this.busy.get(name) && !wanted.has(name))
      ) {
        isChain = isFirst ? isHot(one) : isChain;
        for (const name of names) steps.set(name, step + 1);
        (group[step] ??= []).push(one);
        room -= one.weight;
        gone.add(one);
      } else {
        for (const name of names) wanted.add(name);
      }
    }
    for (const { names } of group.flat()) for (const name of names) this.busy.set(name, (this.busy.get(name) ?? 0) + 1);
    this.waiting = this.waiting.filter(one => !gone.has(one));
    return group;
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

  private async runAlone(one: QueuedCommand<Subject>): Promise<void> {
    // A key or a number of a card that was not there when it was looked for, and is there now, will be found.
    const passes = (error: unknown): boolean => isRetryable(error) || isUniqueViolation(error);
    const [decision] = await attempt(ATTEMPTS, passes, () => this.transact([[one]], true)).catch((failed: unknown) => [
      { failed },
    ]);
    this.settle(one, decision as Decision);
  }

  private settle(one: QueuedCommand<Subject>, decision: Decision): void {
    const { names, resolve, reject } = one;
    for (const name of names) {
      const left = (this.busy.get(name) ?? 1) - 1;
      if (left > 0) this.busy.set(name, left);
      else this.busy.delete(name);
    }
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

/** Tells which commands are about something that many of them wait for. */
function hotAmong(waiting: readonly { readonly names: readonly string[] }[]) {
  if (waiting.length < HOT) return () => false;
  const counts = new Map<string, number>();
  for (const { names } of waiting) for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return ({ names }: { readonly names: readonly string[] }): boolean =>
    names.some(name => (counts.get(name) ?? 0) >= HOT);
}

/**
 * Names the things about which commands go one after another: an account of the caller's program, or the program.
 * Another program has other accounts under the same ids, and what a customer may not name counts for nobody.
 */
function namesOf(targets: readonly LockTarget[]): string[] {
  return targets.flatMap(({ accountId, caller, isHidden }) => (isHidden ? [] : [`${caller.program}\n${accountId}`]));
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
