import type { PlaceLimits, TallyOrder } from './limits.js';
import type { MetricsSnapshot } from './process-group.js';

/** A question of a worker to the primary; each is answered. */
export type Question =
  | { readonly kind: 'hello' }
  | { readonly kind: 'areAllReady' }
  | {
      readonly kind: 'add';
      readonly name: string;
      readonly order: TallyOrder;
      readonly key: string;
      readonly uses: number;
    }
  | { readonly kind: 'take'; readonly name: string; readonly limits: PlaceLimits; readonly client: string }
  | { readonly kind: 'snapshots' };

export type WorkerMessage =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'giveBack'; readonly name: string; readonly client: string }
  | { readonly kind: 'snapshot'; readonly id: number; readonly snapshot: MetricsSnapshot }
  | { readonly kind: 'ready'; readonly url: string }
  | { readonly kind: 'leaving'; readonly snapshot: MetricsSnapshot };

export type PrimaryMessage =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'collect'; readonly id: number }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** `replaced`: others go on serving, so no balancer has to notice. */
export type StopReason = 'SIGINT' | 'SIGTERM' | 'replaced';
