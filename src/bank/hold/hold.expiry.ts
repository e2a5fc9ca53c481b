import { setTimeout as sleep } from 'node:timers/promises';
import { gatewayCaller } from '../../platform/command/recording.js';
import type { Logger } from '../../platform/logging/logger.js';
import { HoldEnded } from './hold.errors.js';
import type { DueHold } from './hold.repository.js';
import type { HoldService } from './hold.service.js';
import { EXPIRE_HOLD } from './hold.operations.js';

const EVERY_MS = 500;
/**
 * The number of holds of each program that expire at once, so that no program keeps the others waiting. Further ones
 * follow at once.
 */
const BATCH = 100;

/** Counts about the ends of holds. */
export interface ExpiryCounts {
  /** Holds that could not be ended though their time was over. */
  readonly failed: (holds: number) => void;
}

/**
 * Ends holds whose time is over until the function that it gives is called. Every process does so. What it knows is in
 * the database, so nothing is lost when a process dies, and of several processes that find the same hold one ends it.
 */
export function expireHolds(holds: HoldService, counts: ExpiryCounts, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const loop = (async () => {
    while (!signal.aborted) {
      const ended = await expireDue(holds, counts, log).catch((error: unknown) => {
        counts.failed(1);
        log.warn({ err: error }, 'holds whose time is over could not be read; the next round tries again');
        return 0;
      });
      if (ended < BATCH) await sleep(EVERY_MS, undefined, { signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopping.abort();
    await loop;
  };
}

/** Ends a batch of holds whose time is over. Gives how many it ended. */
async function expireDue(holds: HoldService, counts: ExpiryCounts, log: Logger): Promise<number> {
  const due = await holds.repository.due(BATCH);
  const outcomes = await Promise.allSettled(due.map(one => expire(holds, one)));
  const failures = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  if (failures.length > 0) {
    counts.failed(failures.length);
    log.warn({ err: failures[0], count: failures.length }, 'holds could not be ended; the next round tries again');
  }
  return outcomes.filter(outcome => outcome.status === 'fulfilled' && outcome.value).length;
}

/** False if another process has ended it, or a client. */
async function expire(holds: HoldService, { program, accountId, holdId }: DueHold): Promise<boolean> {
  const caller = gatewayCaller(program, 'holds', { scopes: EXPIRE_HOLD.scopes });
  try {
    await holds.expire(caller, accountId, { holdId });
    return true;
  } catch (error) {
    if (error instanceof HoldEnded) return false;
    throw error;
  }
}
