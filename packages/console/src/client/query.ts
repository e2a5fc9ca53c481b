import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './changes.js';
import { send, type Operation } from './graphql.js';
import { asProblem, isAbort, type Problem } from './problem.js';

/** The state of a question: its answer so far. While it is asked again, the last answer stays. */
export interface Query<Result> {
  readonly data: Result | undefined;
  readonly problem: Problem | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
}

interface State<Result> {
  readonly of: string;
  readonly data?: Result | undefined;
  readonly problem?: Problem | undefined;
  readonly isLoading: boolean;
}

/**
 * Asks when the screen appears, when the variables change and when something changed. `null` in place of variables asks
 * nothing.
 */
export function useQuery<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables | null,
): Query<Result> {
  const of = JSON.stringify(variables);
  const [state, setState] = useState<State<Result>>({ of, isLoading: variables !== null });
  const running = useRef<AbortController>(null);

  const ask = useCallback(() => {
    running.current?.abort();
    if (variables === null) return;
    const controller = new AbortController();
    running.current = controller;
    setState(last => ({ of, data: last.of === of ? last.data : undefined, isLoading: true }));
    send(operation, variables, { signal: controller.signal }).then(
      data => setState({ of, data, isLoading: false }),
      (error: unknown) => {
        if (isAbort(error)) return;
        setState(last => ({ of, data: last.data, problem: asProblem(error), isLoading: false }));
      },
    );
  }, [operation, of]);

  useEffect(() => {
    ask();
    return () => running.current?.abort();
  }, [ask]);
  useChanges(ask);

  // The answer to earlier variables is not shown for a moment as if it were one to these.
  const isCurrent = state.of === of;
  return {
    data: isCurrent ? state.data : undefined,
    problem: isCurrent ? state.problem : undefined,
    isLoading: isCurrent ? state.isLoading : variables !== null,
    reload: ask,
  };
}
