import { ApolloClient, ApolloLink, HttpLink } from '@apollo/client';
import { SetContextLink } from '@apollo/client/link/context';
import { RetryLink } from '@apollo/client/link/retry';
import type { GraphQLCodegenDataMasking } from '@apollo/client/masking';
import { OperationTypeNode } from 'graphql';
import { cache } from './cache.js';
import { passingErrors, pauseMs, worthAnotherAttempt } from './retries.js';

/** How long one attempt may take. The gateway gives up an operation after 10 s. */
const ATTEMPT_TIMEOUT_MS = 15_000;

declare module '@apollo/client' {
  interface DefaultContext {
    /**
     * The key under which a mutation is done once. Each mutation gets one of its own, which all attempts at it have.
     * Give one to what may be sent again by another call, such as an order that outlives this process.
     */
    idempotencyKey?: string;
  }
  /** The types of fragments are masked, as what a query gives is. */
  interface TypeOverrides extends GraphQLCodegenDataMasking.TypeOverrides {}
}

/** Gives a token that holds; `refused` is one that did not. */
export type Tokens = (refused?: string) => Promise<string>;

/**
 * A client of the gateway at `url`. What fails and may pass is sent again: queries as they are, mutations under their
 * key.
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
    dataMasking: true,
    link: ApolloLink.from([
      new ApolloLink((operation, forward) => {
        if (operation.operationType === OperationTypeNode.MUTATION) {
          operation.setContext(({ idempotencyKey = crypto.randomUUID() }) => ({ idempotencyKey }));
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
