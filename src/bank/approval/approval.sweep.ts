import { onceAMinute } from '../../platform/command/sweep.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { ApprovalService } from './approval.service.js';

/** Once a minute ends the approvals that were not decided in time, until the function that it gives is called. */
export function sweepLateApprovals(approvals: ApprovalService, log: Logger): () => Promise<void> {
  return onceAMinute(async () => {
    try {
      const ended = await approvals.expireLate();
      if (ended > 0) log.info({ ended }, 'approvals expired');
    } catch (error) {
      log.warn({ err: error }, 'approvals whose time is over could not be ended; the next sweep tries again');
    }
  });
}
