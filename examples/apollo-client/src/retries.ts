import { ApolloLink, CombinedGraphQLErrors, ServerError, type ErrorLike } from '@apollo/client';
import { OperationTypeNode } from 'graphql';
import { map } from 'rxjs';

const MAX_ATTEMPTS = 6;
/** The first pause is up to this, each other up to twice as long, up to the longest. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 8000;
/** Of answers that are none of GraphQL: from something in between, such as a proxy. */
const PASSING_STATUSES = [408, 429, 500, 502, 503, 504];
const PASSING_CODES = [
  'RATE_LIMITED',
  'OVERLOADED',
  'UNAVAILABLE',
  'TIMED_OUT',
  'INTERNAL_ERROR',
  'IDEMPOTENCY_IN_PROGRESS',
];

/** What was refused: `code` says the same for as long as the API lives, `errors` names every bad field. */
export interface Refused {
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
}

/** What an error of Apollo Client says of refusals; nothing where there was no answer of the gateway. */
export function refusalsIn(error: unknown): Refused[] {
  if (!CombinedGraphQLErrors.is(error)) return [];
  return error.errors.map(({ extensions }) => extensions as unknown as Refused);
}

/** Refusals come as answers, which RetryLink would let through: those that may pass are thrown, for it to catch. */
export function passingErrors(): ApolloLink {
  return new ApolloLink((operation, forward) =>
    forward(operation).pipe(
      map(result => {
        const error = result.errors ? new CombinedGraphQLErrors(result) : null;
        if (error && (isPassing(error) || isTokenRefused(error))) throw error;
        return result;
      }),
    ),
  );
}

export function worthAnotherAttempt(attempt: number, operation: ApolloLink.Operation, error: ErrorLike): boolean {
  if (attempt >= MAX_ATTEMPTS) return false;
  // Who subscribes again has a cursor, and an operation that is sent once more would have the old one.
  if (operation.operationType === OperationTypeNode.SUBSCRIPTION) return false;
  if (!isTokenRefused(error)) return isPassing(error);
  const { token, refusedToken } = operation.getContext();
  // Once: a new token that is refused as well will not get better.
  if (refusedToken) return false;
  operation.setContext({ refusedToken: token as string });
  return true;
}

/**
 * Any pause up to the longest of this attempt, so that clients that failed together do not come again together; after
 * `Retry-After`.
 */
export function pauseMs(attempt: number, operation: ApolloLink.Operation): number {
  const response = operation.getContext().response as Response | undefined;
  const asked = Number(response?.headers.get('retry-after') ?? 0);
  const jitter = Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return (Number.isFinite(asked) ? asked * 1000 : 0) + jitter;
}

function isTokenRefused(error: ErrorLike): boolean {
  return refusalsIn(error).some(({ code }) => code === 'UNAUTHENTICATED');
}

function isPassing(error: ErrorLike): boolean {
  if (ServerError.is(error)) return PASSING_STATUSES.includes(error.statusCode);
  if (CombinedGraphQLErrors.is(error)) return refusalsIn(error).some(({ code }) => PASSING_CODES.includes(code));
  // No answer, half of one, or none in time.
  return true;
}
