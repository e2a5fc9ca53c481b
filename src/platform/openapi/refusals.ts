import { PROGRAM_WIDE } from '../../shared/caller.js';
import {
  InsufficientScope,
  InternalError,
  InvalidInput,
  NotForAgents,
  ProgramWideOnly,
  STATUS_OF,
  TooLarge,
  TokenMissing,
  Unavailable,
  UnsupportedMediaType,
  type Refusal,
} from '../../shared/errors.js';
import { IdempotencyInProgress, IdempotencyKeyReused } from '../command/command.errors.js';
import { BadIdempotencyKey } from '../command/idempotency-header.js';
import { AddressTooLong, MAX_URL_CHARACTERS } from '../http/problem.js';
import { queryOf } from '../http/query.js';
import { breakableRuleIn } from '../input/input-schema.js';
import { ref, type JsonSchema } from '../input/json-schema.js';
import { readRecord } from '../input/read-input.js';
import { Overloaded } from '../overload/overload.js';
import { RateLimited } from '../rate/rate-limited.js';
import { REQUEST_ID_FORM } from './headers.js';
import type { FullOperation } from './operation.js';
import { list, record, text } from './schema.js';
import type { ResponseObject } from './shared-parts.js';
import { refusalsOfWaiting } from './waiting.js';

export const EXAMPLE_REQUEST_ID = '0d7be1d2-58ad-4c6e-9a39-5f1f6c1f7d20';

/** All that an operation may refuse, the usual things first, by status. */
export function refusalsByStatus(operation: FullOperation): ReadonlyMap<number, readonly Refusal[]> {
  const { of } = operation;
  const refusals = [
    ...usualRefusals(operation),
    ...refusedInputs(operation),
    ...(of?.refusals() ?? []),
    ...(of?.mayWait ? refusalsOfWaiting() : []),
    ...(operation.refusals?.() ?? []),
  ];
  const byStatus = Map.groupBy(refusals, ({ kind }) => STATUS_OF[kind].status);
  return new Map([...byStatus].sort(([one], [other]) => one - other));
}

function usualRefusals({ method, of, body, mayBeOverloaded = true }: FullOperation): Refusal[] {
  const refusals: Refusal[] = [];
  if (of) {
    const { scopes, isProgramWide, isForPeople } = of;
    refusals.push(
      new BadIdempotencyKey(),
      new TokenMissing('https://issuer.example'),
      ...scopes.map(needed => new InsufficientScope(needed)),
    );
    if (isProgramWide || scopes.some(needed => PROGRAM_WIDE.has(needed))) refusals.push(new ProgramWideOnly());
    refusals.push(
      new RateLimited(1000),
      new Unavailable('The database is busy or cannot be reached. Try again with the same idempotency key.'),
    );
    if (method !== 'get' || isForPeople) refusals.push(new NotForAgents());
    if (method !== 'get') refusals.push(new IdempotencyInProgress(), new IdempotencyKeyReused());
  }
  if (body || (of && method === 'post')) {
    const types = body ? Object.keys(body.content) : ['application/json'];
    refusals.push(
      new TooLarge('The body is larger than 1048576 bytes. Send less at once.'),
      new UnsupportedMediaType(`The content type must be ${types.join(' or ')}.`),
    );
  }
  refusals.push(new AddressTooLong(), new InternalError(EXAMPLE_REQUEST_ID));
  if (mayBeOverloaded) refusals.push(new Overloaded());
  return refusals;
}

/** Lists the refusals that follow from the parameters and the body. */
function refusedInputs({ method, of, parameters, query, body }: FullOperation): Refusal[] {
  const refusals: Refusal[] = [];
  // A field and a query parameter that an operation does not know are refused: a misspelt filter would show everything.
  if (of) refusals.push(misspelt({ parameters, body }));
  for (const described of [query, body]) {
    const broken = described?.input && breakableRuleIn(described.input);
    if (broken) refusals.push(new InvalidInput('rule_broken', [broken]));
  }
  const missing = method === 'get' ? parameters.flatMap(({ unknown }) => unknown?.() ?? []) : [];
  return [...refusals, ...missing];
}

/** The refusal of a request with a name that its operation does not know, in the body or else in the query. */
function misspelt({ parameters, body }: Pick<FullOperation, 'parameters' | 'body'>): Refusal {
  const names = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name);
  try {
    if (body?.input) readRecord(body.input, { ...(Object.values(body.content)[0]?.example as object), colour: 'red' });
    else queryOf({ url: '/?colour=red' }, names);
  } catch (error) {
    return error as Refusal;
  }
  throw new Error('A name that no operation has was not refused.');
}

/**
 * The content of an answer that refuses with one of these codes. The examples are components: see `problemExamples`.
 */
export function problemContent(
  status: number,
  codes: readonly Refusal['code'][],
): NonNullable<ResponseObject['content']> {
  const examples = codes.map(code => [code, { $ref: `#/components/examples/${code}` }] as const);
  return {
    'application/problem+json': {
      schema: { allOf: [ref('Problem'), { properties: { status: { const: status }, code: { enum: codes } } }] },
      examples: Object.fromEntries(examples),
    },
  };
}

export const PROBLEM_SCHEMAS: Readonly<Record<string, JsonSchema>> = {
  Problem: record(
    'The reason why a request was refused (RFC 9457). It never repeats values that were sent.',
    {
      type: text('The address of the explanation of the code, relative to the gateway.', {
        format: 'uri-reference',
        pattern: '^/problems#[a-z_]+$',
      }),
      title: text('The meaning of the status, for people.'),
      status: { type: 'integer', description: 'The HTTP status.', minimum: 400, maximum: 599 },
      detail: text('The problem and what to do, for people. The wording may change.'),
      instance: text('The path of the request. Parts that may be personal data are shown as `*`.', {
        maxLength: MAX_URL_CHARACTERS,
      }),
      code: text('A stable code of the reason, for programs. `/problems` explains each code.', {
        pattern: '^[a-z_]+$',
      }),
      requestId: text('The X-Request-Id of the response.', REQUEST_ID_FORM),
      errors: {
        ...list(ref('FieldProblem'), 'The fields that are wrong, if the problem is about fields; at most 50.', 50),
        minItems: 1,
      },
    },
    ['errors'],
  ),
  FieldProblem: record('One field that is wrong.', {
    pointer: text(
      'The place of the field: a JSON Pointer (RFC 6901) into the body, or the name of a query parameter after a slash. Empty for the whole body or query.',
      { pattern: '^(/.*)?$' },
    ),
    code: text('A stable code of the mistake, for programs.', { pattern: '^[a-z0-9_]+$' }),
    detail: text('The problem and what to do, for people.'),
  }),
};
