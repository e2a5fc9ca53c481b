import { Refusal } from '../../../shared/errors.js';
import type { ReachedLimit } from '../../workers/limits.js';

/** The gateway, or one of its clients, has as many subscriptions open as it may. */
export class TooManySubscriptions extends Refusal {
  readonly code = 'too_many_subscriptions';
  override readonly retryAfterSeconds = 5;
  constructor(whose: ReachedLimit) {
    super(
      whose === 'client'
        ? 'The client has as many open subscriptions as its limit allows. End some of them, and subscribe again.'
        : 'This gateway has as many open subscriptions as its limit allows. Try again after the seconds in Retry-After.',
    );
  }
}

/** The client does not read its results, and results are not kept for it. */
export class SubscriberTooSlow extends Refusal {
  readonly code = 'subscriber_too_slow';
  constructor() {
    super(
      'The subscription was ended since its client reads too slowly. Subscribe again with the cursor in `extensions.cursor` as `after`.',
    );
  }
}

/** A subscription was sent by a request whose answer is no stream. */
export class StreamRequired extends Refusal {
  readonly code = 'stream_required';
  constructor() {
    super(
      'A subscription is answered with a stream. Send it by POST with `Accept: multipart/mixed; boundary=graphql; subscriptionSpec=1.0, application/json`, or over a WebSocket with the protocol graphql-transport-ws.',
    );
  }
}

/** The WebSocket carries no other operations, since those have headers of their own. */
export class SubscriptionsOnly extends Refusal {
  readonly code = 'subscriptions_only';
  constructor() {
    super('The WebSocket carries subscriptions only. Send queries and mutations by POST.');
  }
}

/** The message to the clients of open subscriptions when the gateway stops. */
export const SHUTTING_DOWN =
  'The process is shutting down. Subscribe again with the cursor in `extensions.cursor` as `after`; another process answers.';
