import { NoAnswer, OutcomeUnknown, TillgateError, type FieldProblem, type ErrorAnswer } from './errors.js';
import { PROBLEMS } from './generated/problems.js';
import { isPassing } from './retries.js';

interface Extensions {
  readonly code?: string;
  readonly errors?: readonly FieldProblem[];
  readonly requestId?: string;
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: Extensions & Readonly<Record<string, unknown>>;
}

interface Body extends Extensions {
  readonly detail?: string;
  readonly data?: unknown;
}

/** Returns the refusal in an answer, over REST or GraphQL; undefined if it refuses nothing. */
export function refusalIn(status: number, body: unknown, key: string | undefined): TillgateError | undefined {
  const { data, ...problem } = (body ?? {}) as Body;
  const refused = (problem.errors ?? []).filter((error): error is FieldProblem & GraphqlError => 'message' in error);
  if (refused.length > 0) {
    const errors = refused.map(error => refusalOf(error, status, { key, data }));
    // One that may pass goes first, since the same key makes good all of them.
    return errors.find(isPassing) ?? errors[0];
  }
  if (status === 202) {
    const message = 'The request waits until another person approves it. Nothing was done yet.';
    return named({ status, code: 'approval_required', message, key, details: { ...problem } });
  }
  if (status >= 200 && status < 300) return undefined;
  const { code, detail = '', errors, requestId } = problem;
  if (code === undefined) return foreign(status, key);
  return named({ status, code, message: detail, errors, requestId, key, details: { ...problem } });
}

/** One error of GraphQL. */
export function refusalOf(
  { message, extensions = {} }: GraphqlError,
  status: number,
  { key, data }: Pick<ErrorAnswer, 'key' | 'data'> = {},
): TillgateError {
  const { code = 'internal_error', errors, requestId } = extensions;
  return named({ status, code: codeOf(code), message, errors, requestId, key, details: extensions, data });
}

/** Something between here and the gateway answered, or nothing did. */
export function foreign(status: number, key: string | undefined, cause?: unknown): TillgateError {
  const message =
    status === 0 ? 'The gateway did not answer.' : `The answer with status ${status} is not one of the gateway.`;
  const error = new TillgateError({ status, code: 'no_answer', message, key, cause });
  const mayPass = status === 0 || status < 300 || isPassing(error);
  return mayPass ? new NoAnswer({ status, code: 'no_answer', message, key, cause }) : error;
}

/** A write that may have been done is one whose outcome is unknown, unless the last answer decides it. */
export function outcomeOf(error: TillgateError, wasInDoubt: boolean): TillgateError {
  const { key, status, requestId } = error;
  const isDecided = !isPassing(error) && status !== 401 && status !== 403;
  if (key === undefined || !wasInDoubt || isDecided) return error;
  const message = 'The write may have been done. Send it again with the same key.';
  return new OutcomeUnknown({ status, code: 'outcome_unknown', message, requestId, key, cause: error });
}

/** The code as REST has it, so that programs compare one: GraphQL has it in upper case. */
function codeOf(code: string): string {
  return code in PROBLEMS ? code : code.toLowerCase();
}

function named(said: ErrorAnswer): TillgateError {
  return new (PROBLEMS[said.code] ?? TillgateError)(said);
}
