import type { Gateway } from '../../../../src/app/gateway.js';
import { createLogger } from '../../../../src/platform/logging/logger.js';
import { Results } from '../../src/delivery/results.js';

/** Records that the first of some deliveries failed, by the process of this number, and that it holds the others. */
export async function failFirst(
  { container: { database, keys } }: Gateway,
  holder: number,
  [first = '', ...others]: readonly string[],
): Promise<void> {
  const results = new Results(database, keys, createLogger({ level: 'silent' }));
  results.fail({
    startedMs: Date.now(),
    durationMs: 1,
    httpStatus: 500,
    error: null,
    answer: null,
    deliveryId: first,
    holder,
    pauseMs: 6e4,
    followers: others.slice(0, 1),
    saved: () => undefined,
  });
  await results.hold(others.slice(1).map(deliveryId => ({ deliveryId, holder })));
  await results.flush();
}
