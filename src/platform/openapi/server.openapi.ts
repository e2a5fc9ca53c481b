import { Unavailable } from '../../shared/errors.js';
import { ref } from '../input/json-schema.js';
import type { Described, Header, Operation } from './operation.js';
import { oneOf, record } from './schema.js';
import { Overloaded } from '../overload/overload.js';
import { RouteNotFound, Stopping } from '../http/problem.js';

const ok = { 'application/json': { schema: ref('Health'), example: { status: 'ok' } } };
const operator = { tag: 'Operators', method: 'get', mayBeOverloaded: false } as const;

const health: readonly Operation[] = [
  {
    ...operator,
    id: 'isAlive',
    path: '/livez',
    summary: 'Is the process alive?',
    description: 'Restart the process if this request is not answered.',
    answers: { 200: { description: 'The process is alive.', content: ok } },
  },
  {
    ...operator,
    id: 'isReady',
    path: '/readyz',
    summary: 'Can the process answer requests?',
    description: 'Send requests to another process while the answer is 503.',
    answers: { 200: { description: 'The process can answer requests.', content: ok } },
    refusals: () => [
      new Stopping(),
      new Unavailable('The database is busy or cannot be reached. Try again with the same idempotency key.'),
      new Overloaded(),
    ],
  },
];

const metrics: Operation = {
  ...operator,
  id: 'getMetrics',
  path: '/metrics',
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
          example: 'tillgate_requests_total{door="graphql",operation="Balance",status="2xx"} 2\n',
        },
      },
    },
  },
  refusals: () => [new RouteNotFound()],
};

const unchanged: Readonly<Record<string, Header>> = {
  ETag: {
    description: 'SHA-256 of the document.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[0-9a-f]{64}"$' },
  },
  'Cache-Control': {
    description: 'Revalidate the document before each use.',
    required: true,
    schema: { type: 'string', enum: ['no-cache'] },
  },
};

const document: Operation = {
  id: 'getOpenApi',
  method: 'get',
  path: '/openapi.json',
  tag: 'Operators',
  summary: 'This document',
  description: 'This document, in OpenAPI 3.1.',
  parameters: [
    {
      name: 'If-None-Match',
      in: 'header',
      schema: { type: 'string' },
      description: 'Answers 304 if the document still has this tag.',
    },
  ],
  answers: {
    200: {
      description: 'The document.',
      headers: unchanged,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            description: 'An OpenAPI document.',
            required: ['openapi', 'info', 'paths'],
            additionalProperties: true,
            properties: {
              openapi: { type: 'string', description: 'The version of OpenAPI.', pattern: String.raw`^3\.1\.` },
              info: { type: 'object', description: 'General information about the API.' },
              paths: { type: 'object', description: 'The paths of the API.' },
            },
          },
          example: { openapi: '3.1.1', info: { title: 'Tillgate', version: '0.1.0' }, paths: {} },
        },
      },
    },
    304: { description: 'The document still has the tag in If-None-Match.', headers: unchanged },
  },
};

/** What the server itself answers. */
export function serverApi({ hasMetrics }: { hasMetrics: boolean }): Described {
  return {
    tags: [{ name: 'Operators', description: 'For operators of the gateway, and for tools.' }],
    schemas: { Health: record('The process is well.', { status: oneOf(['ok'], 'Always ok.') }) },
    operations: [...health, ...(hasMetrics ? [metrics] : []), document],
  };
}
