import type { Operation } from './graphql.js';

/** A request that waits for an approval. The same again, under its key, gets the result once it is approved. */
export interface WaitingRequest {
  readonly operation: Operation<unknown, unknown>;
  readonly variables: unknown;
  readonly key: string;
}

const MAX_KEPT = 50;
/**
 * By the ids of the approvals. For as long as the page is open: a result may hold a secret that must not be stored,
 * such as a secret.
 */
const kept = new Map<string, WaitingRequest>();

export function keepWaiting<Result, Variables>(
  approvalId: string,
  operation: Operation<Result, Variables>,
  variables: Variables,
  key: string,
): void {
  const [oldest] = kept.keys();
  if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(approvalId, { operation: operation as Operation<unknown, unknown>, variables, key });
}

export function waitingRequest(approvalId: string): WaitingRequest | undefined {
  return kept.get(approvalId);
}
