import type { IncomingMessage } from 'node:http';
import { exactRouter, refuseOtherMethods } from './exact-router.js';
import { readJson } from './body.js';
import { callerOf, exchangeOf } from './exchange.js';
import { READ_UNITS, type Gate } from './gate.js';
import { METADATA_PATH } from './proof-of-possession.js';
import type { PublicAddress } from './public-address.js';
import { JSON_TYPE, sendText } from './send.js';
import type { Router } from 'express';
import type { Caller } from '../../shared/caller.js';

/** A request of an endpoint, from a caller with an access token who was charged for one read. */
export interface EndpointRequest {
  readonly caller: Caller;
  /** The request itself, of which the body was read. */
  readonly message: IncomingMessage;
  /** The body, as JSON. */
  readonly body: unknown;
}

export interface EndpointAnswer {
  readonly status: number;
  /** JSON in UTF-8, unless `type` says otherwise; empty for none. */
  readonly body: string;
  readonly type?: string;
}

/** An address of its own at which a noun answers JSON that is sent by POST, besides those of REST and GraphQL. */
export interface HttpEndpoint {
  /** Such as `/mcp`. It is exact. */
  readonly path: `/${string}`;
  /** The scopes that its metadata names, which clients ask for (RFC 9728, 2). */
  readonly scopes: readonly string[];
  /** Answers a request. A refusal that it throws is answered as a problem. */
  answer(request: EndpointRequest): Promise<EndpointAnswer>;
}

/** Routes to an endpoint, behind the gate. A challenge names the metadata of the endpoint (RFC 9728, 5.1). */
export function endpointRouter(endpoint: HttpEndpoint, gate: Gate, address: PublicAddress): Router {
  const { path } = endpoint;
  const router = exactRouter();
  router.post(path, async (req, res) => {
    const exchange = exchangeOf(req);
    exchange.metadataUrl = `${address.originOf(exchange)}${METADATA_PATH}${path}`;
    await gate.admit(exchange, READ_UNITS);
    const request = { caller: callerOf(req), message: req, body: await readJson(req) };
    const { status, body, type } = await endpoint.answer(request);
    const headers = type === undefined ? JSON_TYPE : { 'Content-Type': type };
    if (body === '') res.status(status).end();
    else await sendText(exchange, status, headers, body);
  });
  return refuseOtherMethods(router);
}
