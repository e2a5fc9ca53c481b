import type { IncomingMessage } from 'node:http';
import type { ApolloServerPlugin } from '@apollo/server';
import type { RequestHandler } from 'express';
import { Caller, type Idempotency } from '../../shared/caller.js';
import { MalformedRequest } from '../../shared/errors.js';
import type { Context } from '../graphql/context.js';
import { callerOf, exchangeOf, type Exchange } from '../http/exchange.js';
import { callerWithReason } from './agent-reason.js';

/** The longest idempotency key. */
export const MAX_KEY_BYTES = 1024;

/**
 * The characters that HTTP allows in the value of a header (RFC 9110, section 5.5). Node.js gives each byte as one
 * character and removes the white space around the value. The bytes are not decoded: keys are equal if their bytes are
 * equal.
 */
const KEY = new RegExp(String.raw`^[\t\x20-\x7e\x80-\xff]{1,${MAX_KEY_BYTES}}$`);

/** A string in a structured field (RFC 9651, section 3.3.3): in quotes, and a backslash before each quote in it. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;

/** The key is empty, or too long. */
export class BadIdempotencyKey extends MalformedRequest {
  constructor() {
    super(`The idempotency key must have 1 to ${MAX_KEY_BYTES} bytes.`);
  }
}

/**
 * Gives the caller of a REST request its idempotency key, and an agent the reason that it states. It must run behind the
 * gate. Throws `MalformedRequest`.
 */
export function idempotencyMiddleware(): RequestHandler {
  return (request, _response, next) => {
    const exchange = exchangeOf(request);
    exchange.caller = callerWithKey(callerOf(request), exchange);
    next();
  };
}

/** Gives the caller of a GraphQL operation its idempotency key, and an agent its reason. Refuses malformed ones. */
export function idempotencyPlugin(): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      didResolveOperation: async ({ contextValue: context }) => {
        context.exchange.caller = context.caller = callerWithKey(context.caller, context.exchange);
      },
    }),
  };
}

/** The caller with what the headers of the request say about its writes. Throws `MalformedRequest`. */
function callerWithKey(caller: Caller, { request }: Exchange): Caller {
  const idempotency = idempotencyOf(request);
  return callerWithReason(idempotency ? new Caller(caller, caller.requestId, idempotency) : caller, request);
}

function idempotencyOf({ headers, headersDistinct }: IncomingMessage): Idempotency | null {
  if (headers['x-idempotency-key'] === undefined && headers['idempotency-key'] === undefined) return null;
  const [usual, alias] = [headersDistinct['x-idempotency-key'] ?? [], headersDistinct['idempotency-key'] ?? []];
  // Several lines of one header are joined with commas elsewhere, and such a text would be a key as well.
  if (usual.length > 1 || alias.length > 1) {
    throw new MalformedRequest('The idempotency key must be sent only once. Remove the repeated header.');
  }
  const [key = '', other = key] = [...usual, ...alias.map(contentOf)];
  if (key !== other) {
    throw new MalformedRequest('X-Idempotency-Key and Idempotency-Key have different values. Send only one of them.');
  }
  if (!KEY.test(key)) throw new BadIdempotencyKey();
  return { key, place: null, outcomes: [] };
}

/**
 * The content of a quoted text: `Idempotency-Key` has its key in quotes (draft-ietf-httpapi-idempotency-key-header),
 * and many clients send it without. Any other text is taken as it is.
 */
function contentOf(text: string): string {
  return QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, '$1') ?? text;
}
