import { useRef } from 'react';

/** What a form asked for, and has had no answer to yet. */
interface Order {
  readonly key: string;
  readonly variables: string;
}

/** Sends a mutation with this context, which has the key of the order. */
type Send = (context: { readonly idempotencyKey: string }) => Promise<unknown>;

/**
 * Sends the mutation of a form. Whoever presses the button again after no answer came sends the same order, so it has
 * the same key: it is done once. Gives whether it was done; the `error` of the mutation says why not.
 */
export function useOrder(): (variables: object, send: Send) => Promise<boolean> {
  const pending = useRef<Order | null>(null);
  return async (variables, send) => {
    const sent = JSON.stringify(variables);
    if (pending.current?.variables !== sent) pending.current = { key: crypto.randomUUID(), variables: sent };
    try {
      await send({ idempotencyKey: pending.current.key });
    } catch {
      return false;
    }
    pending.current = null;
    return true;
  };
}
