import { onceAnHour, type Logger } from 'tillgate/noun';
import { RetentionUnavailable, type RetentionService } from './retention.service.js';
import { RetentionTally } from './retention.tally.js';

/**
 * Deletes accounts whose time is over, once an hour, until the function that it gives is called, which waits for the
 * account that is being deleted. Of several processes one deletes each account.
 */
export function sweepRetention(retention: RetentionService, log: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const end = onceAnHour(() => sweep(retention, stopping.signal, log));
  return async () => {
    stopping.abort();
    await end();
  };
}

async function sweep(retention: RetentionService, stop: AbortSignal, log: Logger): Promise<void> {
  if (stop.aborted) return;
  const tally = new RetentionTally();
  try {
    await retention.run({ program: null, isCheck: false, stop, tally });
  } catch (error) {
    const level = error instanceof RetentionUnavailable ? 'debug' : 'warn';
    log[level]({ err: error }, 'accounts whose time is over could not be deleted; the next hour tries again');
  }
  for (const { program, accounts, customersErased, leftCount } of tally.programs) {
    log.info({ program, accounts, customersErased, leftCount }, 'accounts whose time is over were deleted');
  }
}
