import type { WebhookDisabledReason } from '../webhook.entity.js';

/** The counts of deliveries. */
export interface DeliveryCounts {
  attempt(outcome: 'delivered' | 'failed', seconds: number): void;
  /** Final outcomes. */
  delivery(outcome: 'delivered' | 'failed'): void;
  disabled(reason: WebhookDisabledReason): void;
  /** Deliveries that wait, up to a limit, and the age of the oldest in seconds. */
  waiting(count: number, oldestSeconds: number): void;
}

/** For a process without metrics. */
export const NOT_COUNTED: DeliveryCounts = {
  attempt: () => undefined,
  delivery: () => undefined,
  disabled: () => undefined,
  waiting: () => undefined,
};
