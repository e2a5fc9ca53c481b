import type { IncomingMessage } from 'node:http';
import { HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import { InvalidInput } from '../../shared/errors.js';
import { BadPosition } from '../database/position.js';
import { valueOfJson } from '../input/read-input.js';
import { mediaTypeOf } from './answer.js';
import type { Context } from './context.js';

/** A request of GraphQL over HTTP. Nothing says yet whether it is well-formed. */
export interface GraphqlRequest {
  /** The body of a POST or QUERY, or the content of the address of a GET; undefined for an address that is malformed. */
  readonly body: unknown;
  /** The query of the address, which Apollo refuses where it is malformed. */
  readonly search: string;
}

const TEXTS = ['query', 'operationName'];
const OBJECTS = ['variables', 'extensions'];

/** Reads the request that the address of a GET makes. Throws `InvalidInput` where an object has a name twice. */
export function readAddress(search: string): GraphqlRequest {
  const parameters = new URLSearchParams(search);
  const body: Record<string, unknown> = {};
  for (const name of [...TEXTS, ...OBJECTS]) {
    const [value, another] = parameters.getAll(name);
    if (value === undefined) continue;
    if (another !== undefined) return { body: undefined, search };
    const read = TEXTS.includes(name) ? value : objectIn(name, value);
    if (read === undefined) return { body: undefined, search };
    body[name] = read;
  }
  return { body, search };
}

/** The object that a parameter has as JSON; undefined where it is something else. */
function objectIn(name: string, json: string): object | undefined {
  try {
    const value = valueOfJson(Buffer.from(json));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch (error) {
    if (error instanceof InvalidInput) throw error.under(`/${name}`);
    return undefined;
  }
}

/** The media type of a body. */
export const BODY_TYPE = 'application/json';

/** True for a request whose address has everything. */
export function isInAddress({ method }: Pick<IncomingMessage, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** True for a request that can only read: a mutation by GET or QUERY (RFC 10008) is refused with 405. */
export function onlyReads(request: Pick<IncomingMessage, 'method'>): boolean {
  return isInAddress(request) || request.method === 'QUERY';
}

/**
 * Headers that no page of a foreign origin can send without asking first, so a GET with one of them is of a program or
 * of a page that may. An access token is never sent by a browser itself.
 */
export const SAFE_HEADERS = ['authorization', 'apollo-require-preflight', 'x-apollo-operation-name'];

/** True for a GET that may open a stream: Apollo Server asks the same of a GET that it answers. */
export function isSafeGet({ headers }: IncomingMessage): boolean {
  return headers['content-type'] === undefined && SAFE_HEADERS.some(name => (headers[name]?.length ?? 0) > 0);
}

export function toApollo(
  request: IncomingMessage,
  { body, search }: GraphqlRequest,
  opening: Context['opening'],
): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  // Errors before a stream begins are told as JSON, whether or not the client thought of it.
  if (opening && mediaTypeOf(request) === null) headers.set('accept', 'application/json');
  // Apollo knows no QUERY. What may be asked by it, `refuseMisplaced` says.
  if (!isInAddress(request)) return { method: 'POST', headers, search, body };
  if (opening && body !== undefined) {
    // Apollo takes queries alone by GET. What may be asked by GET as a stream, `refuseMisplaced` says.
    headers.set('content-type', BODY_TYPE);
    return { method: 'POST', headers, search: '', body };
  }
  // Node.js leaves out the body of the response to a HEAD.
  return { method: 'GET', headers, search, body: undefined };
}

/** The position in the extensions of a request. */
export function positionsIn({ body }: GraphqlRequest): string[] {
  const request = Object(body) as { extensions?: { position?: unknown } | null };
  const position = request.extensions?.position ?? null;
  if (position === null) return [];
  if (typeof position !== 'string') throw new BadPosition();
  return [position];
}
