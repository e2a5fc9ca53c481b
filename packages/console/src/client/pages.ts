import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './changes.js';
import { send, type Operation } from './graphql.js';
import { asProblem, isAbort, type Problem } from './problem.js';

export interface Page<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: {
    readonly hasNextPage?: boolean;
    readonly endCursor?: string | null;
    readonly hasPreviousPage?: boolean;
    readonly startCursor?: string | null;
  };
  readonly totalCount?: number;
}

/**
 * The arguments of a page: the first elements of a connection, or the last ones. An operation takes these as variables.
 */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}

export interface Pages<Node> {
  readonly nodes: readonly Node[];
  /** Undefined until the first page is there, or if the operation does not ask for it. */
  readonly totalCount: number | undefined;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  readonly problem: Problem | undefined;
  readonly more: () => void;
  readonly reload: () => void;
  /** Asks for the list from its beginning, up to `MAX_SAVED` elements. Throws a `Problem`. */
  readonly all: () => Promise<{ readonly nodes: readonly Node[]; readonly isWhole: boolean }>;
}

/** A file has no more elements of a list. */
export const MAX_SAVED = 10_000;

interface State<Node> {
  readonly of: string;
  readonly nodes: readonly Node[];
  readonly totalCount: number | undefined;
  readonly cursor: string | null;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem: Problem | undefined;
}

const PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 100;

/** A list that grows page by page. With `fromEnd` it begins at the end of the list and shows it turned round. */
export function usePages<Result, Variables extends PageArguments, Node>(
  operation: Operation<Result, Variables>,
  variables: Omit<Variables, keyof PageArguments>,
  connectionOf: (result: Result) => Page<Node> | null | undefined,
  { fromEnd = false, size = PAGE_SIZE }: { readonly fromEnd?: boolean; readonly size?: number } = {},
): Pages<Node> {
  const of = JSON.stringify([variables, fromEnd]);
  const [kept, setState] = useState<State<Node>>(() => emptyList(of));
  const state = kept.of === of ? kept : emptyList<Node>(of);
  const latest = useRef(state);
  latest.current = state;
  const running = useRef<AbortController>(null);

  const pageAt = useCallback(
    async (cursor: string | null, count: number, signal?: AbortSignal) => {
      const page: PageArguments = fromEnd ? { last: count, before: cursor } : { first: count, after: cursor };
      return connectionOf(await send(operation, { ...variables, ...page } as Variables, { signal }));
    },
    [operation, of],
  );

  const ask = useCallback(
    (cursor: string | null, count: number) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setState(last => ({ ...(last.of === of ? last : emptyList<Node>(of)), isLoading: true, problem: undefined }));
      pageAt(cursor, count, controller.signal).then(
        page => setState(last => grown(last, page, { cursor, fromEnd })),
        (error: unknown) => {
          if (!isAbort(error)) setState(last => ({ ...last, isLoading: false, problem: asProblem(error) }));
        },
      );
    },
    [pageAt],
  );

  useEffect(() => {
    ask(null, size);
    return () => running.current?.abort();
  }, [ask]);

  // As much as is shown is asked for again, so that nothing jumps.
  const reload = useCallback(() => {
    ask(null, Math.min(MAX_PAGE_SIZE, Math.max(size, latest.current.nodes.length)));
  }, [ask]);
  useChanges(reload);

  const more = useCallback(() => {
    const { isLoading, hasMore, cursor } = latest.current;
    if (!isLoading && hasMore) ask(cursor, size);
  }, [ask]);

  const all = useCallback(async () => {
    let list = emptyList<Node>(of);
    do {
      const { cursor } = list;
      list = grown(list, await pageAt(cursor, MAX_PAGE_SIZE), { cursor, fromEnd });
    } while (list.hasMore && list.nodes.length < MAX_SAVED);
    return { nodes: list.nodes, isWhole: !list.hasMore };
  }, [pageAt]);

  return { ...state, more, reload, all };
}

function emptyList<Node>(of: string): State<Node> {
  const nodes: readonly Node[] = [];
  return { of, nodes, totalCount: undefined, cursor: null, hasMore: false, isLoading: true, problem: undefined };
}

function grown<Node>(
  last: State<Node>,
  page: Page<Node> | null | undefined,
  { cursor, fromEnd }: { readonly cursor: string | null; readonly fromEnd: boolean },
): State<Node> {
  const added = fromEnd ? [...(page?.nodes ?? [])].reverse() : (page?.nodes ?? []);
  const info = page?.pageInfo;
  return {
    of: last.of,
    nodes: cursor === null ? added : [...last.nodes, ...added],
    totalCount: page?.totalCount ?? last.totalCount,
    cursor: (fromEnd ? info?.startCursor : info?.endCursor) ?? null,
    hasMore: (fromEnd ? info?.hasPreviousPage : info?.hasNextPage) ?? false,
    isLoading: false,
    problem: undefined,
  };
}
