import type { Caller } from '../../shared/caller.js';
import type { Json } from '../../shared/json.js';
import type { Database } from '../database/orm.js';
import { inParts, type Asking, type Transacting } from '../database/transaction.js';
import type { Asked, EventFacts } from './command.js';
import { IdempotencyKeyReused, refusalOfRecord } from './command.errors.js';
import type { CommandWatch } from './counted.js';
import { KEY_WAIT_MS, type Found, type IdempotencyRecords } from './idempotency-record.js';
import { KeyQueue } from './key-queue.js';
import { recording } from './recording.js';

/** What a command about a program does that asks the database step by step. */
export interface StepwiseWork<Input, Result> {
  /** Works in parts of one transaction. What it throws is refused, and nothing of it is kept. */
  run(transacting: Transacting, caller: Caller, input: Input): Promise<Result>;
  event(result: Result, input: Input): EventFacts;
}

interface StepwiseKind {
  readonly name: string;
  readonly work: StepwiseWork<never, unknown>;
}

type Settled = { readonly result: unknown; readonly replayed: boolean };

/** Runs stepwise commands: their effects, the event and the key with the result are one transaction. */
export class StepwiseRunner {
  private readonly keyQueue = new KeyQueue();

  /** `lock` locks the programs of commands until the transaction ends. */
  constructor(
    private readonly database: Database,
    private readonly records: IdempotencyRecords,
    private readonly lock: (transaction: Asking, asked: readonly Asked<unknown>[], waits: boolean) => Promise<unknown>,
    private readonly watch: Pick<CommandWatch, 'committed'>,
  ) {}

  /**
   * Runs a command once for each idempotency key. Throws `IdempotencyKeyReused`, `IdempotencyInProgress`, or what the
   * work throws. A dry run has the same result and keeps nothing; it has no key.
   */
  async run(kind: StepwiseKind, caller: Caller, input: object, dryRun: boolean): Promise<unknown> {
    const { database, records } = this;
    if (dryRun) return inParts(database, true, transacting => kind.work.run(transacting, caller, input as never));
    const { idempotency } = caller;
    if (!idempotency) return (await this.once(kind, caller, input, null)).result;
    const keyHash = records.hashOf(caller, idempotency);
    const settled = await this.keyQueue.run(keyHash.toString('hex'), KEY_WAIT_MS, () =>
      this.once(kind, caller, input, keyHash),
    );
    idempotency.outcomes.push(settled.replayed ? 'replayed' : 'first');
    return settled.result;
  }

  private async once(kind: StepwiseKind, caller: Caller, input: object, keyHash: Buffer | null): Promise<Settled> {
    const { name, work } = kind;
    const { records } = this;
    const settled = await inParts(this.database, false, async (transacting): Promise<Settled> => {
      const found = await transacting(async (transaction): Promise<Found | null> => {
        await records.lock(transaction, [keyHash], true);
        await this.lock(transaction, [{ caller, accountId: '', input }], true);
        const [record] = await records.find(transaction, [keyHash], ['']);
        return record ?? null;
      });
      if (keyHash && found && !found.isExpired) {
        const outcome = records.outcomeIn(found.sealed, keyHash, name, input);
        if (!outcome) throw new IdempotencyKeyReused();
        if ('refusal' in outcome) throw refusalOfRecord(outcome.refusal);
        return { result: outcome.result, replayed: true };
      }
      const result = await work.run(transacting, caller, input as never);
      const event = { ...work.event(result, input as never), by: caller, action: name, accountId: null };
      const record = keyHash && records.sealedOutcome(keyHash, name, input, { result: result as Json });
      const kept = keyHash && record ? [{ keyHash, program: caller.program, accountId: '', record }] : [];
      await transacting(async transaction => {
        await transaction.runAll(recording([event]));
        const isExpired = found?.isExpired ?? false;
        for (const query of kept.length > 0 ? records.adding(kept.map(one => ({ ...one, isExpired }))) : []) {
          await transaction.run(query);
        }
      });
      return { result, replayed: false };
    });
    if (!settled.replayed) this.watch.committed();
    return settled;
  }
}
