import { forgetPosition, lastPosition, notePosition, POSITION_HEADER } from './position.js';
import { Problem, isAbort, isSignedOut, type GraphqlError } from './problem.js';

/** A document that the build has generated: the gateway has its text, and the page has its hash. */
export interface Operation<Result, Variables> {
  readonly __apiType?: (variables: Variables) => Result;
}

export interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** With the same key, a repeated mutation is done once, and gets the same answer. */
  readonly key?: string;
  /** Under which the gateway logs and records it; one of its own when absent. */
  readonly requestId?: string;
}

interface Answer<Result> {
  readonly data?: Result | null;
  readonly errors?: readonly GraphqlError[];
}

/** The time to wait for an answer. The gateway gives up sooner. */
const ANSWER_MS = 30_000;
/**
 * A field that is refused has a path this long, such as `account.cards`. Deeper ones are null, and the screen says so.
 */
const REFUSED_DEPTH = 2;

const listeners = new Set<() => void>();

/** Calls back when the gateway says that nobody is signed in. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function tellSignedOut(): void {
  for (const listener of listeners) listener();
}

/** Sends an operation. Throws a `Problem`, or what `signal` was aborted with. */
export async function send<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { signal, key, requestId }: SendOptions = {},
): Promise<Result> {
  const timeout = AbortSignal.timeout(ANSWER_MS);
  const response = await post(operation, variables, {
    headers: {
      accept: 'application/json',
      ...(key !== undefined && { 'idempotency-key': key }),
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    },
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
  });
  return resultOf(response, await bodyOf<Answer<Result>>(response));
}

export async function post<Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { headers, signal }: { readonly headers: Record<string, string>; readonly signal: AbortSignal },
): Promise<Response> {
  const { hash } = (operation as { readonly __meta__: { readonly hash: string } }).__meta__;
  const body = JSON.stringify({ variables, extensions: { persistedQuery: { version: 1, sha256Hash: hash } } });
  const position = lastPosition();
  try {
    const response = await fetch('/console/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(position && { [POSITION_HEADER]: position }), ...headers },
      body,
      signal,
    });
    if (response.status === 400) forgetPosition();
    notePosition(response.headers.get(POSITION_HEADER));
    return response;
  } catch (error) {
    throw unansweredUnlessLeft(error);
  }
}

async function bodyOf<Body>(response: Response): Promise<Body> {
  try {
    return (await response.json()) as Body;
  } catch (error) {
    throw unansweredUnlessLeft(error);
  }
}

function unansweredUnlessLeft(error: unknown): unknown {
  return isAbort(error) ? error : new Problem('The gateway did not answer.', { code: 'NO_ANSWER' });
}

function resultOf<Result>(response: Response, { data, errors = [] }: Answer<Result>): Result {
  const requestId = response.headers.get('x-request-id');
  const refused = errors.find(error => data == null || !error.path || error.path.length <= REFUSED_DEPTH);
  if (response.status === 401 || isSignedOut(refused?.extensions?.code)) tellSignedOut();
  if (refused) throw Problem.of(refused, requestId);
  if (data == null) {
    throw new Problem(`The gateway answered with status ${response.status}.`, { code: 'INTERNAL_ERROR' }, requestId);
  }
  return data;
}
