import type { FieldCode } from './generated/field-codes.js';

/** A problem of one field of the request. */
export interface FieldProblem {
  /**
   * Where (RFC 6901): in the body, a query parameter, or in the arguments of a GraphQL field, such as `/input/amount`.
   */
  readonly pointer: string;
  readonly code: FieldCode | (string & NonNullable<unknown>);
  /** For people. The words may change. */
  readonly detail: string;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors?: readonly FieldProblem[] | undefined;
  readonly requestId?: string | undefined;
  readonly key?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  readonly data?: unknown;
  readonly cause?: unknown;
}

/**
 * The gateway refused a request. There is a class for each code, such as `AccountNotFound`; an answer with a code that
 * this version does not know has this class.
 */
export class TillgateError extends Error {
  override readonly name: string = 'TillgateError';
  /** The HTTP status; 200 if a field of a GraphQL operation was refused, and 0 if there was no answer. */
  readonly status: number;
  /** The code to decide by. It never changes its meaning, as words may. */
  readonly code: string;
  /** Every wrong field. */
  readonly errors: readonly FieldProblem[];
  /** By which the bank finds the request. */
  readonly requestId: string | undefined;
  /** The idempotency key of a write. */
  readonly key: string | undefined;
  /**
   * All that the gateway said: the problem of REST, or the extensions of a GraphQL error. `approvalId` is here when a
   * write waits for approval.
   */
  readonly details: Readonly<Record<string, unknown>>;
  /** The data that a GraphQL operation answered beside the error: other fields may be there. */
  readonly data: unknown;

  constructor({ status, code, message, errors = [], requestId, key, details = {}, data, cause }: ErrorAnswer) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
    this.errors = errors;
    this.requestId = requestId;
    this.key = key;
    this.details = details;
    this.data = data;
  }
}

/** No answer came, or not from the gateway, in as many attempts as there was time for. Nothing was to be changed. */
export class NoAnswer extends TillgateError {
  override readonly name = 'NoAnswer';
}

/**
 * No answer came that says what became of a write: it may have been done. Send the same again with the same `key`, be
 * it in an hour, and it is done once. Another key would risk to do it twice.
 */
export class OutcomeUnknown extends TillgateError {
  override readonly name = 'OutcomeUnknown';
}
