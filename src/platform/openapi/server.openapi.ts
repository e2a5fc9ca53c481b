import { Unavailable } from '../../shared/errors.js';
import type { JsonSchema } from '../input/json-schema.js';
import { always } from './headers.js';
import { answer, parameter, type Operation, type Part } from './operation.js';
import { list, oneOf, record, text, value } from './schema.js';
import { Overloaded } from '../overload/overload.js';
import type { Scope } from '../../shared/caller.js';
import { PROOF_ALGORITHMS } from '../auth/dpop-proof.js';
import { RouteNotFound, Stopping } from '../http/problem.js';
import { METADATA_PATH } from '../http/proof-of-possession.js';

const operator = { mayBeOverloaded: false } as const;
const OK = { status: 'ok' };
const STATUS = oneOf(['ok'], 'Always ok.');

const health: Part['operations'] = {
  isAlive: {
    ...operator,
    route: 'GET /livez',
    summary: 'Is the process alive?',
    description: 'Restart the process if this request is not answered.',
    answers: { 200: answer('The process is alive.', 'Health', OK) },
  },
  isReady: {
    ...operator,
    route: 'GET /readyz',
    summary: 'Can the process answer requests?',
    description: 'Send requests to another process while the answer is 503.',
    answers: {
      200: answer(
        'The process can answer requests. `jobs` is there while no documents can be issued: requests are answered nevertheless.',
        'Readiness',
        OK,
      ),
    },
    refusals: () => [
      new Stopping(),
      new Unavailable('The database is busy or cannot be reached. Try again with the same idempotency key.'),
      new Overloaded(),
    ],
  },
};

const getMetrics: Operation = {
  ...operator,
  route: 'GET /metrics',
  summary: 'Metrics for Prometheus',
  description:
    'The metrics in the text format of Prometheus. The answer is 404 if the request has no valid `METRICS_TOKEN`. If no `METRICS_TOKEN` is set, the answer is 404 for requests from another machine, and in production for all requests.',
  security: [{ metricsToken: [] }, {}],
  answers: {
    200: {
      description: 'The metrics.',
      content: {
        'text/plain': {
          schema: { type: 'string' },
          example: 'tillgate_requests_total{api="graphql",operation="Balance",status="2xx"} 2\n',
        },
      },
    },
  },
  refusals: () => [new RouteNotFound()],
};

const about = {
  ETag: always('SHA-256 of the document.', { pattern: '^W/"[0-9a-f]{64}"$' }),
  'Cache-Control': always('Revalidate the document before each use.', { enum: ['no-cache'] }),
};

/** A document about the API that changes with a release. */
function documentOf(
  route: Operation['route'],
  summary: string,
  description: string,
  schema: JsonSchema,
  example: object,
): Operation {
  return {
    route,
    summary,
    description,
    parameters: [parameter('header', 'If-None-Match', 'Answers 304 if the document still has this tag.')],
    answers: {
      200: {
        description: 'The document.',
        headers: about,
        content: { 'application/json': { schema: { ...schema, additionalProperties: true }, example } },
      },
      304: { description: 'The document still has the tag in If-None-Match.', headers: about },
    },
  };
}

const getOpenApi = documentOf(
  'GET /openapi.json',
  'This document',
  'This document, in OpenAPI 3.1.',
  record('An OpenAPI document.', {
    openapi: text('The version of OpenAPI.', { pattern: String.raw`^3\.1\.` }),
    info: { type: 'object', description: 'General information about the API.' },
    paths: { type: 'object', description: 'The paths of the API.' },
  }),
  { openapi: '3.1.1', info: { title: 'Tillgate', version: '1.0.0' }, paths: {} },
);

const getEventSchema = documentOf(
  'GET /events.schema.json',
  'The schema of events',
  'The JSON Schema (2020-12) of every type of events, for the feed, webhooks and subscriptions.',
  record('A JSON Schema.', {
    $schema: text('The dialect.', { format: 'uri' }),
    oneOf: list({ type: 'object', description: 'Refers to the schema of a type.' }, 'One schema for each type.', 200),
    $defs: { type: 'object', description: 'The schemas of the types, by their names.' },
  }),
  { $schema: 'https://json-schema.org/draft/2020-12/schema', oneOf: [], $defs: {} },
);

/** RFC 6749, 3.3. */
const SCOPE_TOKEN = String.raw`^[\x21\x23-\x5b\x5d-\x7e]{1,512}$`;

const getProtectedResource: Operation = {
  route: `GET ${METADATA_PATH}`,
  summary: 'Where tokens come from',
  description:
    'The metadata of the gateway as a protected resource (RFC 9728): the authorization server, the scopes, and how tokens are sent and bound.',
  answers: {
    200: answer('The metadata.', 'ProtectedResource', {
      resource: 'https://gateway.bank.example',
      authorization_servers: ['https://login.bank.example/'],
      scopes_supported: ['accounts.read'],
      dpop_signing_alg_values_supported: ['ES256'],
    }),
  },
};

/** The operations that the server itself answers. */
export function serverApi({ hasMetrics, scopes }: { hasMetrics: boolean; scopes: readonly Scope[] }): Part {
  return {
    tag: { name: 'Operators', description: 'The addresses for operators of the gateway, and for tools.' },
    schemas: {
      Health: record('The process is well.', { status: STATUS }),
      Readiness: record(
        'The process answers requests.',
        { status: STATUS, jobs: oneOf(['failing'], 'There while no job can be taken from the queue.') },
        ['jobs'],
      ),
      ProtectedResource: record(
        'The gateway as a protected resource.',
        {
          resource: text('The address of the gateway.', { format: 'uri' }),
          authorization_servers: list(
            text('An issuer.', { format: 'uri' }),
            'Who gives tokens. Absent with the development issuer.',
            1,
          ),
          scopes_supported: list(
            text('A scope.', { pattern: SCOPE_TOKEN }),
            'The scopes as they are asked for.',
            scopes.length,
          ),
          bearer_methods_supported: list(oneOf(['header'], 'In `Authorization`.'), 'How tokens are sent.', 1),
          resource_name: oneOf(['Tillgate'], 'The name for people.'),
          tls_client_certificate_bound_access_tokens: value(
            'Boolean',
            'Whether tokens may be bound to certificates (RFC 8705).',
          ),
          dpop_signing_alg_values_supported: list(
            oneOf(PROOF_ALGORITHMS, 'An algorithm of JWS.'),
            'How DPoP proofs may be signed (RFC 9449). Absent where tokens are not bound to keys.',
            PROOF_ALGORITHMS.length,
          ),
          dpop_bound_access_tokens_required: value('Boolean', 'True if every token must be bound by DPoP.'),
        },
        ['authorization_servers', 'dpop_signing_alg_values_supported'],
      ),
    },
    operations: { ...health, ...(hasMetrics && { getMetrics }), getProtectedResource, getOpenApi, getEventSchema },
  };
}
