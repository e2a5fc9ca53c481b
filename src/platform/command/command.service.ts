import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../../shared/caller.js';
import type { Json } from '../../shared/json.js';
import { attempt } from '../database/retry.js';
import type { Database } from '../database/orm.js';
import { isLockTimeout, isRetryable } from '../../../lib/pg-wire/pg-errors.js';
import type { Command } from './command.js';
import { counted, type CountCommand } from './counted.js';
import { IdempotencyInProgress, IdempotencyKeyReused } from './command.errors.js';
import { EVENT_COLUMNS, eventValues } from './command-event.js';
import { CommandGroup } from './command-group.js';
import type { GroupWork } from './group-work.js';
import type { IdempotencyRecords } from './idempotency-record.js';
import { outcomeOf, tellsNothing, underKey, type Settled } from './under-key.js';
import { KeyQueue } from './key-queue.js';

/** How often a transaction is run when others get in its way (deadlock, serialization failure). */
const ATTEMPTS = { most: 4, pauseMs: 20 };

/**
 * The one way to change anything. The effect, its event and the idempotency key with the result are one transaction, so
 * a crash leaves all of it or nothing, and there is no 'in progress' to clean up.
 */
export class CommandService {
  private readonly turns = new KeyQueue();

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly count: CountCommand = () => undefined,
  ) {}

  /**
   * Runs `work` once for each idempotency key. What it returns must be plain, masked data (see `Json`): it is recorded,
   * and a retry gets the record. A refusal that it throws is recorded too, after its effects are rolled back.
   * Throws what `Caller.require` throws, `IdempotencyKeyReused`, `IdempotencyInProgress`, or what `work` refuses.
   */
  async run<Result>(
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    return counted(this.count, caller, command.name, async () => {
      caller.require(command.scope);
      return underKey<Result>(caller, this.records, this.turns, keyHash =>
        this.transaction(async em => {
          if (keyHash) return this.once(em, keyHash, caller, command, work);
          return { outcome: { result: (await this.perform(em, caller, command, work)) as Json }, replayed: false };
        }),
      );
    });
  }

  /** Commands that come often, and run together when several come at the same time. */
  group<Input, Subject, Fact, Result, Draft>(
    work: GroupWork<Input, Subject, Fact, Result, Draft>,
  ): CommandGroup<Input, Subject, Fact, Result, Draft> {
    return new CommandGroup(this.database, this.records, this.turns, this.count, work);
  }

  private async once<Result>(
    em: EntityManager,
    keyHash: Buffer,
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Settled> {
    if (!(await this.claim(em, keyHash, caller.program))) {
      const recorded = await this.records.read(em, keyHash, command.name, command.input);
      if (!recorded) throw new IdempotencyKeyReused();
      if (!tellsNothing(recorded)) await command.authorise(em);
      return { outcome: recorded, replayed: true };
    }
    const outcome = await outcomeOf(() =>
      em.transactional(savepoint => this.perform(savepoint, caller, command, work)),
    );
    await this.records.fill(em, keyHash, command.name, command.input, outcome);
    return { outcome, replayed: false };
  }

  private async claim(em: EntityManager, keyHash: Buffer, program: string): Promise<boolean> {
    try {
      return await this.records.claim(em, keyHash, program);
    } catch (error) {
      throw isLockTimeout(error) ? new IdempotencyInProgress() : error;
    }
  }

  private async perform<Result>(
    em: EntityManager,
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    const result = await work(em);
    const event = eventValues(caller, command, result);
    await em.flush();
    await em.execute(`INSERT INTO event (${EVENT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb)`, event);
    return result;
  }

  private transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    return attempt(ATTEMPTS, isRetryable, () => this.database.em().transactional(em => work(em)));
  }
}
