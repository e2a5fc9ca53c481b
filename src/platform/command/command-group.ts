import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from '../../shared/caller.js';
import { Unavailable, type Refusal } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import { outOfTime } from '../database/deadline.js';
import { CommitUnknown, inTwoFlights, type Query } from '../database/flights.js';
import type { Database } from '../database/orm.js';
import { isRetryable, isUniqueViolation } from '../database/pg-errors.js';
import type { Transaction } from '../database/transaction.js';
import { IdempotencyKeyReused } from './command.errors.js';
import { counted, type CountCommand } from './counted.js';
import type { Command } from './command.js';
import type { Found, IdempotencyRecords, Kept } from './idempotency-record.js';
import { outcomeOfRefusal, underKey, type Settled } from './under-key.js';
import type { Turns } from './turns.js';

/** How often a command that runs alone is begun again when others get in its way. */
const MAX_ATTEMPTS = 4;
const GROUP_SIZE = 32;
const GROUPS_IN_FLIGHT = 2;
const MAX_WAITING = 10_000;

/** Which account a command is about, and who gives it. */
export interface Asked {
  readonly accountId: string;
  readonly caller: Caller;
}

/**
 * What the commands of a group do, each step for many accounts in one statement. `Row` is what is written for one command.
 * What reads must send its statements before it waits for any.
 */
export interface GroupWork<Input, Subject, Fact, Result, Row> {
  /** Locks the accounts until the transaction ends, and gives those it got: all that there are if it `waits`, else none that are held elsewhere. */
  lock(transaction: Transaction, asked: readonly Asked[], waits: boolean): Promise<ReadonlySet<string>>;
  /** What each caller sees of the account now that nobody else changes it; null for nothing. */
  see(transaction: Transaction, asked: readonly Asked[]): Promise<readonly (Subject | null)[]>;
  /** What else decides. */
  know(transaction: Transaction, asked: readonly Asked[]): Promise<readonly Fact[]>;
  /** What is done, without doing it. Throws a `Refusal`. */
  decide(subject: Subject, fact: Fact, input: Input): { readonly result: Result; readonly row: Row };
  /** What writes the rows of commands that are done. */
  write(rows: readonly Row[]): Query;
  /** The refusal where a caller sees nothing. */
  readonly notFound: () => Refusal;
}

interface Given<Input, Result> extends Asked {
  readonly command: GroupCommand<Result>;
  readonly input: Input;
  readonly keyHash: Buffer | null;
}

export type GroupCommand<Result> = Omit<Command<Result>, 'authorise'>;

/** What is to become of one command of a group: `alone` where somebody else is in its way. */
type Plan<Result, Row> = 'alone' | { readonly failed: unknown } | Decided<Result, Row>;

interface Decided<Result, Row> extends Settled {
  readonly done?: Done<Result, Row>;
  /** Whether there is a record under the key whose time is over. */
  readonly isExpired?: boolean;
}

interface Done<Result, Row> {
  readonly result: Result;
  readonly row: Row;
}

interface Waiting<Input, Result> {
  readonly given: Given<Input, Result>;
  readonly resolve: (settled: Settled) => void;
  readonly reject: (error: unknown) => void;
  /** Runs what is done for this command alone in the context of its request: its deadline, its trace. */
  readonly inRequest: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

// A group belongs to no single request, so it must not run in the context (log fields, deadline) of the one that came first.
const outsideOfRequests = AsyncLocalStorage.snapshot();

const EVENTS = {
  name: 'events_add',
  text: `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`,
};

/**
 * Commands that come often, such as adding a beneficiary. Those that come while others commit go together in the next transaction, so
 * all of them wait for one COMMIT; each is still decided, recorded and refused by itself. Two round trips whatever their number:
 * BEGIN, the turns of the keys, the locks, what the callers see, what is on record, what decides; then the effects, the events, the
 * keys with the outcomes, COMMIT. When a group is rolled back, its commands run one by one, so no command fails for the sake of another;
 * when nobody knows whether it is, as its connection was lost, each client is told to come again, which is safe with a key.
 */
export class CommandGroup<Input, Subject, Fact, Result, Row> {
  private waiting: Waiting<Input, Result>[] = [];
  /** The accounts of commands that run: the next on the same account is of a later group. */
  private readonly held = new Set<string>();
  private inFlight = 0;
  private isScheduled = false;

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly turns: Turns,
    private readonly count: CountCommand,
    private readonly work: GroupWork<Input, Subject, Fact, Result, Row>,
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
      return Promise.reject(new Unavailable('Too many writes are waiting for the database: try again in a moment.'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ given, resolve, reject, inRequest: AsyncLocalStorage.snapshot() });
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
    for (const one of this.waiting) {
      const { accountId } = one.given;
      const late = one.inRequest(outOfTime);
      if (late) one.reject(late);
      else if (group.length === GROUP_SIZE || this.held.has(accountId)) later.push(one);
      else {
        this.held.add(accountId);
        group.push(one);
      }
    }
    this.waiting = later;
    return group;
  }

