import { Unavailable } from '../../shared/errors.js';
import { ref } from '../input/json-schema.js';
import type { Described, Header, Operation } from '../openapi/operation.js';
import { oneOf, record } from '../openapi/schema.js';
import { Overloaded } from '../overload/overload.js';
import { RouteNotFound, Stopping } from './problem.js';

const ok = { 'application/json': { schema: ref('Health'), example: { status: 'ok' } } };
const operator = { tag: 'Operators', method: 'get', mayBeOverloaded: false } as const;

const health: readonly Operation[] = [
  {
    ...{ ...operator, id: 'isAlive', path: '/livez', summary: 'Is the process alive?' },
    description: 'Restart the process where this is not answered.',
    answers: { 200: { description: 'It is.', content: ok } },
  },
  {
    ...{ ...operator, id: 'isReady', path: '/readyz', summary: 'Can it do its work?' },
    description: 'Send requests elsewhere while this is 503.',
    answers: { 200: { description: 'It can.', content: ok } },
    refusals: () => [
      new Stopping(),
      new Unavailable('The database is busy or away. Try again; with an idempotency key nothing happens twice.'),
      new Overloaded(),
    ],
  },
];

const metrics: Operation = {
  ...{ ...operator, id: 'getMetrics', path: '/metrics', summary: 'Figures for Prometheus' },
  description:
    'In the text format of Prometheus. To whom it is not shown it is 404: all without `METRICS_TOKEN`, or where that is not set, all from elsewhere than the machine itself.',
  security: [{ metricsToken: [] }, {}],
  answers: {
    200: {
      description: 'The figures.',
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
    description: 'Ask each time whether it is still the same.',
    required: true,
    schema: { type: 'string', enum: ['no-cache'] },
  },
};

const document: Operation = {
  ...{ id: 'getOpenApi', method: 'get', path: '/openapi.json', tag: 'Operators', summary: 'This document' },
  description: 'What you read: OpenAPI 3.1.',
  parameters: [
    {
      ...{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } },
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
            ...{ type: 'object', description: 'An OpenAPI document.', required: ['openapi', 'info', 'paths'] },
            additionalProperties: true,
            properties: {
              openapi: { type: 'string', description: 'The version of OpenAPI.', pattern: String.raw`^3\.1\.` },
              info: { type: 'object', description: 'What is described.' },
              paths: { type: 'object', description: 'What can be asked for.' },
            },
          },
          example: { openapi: '3.1.1', info: { title: 'Tillgate', version: '0.1.0' }, paths: {} },
        },
      },
    },
    304: { description: 'It is the one that If-None-Match names.', headers: unchanged },
  },
};

/** What the server itself answers. */
export function serverApi({ hasMetrics }: { hasMetrics: boolean }): Described {
  return {
    tags: [{ name: 'Operators', description: 'For those who run the gateway, and for tools.' }],
    schemas: { Health: record('All is well.', { status: oneOf(['ok'], 'Always ok.') }) },
    operations: [...health, ...(hasMetrics ? [metrics] : []), document],
  };
}
