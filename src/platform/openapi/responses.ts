import { STATUS_CODES } from 'node:http';
import type { Refusal } from '../../shared/errors.js';
import { challenges, problemDetails } from '../http/problem.js';
import { CHALLENGE, COMMON_HEADERS, RATE_LIMIT, RETRY_AFTER } from './headers.js';
import type { FullOperation } from './operation.js';
import { EXAMPLE_REQUEST_ID, problemContent, refusalsByStatus } from './refusals.js';
import type { ResponseObject } from './shared-parts.js';

/** Refusals of a write that are recorded under its key, and come back as they were. */
const RECORDED = new Set([404, 409, 412]);

/** A 401 has no headers of rate limits: the client whose units they would count is unknown. */
const UNAUTHORIZED = 401;

/** Every answer of an operation, by status. */
export function responsesOf(operation: FullOperation): Record<string, ResponseObject> {
  const responses: Record<string, ResponseObject> = {};
  for (const [status, { description, headers, content }] of Object.entries(operation.answers)) {
    responses[status] = {
      description,
      headers: { ...common(operation, true), ...headers },
      ...(content && { content }),
    };
  }
  for (const [status, refusals] of refusalsByStatus(operation)) {
    const response = refused(operation, status, refusals);
    const other = responses[status];
    responses[status] = other ? both(other, response) : response;
  }
  return responses;
}

/** The token route answers 400 in two ways: as OAuth does, and as every other route. */
function both(one: ResponseObject, other: ResponseObject): ResponseObject {
  return {
    description: `${one.description}\n\n${other.description}`,
    ...(one.headers && { headers: one.headers }),
    content: { ...one.content, ...other.content },
  };
}

function refused(operation: FullOperation, status: number, refusals: readonly Refusal[]): ResponseObject {
  const headers: Record<string, object> = {
    ...common(operation, RECORDED.has(status), status !== UNAUTHORIZED),
    ...operation.refusalHeaders?.[status],
  };
  const challenging = refusals.filter(challenges).length;
  if (challenging > 0) headers['WWW-Authenticate'] = { ...CHALLENGE, required: challenging === refusals.length };
  const passing = refusals.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined).length;
  if (passing > 0) headers['Retry-After'] = { ...RETRY_AFTER, required: passing === refusals.length };
  const codes = [...new Set(refusals.map(({ code }) => code))];
  return {
    description: `${STATUS_CODES[status]}: ${codes.map(code => `\`${code}\``).join(', ')}.`,
    headers,
    content: problemContent(status, codes),
  };
}

/** The meanings of codes and what to do, with an example, by the code. Responses refer to them. */
export function problemExamples(operations: readonly FullOperation[]): Readonly<Record<string, object>> {
  const examples: Record<string, object> = {};
  for (const operation of operations) {
    for (const refusal of [...refusalsByStatus(operation).values()].flat()) {
      const {
        code,
        problem: [, meaning, remedy],
      } = refusal;
      examples[code] ??= {
        summary: meaning,
        description: remedy,
        value: problemDetails(refusal, instanceOf(operation), EXAMPLE_REQUEST_ID),
      };
    }
  }
  return examples;
}

function common({ of, method }: FullOperation, mayBeReplayed: boolean, isClientKnown = true): Record<string, object> {
  const names = Object.keys(COMMON_HEADERS).filter(name => {
    if (name === 'Idempotent-Replayed') return of && method !== 'get' && mayBeReplayed;
    if (name in RATE_LIMIT) return of && isClientKnown;
    return of !== undefined || name !== 'Tillgate-Position';
  });
  return Object.fromEntries(names.map(name => [name, COMMON_HEADERS[name] as object]));
}

/** A path as it may be asked for: the examples in place of its parameters. */
function instanceOf({ path, parameters }: FullOperation): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => String(parameters.find(other => other.name === name)?.example));
}
