import { SendFailed, type GuardedClient } from '../../../../lib/guarded-connect/guarded-client.js';
import { TargetRefused } from '../../../../lib/guarded-connect/target.js';
import { headersOf } from '../../../../lib/standard-webhooks/standard-webhooks.js';
import { signersOf, type Endpoint } from './endpoint.js';
import type { Attempt } from './results.js';
import { askedPause } from './schedule.js';

export interface AttemptResult extends Attempt {
  /** The pause that the receiver asks for, in milliseconds; null for none. */
  readonly askedMs: number | null;
}

/** True if the receiver took the event. */
export function isTaken({ httpStatus }: AttemptResult): boolean {
  return httpStatus !== null && httpStatus >= 200 && httpStatus < 300;
}

/** Sends a message to an endpoint, signed for now. null if it was stopped, so that nobody knows what became of it. */
export async function attemptOf(
  client: GuardedClient,
  endpoint: Endpoint,
  { deliveryId, id, body }: { readonly deliveryId: string; readonly id: string; readonly body: Buffer },
  userAgent: string,
  stop: AbortSignal,
): Promise<AttemptResult | null> {
  const startedMs = Date.now();
  const from = performance.now();
  const made = (httpStatus: number | null, error: string | null, retryAfter: string | null, text: string) => ({
    deliveryId,
    startedMs,
    durationMs: Math.round(performance.now() - from),
    httpStatus,
    error,
    answer: text === '' ? null : text,
    askedMs: askedPause(retryAfter, Date.now()),
  });
  const message = { id, timestampSeconds: Math.floor(startedMs / 1000), body };
  const headers = {
    ...headersOf(message, signersOf(endpoint, startedMs)),
    'content-type': 'application/json',
    'user-agent': userAgent,
  };
  try {
    const answer = await client.post(endpoint.url, headers, body, stop);
    return made(answer.status, null, answer.retryAfter, answer.body.toString('utf8'));
  } catch (error) {
    if (error instanceof SendFailed && error.code === 'STOPPED') return null;
    if (error instanceof SendFailed) return made(null, error.code, null, '');
    // The address was taken when the endpoint was made, and settings have changed since.
    if (error instanceof TargetRefused) return made(null, 'ADDRESS_REFUSED', null, '');
    throw error;
  }
}
