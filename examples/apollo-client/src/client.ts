import { ApolloClient, ApolloLink, HttpLink } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { RetryLink } from '@apollo/client/link/retry';
import { OperationTypeNode } from 'graphql';
import { cache } from './cache.js';
import { passingErrors, pauseMs, worthAnotherAttempt } from './retries.js';

/** How long one attempt may take. The gateway gives up an operation after 10 s. */
const ATTEMPT_TIMEOUT_MS = 15_000;

declare module '@apollo/client' {
  interface DefaultContext {
    /**
     * The key under which a mutation is done once. Make it with the order that it belongs to, and keep it until there
     * is an answer.
     */
    idempotencyKey?: string;
  }
}

/** Gives a token that holds; `refused` is one that did not. */
export type Tokens = (refused?: string) => Promise<string>;

/**
 * A client of the gateway at `url`. What can be sent again is: queries as they are, mutations because each has a key,
 * which goes with every attempt at it.
 */
export function createClient(url: string, tokens: Tokens): ApolloClient {
  const headers = new SetContextLink(async ({ headers: others, idempotencyKey, refusedToken }) => {
    const token = await tokens(refusedToken as string | undefined);
    return {
      token,
      headers: {
        ...others,
        authorization: `Bearer ${token}`,
        ...(idempotencyKey && { 'x-idempotency-key': idempotencyKey }),
      },
    };
  });
  const http = new HttpLink({
    uri: `${url}/graphql`,
    fetch: (address, init) => {
      // A subscription has no end. Apollo Client asks for one with this header, and sends nothing else with it.
      const isSubscription = new Headers(init?.headers).get('accept')?.includes('subscriptionSpec') === true;
      const timeout = isSubscription ? [] : [AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)];
      const signals = [...timeout, ...(init?.signal ? [init.signal] : [])];
      return fetch(address, { ...init, redirect: 'error', signal: AbortSignal.any(signals) });
    },
  });
  return new ApolloClient({
    cache: cache(),
    link: ApolloLink.from([
      new ApolloLink((operation, forward) => {
        if (operation.operationType === OperationTypeNode.MUTATION && !operation.getContext().idempotencyKey) {
          throw new TypeError('A mutation needs an idempotency key: context: { idempotencyKey }.');
        }
        return forward(operation);
      }),
      // In this order: each attempt asks for a token, and is looked at before it counts as an answer.
      new RetryLink({ attempts: worthAnotherAttempt, delay: pauseMs }),
      passingErrors(),
      headers,
      http,
    ]),
  });
}
