import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Caller } from '../../shared/caller.js';
import { Unavailable } from '../../shared/errors.js';
import { attempt } from '../database/retry.js';
import { outOfTime } from '../database/deadline.js';
import { CommitUnknown, inTwoRoundTrips } from '../database/transaction.js';
import type { Database } from '../database/orm.js';
import { isRetryable, isUniqueViolation } from '../../../lib/pg-wire/pg-errors.js';
import { KeyTable } from '../../../lib/collections/in-progress.js';
import { counted, type CountCommand } from './counted.js';
import { effectsOf, planOf, preparationOf, type Given, type Plan, type Preparation } from './group-plan.js';
import type { GroupCommand, GroupWork } from './group-work.js';
import type { IdempotencyRecords } from './idempotency-record.js';
import type { KeyQueue } from './key-queue.js';
import { underKey, type Settled } from './under-key.js';

/** How often a command that runs alone is begun again when others get in its way. */
const ATTEMPTS = { most: 4, pauseMs: 20 };
/**
 * What waits is shared out among the groups that may be in flight: in one group all requests would wait for the database together, and then
 * the database for all of them. Smaller groups than the small one would save no time.
 */
const GROUPS_IN_FLIGHT = 3;
const SMALL_GROUP = 16;
const LARGE_GROUP = 32;
const MAX_WAITING = 10_000;

/** What a command is told that is in somebody's way: to run alone, and to wait. */
const ALONE = 'alone';

interface Waiting<Input, Result> {
  readonly given: Given<Input, Result>;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
  /** The context of its request, for what is done for this command alone: its deadline, its trace. */
  readonly request: AsyncResource;
}

// A group belongs to no single request, so it must not run in the context (log fields, deadline) of the one that came first.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/**
 * Commands that come often, such as adding a beneficiary. Those that come while others commit go together in the next transaction, so
 * all of them wait for one COMMIT; each is still decided, recorded and refused by itself. Two round trips whatever their number:
 * BEGIN, the turns of the keys, the locks with what the callers see, what is on record, what decides; then the effects, the events, the
 * keys with the outcomes, COMMIT. When a group is rolled back, its commands run one by one, so no command fails for the sake of another;
 * when nobody knows whether it is, as its connection was lost, each client is told to come again, which is safe with a key.
 */
export class CommandGroup<Input, Subject, Fact, Result, Draft> {
  private waiting: Waiting<Input, Result>[] = [];
  /** The accounts of commands that run: the next on the same account is of a later group. */
  private readonly held = new KeyTable<true>();
  private inFlight = 0;
  private isScheduled = false;

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly turns: KeyQueue,
    private readonly count: CountCommand,
    private readonly work: GroupWork<Input, Subject, Fact, Result, Draft>,
  ) {}

  /** As `CommandService.run`. */
  async run(caller: Caller, command: GroupCommand<Result>, input: Input): Promise<Result> {
    const { accountId } = command;
    return counted(this.count, caller, command.name, async () => {
      caller.require(command.scope);
      return underKey<Result>(caller, this.records, this.turns, keyHash =>
        this.join({ caller, command, accountId, input, keyHash }),
      );
    });
  }

  private join(given: Given<Input, Result>): Promise<Settled> {
    if (this.waiting.length >= MAX_WAITING) {
      return Promise.reject(new Unavailable('Too many writes are waiting for the database. Try again in a moment.'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ given, resolve, reject, request: new AsyncResource('Command') });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.inFlight >= GROUPS_IN_FLIGHT) return;
    this.isScheduled = true;
    // After the input that has already arrived: its commands still join the group.
    setImmediate(outsideOfRequests, () => {
      this.isScheduled = false;
      const group = this.nextGroup();
      if (group.length === 0) return;
      this.inFlight += 1;
      void this.runGroup(group).finally(() => {
        this.inFlight -= 1;
        this.schedule();
      });
      this.schedule();
    });
  }

  private nextGroup(): Waiting<Input, Result>[] {
    const group: Waiting<Input, Result>[] = [];
    const later: Waiting<Input, Result>[] = [];
    const share = Math.ceil(this.waiting.length / (GROUPS_IN_FLIGHT - this.inFlight));
    const size = Math.min(Math.max(share, SMALL_GROUP), LARGE_GROUP);
    for (const one of this.waiting) {
      const { accountId } = one.given;
      const late = one.request.runInAsyncScope(outOfTime);
      if (late) one.reject(late);
      else if (group.length === size || this.held.get(accountId)) later.push(one);
      else {
        this.held.set(accountId, true);
        group.push(one);
      }
    }
    this.waiting = later;
    return group;
  }

  private async runGroup(group: readonly Waiting<Input, Result>[]): Promise<void> {
    const commands = group.map(({ given }) => given);
    const [only] = group.length === 1 ? group : [];
    const run = () => this.transact(commands, false);
    const plans = await (only ? only.request.runInAsyncScope(run) : outsideOfRequests(run)).catch((error: unknown) =>
      group.map(() => (error instanceof CommitUnknown ? { failed: error } : ALONE)),
    );
    group.forEach((one, index) => {
      const plan = plans[index] ?? ALONE;
      // Nobody waits for this: who waits for somebody else's lock does not keep the next group waiting.
      if (plan === ALONE) void one.request.runInAsyncScope(() => this.runAlone(one));
      else this.settle(one, plan);
    });
  }

  private async runAlone(one: Waiting<Input, Result>): Promise<void> {
    // A key that is there already was taken by another process since we looked: now there is a record.
    const passes = (error: unknown): boolean =>
      isRetryable(error) || (isUniqueViolation(error) && one.given.keyHash !== null);
    const plans = await attempt(ATTEMPTS, passes, () => this.transact([one.given], true)).catch((failed: unknown) => [
      { failed },
    ]);
    this.settle(one, plans[0] as Plan<Fact, Result, Draft>);
  }

  private settle({ given, resolve, reject }: Waiting<Input, Result>, plan: Plan<Fact, Result, Draft>): void {
    this.held.delete(given.accountId);
    this.schedule();
    if ('failed' in plan) reject(plan.failed);
    else resolve(plan);
  }

  private transact(
    commands: readonly Given<Input, Result>[],
    waits: boolean,
  ): Promise<readonly (Plan<Fact, Result, Draft> | typeof ALONE)[]> {
    const { work, records } = this;
    return inTwoRoundTrips(
      this.database,
      async transaction => {
        const hashes = commands.map(({ keyHash }) => keyHash);
        const reading = Promise.all([
          records.take(transaction, hashes, waits),
          work.lock(transaction, commands, waits),
          records.find(transaction, hashes),
          work.know(transaction, commands),
        ]);
        // By then they have left, and the server works on them.
        await Promise.resolve();
        const preparations = commands.map(given => preparationOf(work, records, given));
        const [turns, seen, found, facts] = await reading;
        return commands.map((given, index) => {
          const [subject, record, fact] = [seen[index] ?? null, found[index] ?? null, facts[index] as Fact];
          if (!turns[index] || !(waits || subject)) return ALONE;
          const preparation = preparations[index] as Preparation<Result, Draft>;
          return planOf(work, records, given, { preparation, subject, record, fact });
        });
      },
      plans =>
        effectsOf(
          work,
          records,
          commands.flatMap((given, index) => {
            const plan = plans[index] ?? ALONE;
            return plan === ALONE ? [] : [{ given, plan }];
          }),
        ),
    );
  }
}
