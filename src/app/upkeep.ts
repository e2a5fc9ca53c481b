import { sweepLateApprovals } from '../approval/approval.sweep.js';
import type { SessionService } from '../console/session.service.js';
import { sweepSessions } from '../console/session.sweep.js';
import { expireHolds } from '../hold/hold.expiry.js';
import { sweepExpiredKeys } from '../platform/command/sweep.js';
import type { Logger } from '../platform/logging/logger.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { Container } from './container.js';

interface UpkeepParts extends Pick<Container, 'database' | 'approvals' | 'holds'> {
  readonly sessions: SessionService;
  readonly metrics: Metrics | null;
  readonly log: Logger;
}

/** Ends and deletes what is over, every minute or so. Gives a function that stops it and waits for what runs. */
export function beginUpkeep({ database, approvals, holds, sessions, metrics, log }: UpkeepParts): () => Promise<void> {
  const stops = [
    sweepExpiredKeys(database, log),
    sweepLateApprovals(approvals, log),
    sweepSessions(sessions, log),
    expireHolds(holds, { failed: count => metrics?.countHoldsNotEnded(count) }, log),
  ];
  return async () => {
    for (const stop of stops) await stop();
  };
}
