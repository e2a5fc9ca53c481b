import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller, Scope } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Json } from '../../shared/json.js';
import type { Database } from '../database/orm.js';
import { isLockTimeout, isRetryable } from '../database/pg-errors.js';
import { IdempotencyInProgress, IdempotencyKeyReused, RecordedRefusal } from './command.errors.js';
import { KEY_WAIT_MS, type IdempotencyRecords, type Outcome } from './idempotency-record.js';
import { Turns } from './turns.js';

/** How often a transaction is run when others get in its way (deadlock, serialization failure). */
const MAX_ATTEMPTS = 4;

export interface Command<Result> {
  /** A noun and a verb, for example `beneficiary.add`. The same through both doors. */
  readonly name: string;
  readonly scope: Scope;
  /** What is asked for, in a form that does not depend on the door. Decides whether a retry is the same request. */
  readonly input: Json;
  readonly accountId: string;
  /** Throws unless the caller may still see what the command is about. Runs before a recorded result is shown again. */
  authorise(em: EntityManager): Promise<void>;
  /** What the event says of the change: which object, and plain facts without personal data. */
  event(result: Result): { object: string; data: Json };
}

/**
 * The one way to change anything. The effect, its event and the idempotency key with the result are one transaction, so
 * a crash leaves all of it or nothing, and there is no 'in progress' to clean up.
 */
export class CommandService {
  private readonly turns = new Turns();

  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
  ) {}

  /**
   * Runs `work` once for each idempotency key. What it returns must be plain, masked data (see `Json`): it is recorded,
   * and a retry gets the record. A refusal that it throws is recorded too, after its effects are rolled back.
   * Throws `InsufficientScope`, `IdempotencyKeyReused`, `IdempotencyInProgress`, or what `work` refuses.
   */
  async run<Result>(
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<Result> {
    caller.require(command.scope);
    if (!caller.idempotency) return this.transaction(em => this.perform(em, caller, command, work));

    const { key, outcomes } = caller.idempotency;
    const keyHash = this.records.hashOf(caller, key);
    const { outcome, replayed } = await this.turns.take(keyHash.toString('hex'), KEY_WAIT_MS, () =>
      this.transaction(em => this.once(em, keyHash, caller, command, work)),
    );
    outcomes.push(replayed ? 'replayed' : 'first');
    if ('refusal' in outcome) throw new RecordedRefusal(outcome.refusal);
    return outcome.result as Result;
  }

  private async once<Result>(
    em: EntityManager,
    keyHash: Buffer,
    caller: Caller,
    command: Command<Result>,
    work: (em: EntityManager) => Promise<Result>,
  ): Promise<{ outcome: Outcome; replayed: boolean }> {
    if (!(await this.claim(em, keyHash, caller.program))) {
      const recorded = await this.records.read(em, keyHash, command.name, command.input);
      if (!recorded) throw new IdempotencyKeyReused();
      // 'Not found' tells nothing, so whoever may see nothing any more gets it word by word.
      if (!('refusal' in recorded && recorded.refusal.kind === 'not_found')) await command.authorise(em);
      return { outcome: recorded, replayed: true };
    }
    const outcome = await em
      .transactional(savepoint => this.perform(savepoint, caller, command, work))
      .then((result): Outcome => ({ result: result as Json }), asRecordedRefusal);
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
    const { object, data } = command.event(result);
    await em.flush();
    await em.execute(
      `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data) VALUES (?, ?, ?, ?, ?, ?, ?, ?::jsonb)`,
      [
        caller.program,
        caller.clientId,
        caller.subject,
        caller.requestId,
        command.name,
        command.accountId,
        object,
        JSON.stringify(data),
      ],
    );
    return result;
  }

  private async transaction<T>(work: (em: EntityManager) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.database.em().transactional(em => work(em));
      } catch (error) {
        if (!isRetryable(error) || attempt === MAX_ATTEMPTS) throw error;
        await sleep(Math.random() * 20 * attempt);
      }
    }
  }
}

/** Refusals that the command itself decided are part of its result. Anything else undoes the whole transaction, its key too. */
function asRecordedRefusal(error: unknown): Outcome {
  if (!(error instanceof Refusal) || !['not_found', 'conflict', 'rule_broken'].includes(error.kind)) throw error;
  const { kind, code, message, errors } = error;
  return { refusal: { kind, code, message, ...(errors && { errors }) } };
}
