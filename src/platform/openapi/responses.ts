import type { Refusal } from '../../shared/errors.js';
import { PROBLEMS } from '../../shared/problems.js';
import { challenges } from '../http/problem.js';
import { ANSWERED_REQUEST_ID, CACHE_CONTROL, CHALLENGE, RATE_LIMIT, REPLAYED, RETRY_AFTER } from './headers.js';
import type { Answer, Header, Operation } from './operation.js';
import { problemContent, refusalsByStatus } from './refusals.js';
import { STATUS_CODES } from 'node:http';

export const COMMON_HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': ANSWERED_REQUEST_ID,
  'Cache-Control': CACHE_CONTROL,
  ...RATE_LIMIT,
  'Idempotent-Replayed': REPLAYED,
};

/** Refusals of a write that are recorded under its key, and come back as they were. */
const RECORDED = new Set([404, 409]);

/** What every operation behind the gate may refuse, alike for all of them. */
const ALIKE = new Map(
  [401, 414, 429, 500, 503].map(status => [status, (STATUS_CODES[status] ?? '').replace(/\W/g, '')] as const),
);
const ANY: Operation = {
  ...{ id: 'any', tag: 'any', summary: '', description: '', scope: 'transactions.read' },
  ...{ method: 'get', path: '/accounts/demo-1001/transactions', answers: {} },
};

/** Answers that operations have in common, by the names under which they are referred to. */
export function sharedResponses(): object {
  const refusals = refusalsByStatus(ANY);
  return Object.fromEntries(
    [...ALIKE].map(([status, name]) => [name, refusal(ANY, status, refusals.get(status) ?? [])]),
  );
}

/** Every answer of an operation, by status. */
export function responsesOf(operation: Operation): object {
  const answers = Object.entries(operation.answers).map(([status, answer]) => [status, granted(operation, answer)]);
  const refused = [...refusalsByStatus(operation)].map(([status, refusals]) => [
    String(status),
    operation.scope && ALIKE.has(status)
      ? { $ref: `#/components/responses/${ALIKE.get(status)}` }
      : refusal(operation, status, refusals),
  ]);
  return mergedByStatus([...answers, ...refused] as [string, DescribedResponse][]);
}

function granted(operation: Operation, { description, headers, content }: Answer): object {
  return {
    description,
    headers: { ...common(operation, true), ...headers },
    ...(content && { content }),
  };
}

function refusal(operation: Operation, status: number, refusals: readonly Refusal[]): object {
  const headers: Record<string, unknown> = {
    ...common(operation, RECORDED.has(status)),
    ...operation.refusalHeaders?.[status],
  };
  const challenging = refusals.filter(challenges);
  if (challenging.length > 0) {
    headers['WWW-Authenticate'] = { ...CHALLENGE, required: challenging.length === refusals.length };
  }
  const passing = refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  if (passing.length > 0) headers['Retry-After'] = { ...RETRY_AFTER, required: passing.length === refusals.length };
  return {
    description: `${STATUS_CODES[status]}.\n\n${refusals.map(explanation).filter(isFirst).join('\n')}`,
    headers,
    content: problemContent(status, refusals, instanceOf(operation)),
  };
}

/** A code with what the table of codes says of it, as an item of a list in Markdown. */
function explanation({ code }: Refusal): string {
  const [, meaning, remedy] = PROBLEMS[code];
  return `- \`${code}\`: ${meaning} ${remedy}`;
}

function common({ scope, method }: Operation, mayBeReplayed: boolean): Record<string, unknown> {
  const names = Object.keys(COMMON_HEADERS).filter(name => {
    if (name === 'Idempotent-Replayed') return scope && method !== 'get' && mayBeReplayed;
    return scope || !(name in RATE_LIMIT);
  });
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
}

/** A path as it may be asked for: the examples in place of its parameters. */
function instanceOf({ path, parameters = [] }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => String(parameters.find(other => other.name === name)?.example));
}

interface DescribedResponse {
  readonly description?: string;
  readonly content?: object;
}

/** The token route answers 400 in two ways: as OAuth does, and as everything else here. */
function mergedByStatus(responses: readonly [string, DescribedResponse][]): object {
  const merged: Record<string, DescribedResponse> = {};
  for (const [status, response] of responses) {
    const other = merged[status];
    merged[status] = other
      ? {
          ...response,
          ...other,
          description: `${other.description}\n\n${response.description}`,
          content: { ...other.content, ...response.content },
        }
      : response;
  }
  return merged;
}

function isFirst<Item>(item: Item, index: number, all: readonly Item[]): boolean {
  return all.indexOf(item) === index;
}
