import { InvalidInput, Refusal } from '../../shared/errors.js';
import type { Caller } from '../../shared/caller.js';
import type { Tally, TallyOrder } from '../workers/limits.js';
import type { Denial } from './denial.js';

/**
 * The number of ids of other programs that a client may come upon in a minute. Then it makes nothing with an id of its
 * choice.
 */
export const MAX_FOREIGN_IDS_A_MINUTE = 20;
export const FOREIGN_IDS_WINDOW_MS = 60_000;
const BY_CLIENT: TallyOrder = { windowMs: FOREIGN_IDS_WINDOW_MS, maxKeys: 10_000 };

/** The code in the record of an attempt with an id that belongs to another program. */
export const ID_TAKEN = 'id_taken';

/**
 * An id that a caller chose for something new belongs to another program. It is told as one more id that cannot be
 * used, without the reason.
 */
export class ForeignId extends InvalidInput {
  constructor(
    /** The program whose id it is. Its operators learn of the attempt. */
    readonly program: string,
    pointer: string,
  ) {
    const detail = 'This id cannot be used. Use another one.';
    super('rule_broken', [{ pointer, code: 'unusable_id', detail }]);
  }
}

/** The client came upon too many ids of other programs. */
export class TooManyForeignIds extends Refusal {
  readonly code = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(afterMs: number) {
    super(
      'Too many of the ids that this client chose cannot be used. Nothing was done. Try again after the seconds in Retry-After, with ids that are certain to be new.',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}

/** An attempt to make something under an id of another program. */
export interface ForeignIdAttempt extends Pick<Denial, 'action' | 'accountId'> {
  readonly program: string;
}

/** Keeps clients from finding out which ids other programs use: each attempt is on record there, and there are few. */
export class ForeignIds {
  private readonly tally: Tally;

  constructor(
    together: { tally(name: string, order: TallyOrder): Tally },
    private readonly deny: (denial: Denial) => void,
  ) {
    this.tally = together.tally('ids of other programs', BY_CLIENT);
  }

  /** Makes something under an id that the caller chose. Throws `TooManyForeignIds`, `ForeignId`. */
  async guard<Result>(
    caller: Caller,
    attempt: Pick<Denial, 'action' | 'accountId'>,
    make: () => Promise<Result>,
  ): Promise<Result> {
    await this.pass(caller);
    try {
      return await make();
    } catch (error) {
      if (error instanceof ForeignId) await this.count(caller, [{ ...attempt, program: error.program }]);
      throw error;
    }
  }

  /** Throws `TooManyForeignIds` for a client that has come upon too many. */
  async pass(caller: Caller): Promise<void> {
    const { count, resetMs } = await this.tally.add(keyOf(caller), 0);
    if (count >= MAX_FOREIGN_IDS_A_MINUTE) throw new TooManyForeignIds(resetMs);
  }

  /** Puts attempts on record in the programs whose ids they were, and counts them. */
  async count(caller: Caller, attempts: readonly ForeignIdAttempt[]): Promise<void> {
    if (attempts.length === 0) return;
    for (const attempt of attempts) this.deny({ ...attempt, caller, code: ID_TAKEN });
    await this.tally.add(keyOf(caller), attempts.length);
  }
}

function keyOf({ program, clientId }: Caller): string {
  return JSON.stringify([program, clientId]);
}
