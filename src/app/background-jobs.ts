import type { Config } from './config.js';
import type { SessionService } from '../console/session.service.js';
import type { Container } from './container.js';
import type { Logger } from '../platform/logging/logger.js';
import { readManifest } from '../platform/manifest.js';
import type { Metrics } from '../platform/metrics/metrics.js';
import type { ProcessGroup } from '../platform/workers/process-group.js';
import { takePartInIssuing } from '../statement/issue/issuing.js';
import { beginUpkeep } from './upkeep.js';
import { takePartInDelivering } from '../webhook/delivery/delivering.js';
import { NOT_COUNTED } from '../webhook/delivery/delivery-counts.js';

interface WorkParts {
  readonly sessions: SessionService;
  readonly metrics: Metrics | null;
  readonly together: ProcessGroup;
  readonly log: Logger;
}

/** What one process does for all that serve behind the same port. Gives functions that end it. */
export async function startBackgroundJobs(
  container: Container,
  config: Config,
  { sessions, metrics, together, log }: WorkParts,
): Promise<(() => Promise<void>)[]> {
  if (!together.leads) return [];
  return [
    await deliverWebhooks(container, config, metrics, log),
    beginUpkeep({ ...container, sessions, metrics, log }),
    await takePartInIssuing({
      ...container,
      vault: container.statementVault,
      log,
      monthly: config.closeMonthly,
      // Requests come first: one batch at a time, drawn by the one thread for documents.
      concurrency: 1,
      threads: container.documentThreads,
    }),
  ];
}

/** Gives a function that ends it. */
async function deliverWebhooks(
  container: Container,
  { webhooks }: Config,
  metrics: Metrics | null,
  log: Logger,
): Promise<() => Promise<void>> {
  if (!webhooks.takesPart) return async () => undefined;
  const { feed, types } = container.feed;
  return takePartInDelivering({
    ...container,
    ...webhooks,
    types,
    log,
    head: () => feed.head,
    giveUp: (endpoint, reason) => container.webhooks.giveUp(endpoint, reason),
    guard: container.webhookGuard,
    version: readManifest().version,
    counts: metrics?.deliveries ?? NOT_COUNTED,
  });
}
