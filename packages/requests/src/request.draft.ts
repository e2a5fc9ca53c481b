import { randomUUID } from 'node:crypto';
import { getMetadataStorage } from 'type-graphql';
import type { AnsweredRequest, Caller, FieldProblem } from 'tillgate/noun';
import type { ApiRequest, StoredProblem } from './request.entity.js';

/** The most refusals of one request, and the most fields of one refusal, that are kept. */
const MAX_KEPT = 20;
/** The longest name of an operation that is kept. */
const MAX_OPERATION_CHARACTERS = 255;
/** The greatest number of the column. */
const MAX_BYTES = 2_147_483_647;
const INDEX = /^\d{1,4}$/;
/** Stands for a name that a client chose. */
const HIDDEN = '*';

/** A request that waits to be written: its facts, and what is worked out behind its answer. */
export interface WaitingRequest {
  readonly facts: Omit<
    ApiRequest,
    | 'entryId'
    | 'code'
    | 'storedProblems'
    | 'hasSeveralProblems'
    | 'problems'
    | 'keyDigest'
    | 'program'
    | 'clientId'
    | 'subject'
    | 'customerId'
    | 'actor'
    | 'requestId'
  >;
  readonly caller: Caller;
  readonly refusals: AnsweredRequest['refusals'];
}

/** Notes the facts of a request of a caller. */
export function waitingRequest(request: AnsweredRequest, caller: Caller): WaitingRequest {
  return {
    facts: {
      answeredAt: new Date(),
      durationMs: Math.round(request.durationMs),
      api: request.api === 'rest' ? 'REST' : 'GRAPHQL',
      method: request.method,
      operation: request.operation,
      rootFields: request.rootFields,
      httpStatus: request.status,
      // Clients declare it.
      requestBytes: request.requestBytes && Math.min(request.requestBytes, MAX_BYTES),
      answerBytes: request.answerBytes,
      isReplay: caller.replayed,
      isAborted: request.isAborted,
      userAgent: request.userAgent,
      clientAddress: request.clientAddress,
    },
    caller,
    refusals: request.refusals,
  };
}

/** The row of a request. `digestOf` gives the digest of the idempotency key that came with it. */
export function rowOf(
  { facts, caller, refusals }: WaitingRequest,
  digestOf: (caller: Caller) => string | null,
): Omit<ApiRequest, 'problems'> {
  const problems = refusals && storedProblems(refusals);
  return {
    ...facts,
    entryId: randomUUID(),
    requestId: caller.requestId,
    program: caller.program,
    clientId: caller.clientId,
    subject: caller.subject,
    customerId: caller.customerId,
    actor: caller.actor ?? null,
    operation: facts.operation?.slice(0, MAX_OPERATION_CHARACTERS) ?? null,
    code: problems?.[0]?.code ?? null,
    storedProblems: problems,
    hasSeveralProblems: (problems?.length ?? 0) > 1,
    keyDigest: digestOf(caller),
  };
}

function storedProblems(refusals: NonNullable<WaitingRequest['refusals']>): StoredProblem[] {
  return [...refusals].slice(0, MAX_KEPT).map(([code, fields]) => ({
    code,
    ...(fields.length > 0 && { fields: fields.slice(0, MAX_KEPT).map(storedField) }),
  }));
}

function storedField({ pointer, code }: FieldProblem): Pick<FieldProblem, 'pointer' | 'code'> {
  return { pointer: shownPointer(pointer), code };
}

let names: ReadonlySet<string> | undefined;

/** A pointer without the names that a client chose, such as those of unknown fields and the keys of metadata. */
function shownPointer(pointer: string): string {
  names ??= namesOfApi();
  return pointer
    .split('/')
    .map(name => (name === '' || INDEX.test(name) || names?.has(name) ? name : HIDDEN))
    .join('/');
}

/** The names of all fields and arguments of both APIs. */
function namesOfApi(): ReadonlySet<string> {
  const { fields, queries, mutations, subscriptions, fieldResolvers } = getMetadataStorage();
  const named = [...queries, ...mutations, ...subscriptions, ...fieldResolvers].flatMap(({ params = [] }) =>
    params.flatMap(parameter => (parameter.kind === 'arg' ? parameter.name : [])),
  );
  return new Set([...fields.map(({ schemaName }) => schemaName), ...fields.map(({ name }) => name), ...named]);
}
