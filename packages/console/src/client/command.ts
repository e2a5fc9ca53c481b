import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { tellChanged } from './changes.js';
import { send, type Operation } from './graphql.js';
import { asProblem, type Problem } from './problem.js';
import { keepWaiting } from './waiting.js';

export interface Command<Result, Variables> {
  /** Sends the mutation; null if it was refused, and `problem` says why. A second call while it runs does nothing. */
  readonly run: (variables: Variables) => Promise<Result | null>;
  readonly isBusy: boolean;
  readonly problem: Problem | undefined;
  /** Returns the problem of the value at this pointer, such as `/input/amount`. */
  readonly errorAt: (pointer: string) => string | undefined;
}

/**
 * A mutation with an idempotency key of its own, so that a double click and a retry do it once. After an answer that
 * says for certain that nothing was done, the next attempt is another request and gets another key.
 */
export function useCommand<Result, Variables>(operation: Operation<Result, Variables>): Command<Result, Variables> {
  const key = useRef<string | null>(null);
  const isRunning = useRef(false);
  const isGone = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => () => void (isGone.current = true), []);

  const run = useCallback(
    async (variables: Variables): Promise<Result | null> => {
      if (isRunning.current) return null;
      isRunning.current = true;
      setBusy(true);
      const sent = (key.current ??= crypto.randomUUID());
      try {
        const result = await send(operation, variables, { key: sent });
        key.current = null;
        tellChanged();
        return result;
      } catch (error) {
        const refused = asProblem(error);
        const isWaiting = refused.code === 'APPROVAL_REQUIRED';
        const { approvalId } = refused.extensions;
        if (isWaiting && approvalId) keepWaiting(approvalId, operation, variables, sent);
        if (isWaiting) tellChanged();
        else if (!refused.isUncertain) key.current = null;
        if (!isGone.current) setProblem(refused);
        return null;
      } finally {
        isRunning.current = false;
        if (!isGone.current) setBusy(false);
      }
    },
    [operation],
  );

  const errorAt = (pointer: string): string | undefined =>
    problem?.extensions.errors?.find(error => error.pointer === pointer)?.detail;
  return { run, isBusy, problem, errorAt };
}
