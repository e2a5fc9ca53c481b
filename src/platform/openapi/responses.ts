import { STATUS_CODES } from 'node:http';
import type { Refusal } from '../../shared/errors.js';
import { PROBLEMS } from '../../shared/problems.js';
import { challenges } from '../http/problem.js';
import { CHALLENGE, COMMON_HEADERS, RATE_LIMIT, RETRY_AFTER } from './headers.js';
import type { FullOperation } from './operation.js';
import { problemContent, refusalsByStatus } from './refusals.js';

/** Refusals of a write that are recorded under its key, and come back as they were. */
const RECORDED = new Set([404, 409, 412]);

/** Nobody knows whose units to count where the token is not valid. */
const UNAUTHORIZED = 401;

/** Refusals that are alike for all operations with an access token, by the names of their shared responses. */
const ALIKE = new Map([401, 414, 429, 500, 503].map(status => [status, statusName(status).replace(/\W/g, '')]));
const ANY: FullOperation = {
  method: 'get',
  path: '/accounts/demo-1001/transactions',
  scope: 'transactions.read',
  parameters: [],
  answers: {},
};

interface Response {
  readonly description?: string;
  readonly headers: object;
  readonly content?: object;
}

/** Answers that operations have in common, by the names under which they are referred to. */
export function sharedResponses(): object {
  const refusals = refusalsByStatus(ANY);
  return Object.fromEntries(
    [...ALIKE].map(([status, name]) => [name, refused(ANY, status, refusals.get(status) ?? [])]),
  );
}

/** Every answer of an operation, by status. */
export function responsesOf(operation: FullOperation): object {
  const responses: Record<string, object> = {};
  for (const [status, { description, headers, content }] of Object.entries(operation.answers)) {
    responses[status] = {
      description,
      headers: { ...common(operation, true), ...headers },
      ...(content && { content }),
    };
  }
  for (const [status, refusals] of refusalsByStatus(operation)) {
    const name = operation.scope && ALIKE.get(status);
    const response = name ? { $ref: `#/components/responses/${name}` } : refused(operation, status, refusals);
    const other = responses[status];
    responses[status] = other ? both(other as Response, response as Response) : response;
  }
  return responses;
}

/** The token route answers 400 in two ways: as OAuth does, and as every other route. */
function both(one: Response, other: Response): Response {
  return {
    description: `${one.description}\n\n${other.description}`,
    headers: one.headers,
    content: { ...one.content, ...other.content },
  };
}

function refused(operation: FullOperation, status: number, refusals: readonly Refusal[]): Response {
  const headers: Record<string, unknown> = {
    ...common(operation, RECORDED.has(status), status !== UNAUTHORIZED),
    ...operation.refusalHeaders?.[status],
  };
  const challenging = refusals.filter(challenges).length;
  if (challenging > 0) headers['WWW-Authenticate'] = { ...CHALLENGE, required: challenging === refusals.length };
  const passing = refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined).length;
  if (passing > 0) headers['Retry-After'] = { ...RETRY_AFTER, required: passing === refusals.length };
  const explanations = new Set(refusals.map(explanation));
  return {
    description: `${statusName(status)}.\n\n${[...explanations].join('\n')}`,
    headers,
    content: problemContent(status, refusals, instanceOf(operation)),
  };
}

/** A code with what the table of codes says of it, as an item of a list in Markdown. */
function explanation({ code }: Refusal): string {
  const [, meaning, remedy] = PROBLEMS[code];
  return `- \`${code}\`: ${meaning} ${remedy}`;
}

function common({ scope, method }: FullOperation, mayBeReplayed: boolean, isClientKnown = true): object {
  const names = Object.keys(COMMON_HEADERS).filter(name => {
    if (name === 'Idempotent-Replayed') return scope && method !== 'get' && mayBeReplayed;
    if (name in RATE_LIMIT) return scope && isClientKnown;
    return scope || name !== 'Tillgate-Position';
  });
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A path as it may be asked for: the examples in place of its parameters. */
function instanceOf({ path, parameters }: FullOperation): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => String(parameters.find(other => other.name === name)?.example));
}

function statusName(status: number): string {
  return STATUS_CODES[status] ?? '';
}
