import { onceAMinute } from '../../platform/command/sweep.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { SessionService } from './session.service.js';

/** Deletes the rows of sessions that are long over, until the function it gives is called. */
export function sweepSessions(sessions: SessionService, log: Logger): () => Promise<void> {
  return onceAMinute(async () => {
    try {
      const deleted = await sessions.sweep();
      if (deleted > 0) log.info({ deleted }, 'ended sessions of the console were deleted');
    } catch (error) {
      log.warn({ err: error }, 'ended sessions of the console could not be deleted; the next sweep tries again');
    }
  });
}
