import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { useRef } from 'react';

/** What a form asked for, and has had no answer to yet. */
interface Order {
  readonly key: string;
  readonly variables: string;
}

/**
 * A mutation for a form. Whoever presses the button again after no answer came sends the same order, so it has the same
 * key: it is done once. Gives whether it was done; `error` says why not.
 */
export function useWrite<Data, Variables extends OperationVariables>(mutation: TypedDocumentNode<Data, Variables>) {
  const [mutate, { error, loading }] = useMutation<Data, OperationVariables>(mutation);
  const pending = useRef<Order | null>(null);

  async function write(variables: Variables): Promise<boolean> {
    const sent = JSON.stringify(variables);
    if (pending.current?.variables !== sent) pending.current = { key: crypto.randomUUID(), variables: sent };
    try {
      await mutate({ variables, context: { idempotencyKey: pending.current.key } });
    } catch {
      return false;
    }
    pending.current = null;
    return true;
  }
  return { write, error, loading };
}