  private async runGroup(group: readonly Waiting<Input, Result>[]): Promise<void> {
    const commands = group.map(({ given }) => given);
    const [only] = group.length === 1 ? group : [];
    const inContext = only?.inRequest ?? outsideOfRequests;
    const plans = await inContext(() => this.transact(commands, false)).catch((error: unknown) =>
      group.map((): Plan<Result, Row> => (error instanceof CommitUnknown ? { failed: error } : 'alone')),
    );
    group.forEach((one, index) => {
      const plan = plans[index] ?? 'alone';
      // Nobody waits for this: who waits for somebody else's lock does not keep the next group waiting.
      if (plan === 'alone') void one.inRequest(() => this.runAlone(one));
      else this.settle(one, plan);
    });
  }

  private async runAlone(one: Waiting<Input, Result>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        const [plan] = await this.transact([one.given], true);
        return this.settle(one, plan as Exclude<Plan<Result, Row>, 'alone'>);
      } catch (error) {
        // A key that is there already was taken by another process since we looked: now there is a record.
        const passing = isRetryable(error) || (isUniqueViolation(error) && one.given.keyHash !== null);
        if (!passing || attempt === MAX_ATTEMPTS) return this.settle(one, { failed: error });
        await sleep(Math.random() * 20 * attempt);
      }
    }
  }

  private settle({ given, resolve, reject }: Waiting<Input, Result>, plan: Exclude<Plan<Result, Row>, 'alone'>): void {
    this.held.delete(given.accountId);
    this.schedule();
    if ('failed' in plan) reject(plan.failed);
    else resolve(plan);
  }

  private transact(commands: readonly Given<Input, Result>[], waits: boolean): Promise<readonly Plan<Result, Row>[]> {
    return inTwoFlights(
      this.database,
      async transaction => {
        const hashes = commands.map(({ keyHash }) => keyHash);
        const [turns, locked, seen, records, facts] = await Promise.all([
          this.records.take(transaction, hashes, waits),
          this.work.lock(transaction, commands, waits),
          this.work.see(transaction, commands),
          this.records.find(transaction, hashes),
          this.work.know(transaction, commands),
        ]);
        return commands.map((given, index): Plan<Result, Row> => {
          if (!turns[index] || !(waits || locked.has(given.accountId))) return 'alone';
          return this.plan(given, seen[index] ?? null, records[index] ?? null, facts[index] as Fact);
        });
      },
      plans => this.effects(commands, plans),
    );
  }

  private plan(
    { command, input, keyHash }: Given<Input, Result>,
    subject: Subject | null,
    record: Found | null,
    fact: Fact,
  ): Plan<Result, Row> {
    if (keyHash && record && !record.isExpired) {
      const outcome = this.records.outcomeIn(record.sealed, keyHash, command.name, command.input);
      if (!outcome) return { failed: new IdempotencyKeyReused() };
      // 'Not found' tells nothing, so whoever may see nothing any more gets it word by word.
      const tellsNothing = 'refusal' in outcome && outcome.refusal.kind === 'not_found';
      return subject || tellsNothing ? { outcome, replayed: true } : { failed: this.work.notFound() };
    }
    const isExpired = record?.isExpired ?? false;
    try {
      if (!subject) throw this.work.notFound();
      const done = this.work.decide(subject, fact, input);
      return { outcome: { result: done.result as Json }, replayed: false, done, isExpired };
    } catch (error) {
      return keyHash ? refused(error, isExpired) : { failed: error };
    }
  }

  private effects(commands: readonly Given<Input, Result>[], plans: readonly Plan<Result, Row>[]): Query[] {
    const done: Done<Result, Row>[] = [];
    const events: unknown[][] = [];
    const kept: Kept[] = [];
    commands.forEach((given, index) => {
      const plan = plans[index];
      if (plan === undefined || plan === 'alone' || 'failed' in plan || plan.replayed) return;
      if (given.keyHash) kept.push(keptOf(given, given.keyHash, plan));
      if (!plan.done) return;
      done.push(plan.done);
      events.push(eventOf(given, plan.done.result));
    });
    const queries: Query[] = [];
    if (done.length > 0) {
      queries.push(this.work.write(done.map(({ row }) => row)), { statement: EVENTS, values: columnsOf(events) });
    }
    if (kept.length > 0) queries.push(...this.records.adding(kept));
    return queries;
  }
}

function refused<Result, Row>(error: unknown, isExpired: boolean): Plan<Result, Row> {
  try {
    return { outcome: outcomeOfRefusal(error), replayed: false, isExpired };
  } catch (failed) {
    return { failed };
  }
}

function keptOf<Input, Result, Row>(
  { caller: { program }, command: { name, input } }: Given<Input, Result>,
  keyHash: Buffer,
  { outcome, isExpired = false }: Decided<Result, Row>,
): Kept {
  return { keyHash, program, command: name, input, outcome, isExpired };
}

function eventOf<Result>({ caller, command }: Given<unknown, Result>, result: Result): unknown[] {
  const { object, data } = command.event(result);
  const { program, clientId, subject, requestId } = caller;
  return [program, clientId, subject, requestId, command.name, command.accountId, object, JSON.stringify(data)];
}

/** Rows as one array for each column. */
function columnsOf(rows: readonly unknown[][]): unknown[][] {
  return (rows[0] ?? []).map((_, column) => rows.map(row => row[column]));
}
