import type { WaitingApproval } from './approval.js';
import type { FieldCode } from './field-problems.js';
import { PROBLEMS, type ProblemCode } from './problems.js';

/**
 * A refusal of Tillgate to do something. Each refusal has a stable code, which REST and GraphQL send, and by its code a
 * kind, which decides the HTTP status. A message helps its reader and never repeats a value that was sent.
 */

/**
 * The one table from a kind of refusal to what HTTP says of it. GraphQL carries the refusal's `code` in
 * `extensions.code`.
 */
export const STATUS_OF = {
  accepted: { status: 202, title: 'Waits for an approval' },
  malformed: { status: 400, title: 'The request is malformed' },
  unauthenticated: { status: 401, title: 'The access token is missing or not valid' },
  signed_out: { status: 401, title: 'Nobody is signed in' },
  forbidden: { status: 403, title: 'The access token does not allow this' },
  foreign_page: { status: 403, title: 'The page may not send this request' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'The path does not have this method' },
  not_acceptable: { status: 406, title: 'No acceptable representation' },
  conflict: { status: 409, title: 'The current state does not allow this' },
  precondition_failed: { status: 412, title: 'A precondition of the request failed' },
  too_large: { status: 413, title: 'The request is too large' },
  uri_too_long: { status: 414, title: 'The address is too long' },
  unsupported_media: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'The range is not available' },
  misdirected: { status: 421, title: 'This host name is not served' },
  rule_broken: { status: 422, title: 'A rule is broken' },
  too_many_requests: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Not available now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalKind = keyof typeof STATUS_OF;

/**
 * One bad field: where (RFC 6901 pointer into the body, or for GraphQL from the arguments of the field), what (a stable
 * code), and what to do about it.
 */
export interface FieldProblem {
  readonly pointer: string;
  readonly code: FieldCode;
  readonly detail: string;
}

/** The kind of a code, its meaning, and what to do. */
export type Problem = readonly [kind: RefusalKind, meaning: string, remedy: string];

/** Problems by their codes. */
export type Problems = Readonly<Record<string, Problem>>;

export abstract class Refusal extends Error {
  abstract readonly code: string;
  /** All bad fields at once, where the refusal is about fields. */
  readonly errors?: readonly FieldProblem[];
  /** Seconds after which trying again makes sense (`Retry-After`). */
  readonly retryAfterSeconds?: number;

  get problem(): Problem {
    return PROBLEMS[this.code as ProblemCode];
  }

  get kind(): RefusalKind {
    return this.problem[0];
  }

  /** This refusal of an input that is at `pointer` in a larger one: all its pointers begin there. */
  under(pointer: string): this {
    return this.pointing(own => pointer + own);
  }

  /** This refusal with other pointers, for an input that is named or placed otherwise where it came in. */
  pointing(change: (pointer: string) => string): this {
    if (!this.errors) return this;
    const value = this.errors.map(problem => ({ ...problem, pointer: change(problem.pointer) }));
    // A copy: several requests may have got this one.
    const own = Object.getOwnPropertyDescriptors(this);
    return Object.create(Object.getPrototypeOf(this) as object, { ...own, errors: { ...own.errors, value } }) as this;
  }
}

/** The base class of the refusals of a noun whose codes are in its own table. */
export function refusalsOf<Own extends Problems>(problems: Own) {
  abstract class OwnRefusal extends Refusal {
    abstract override readonly code: keyof Own & string;

    override get problem(): Problem {
      return problems[this.code] as Problem;
    }
  }
  return OwnRefusal;
}

/** The input is not of the right shape (400), or it is and breaks a rule (422). Names every bad field. */
export class InvalidInput extends Refusal {
  readonly code: 'invalid_input' | 'rule_broken';
  override readonly errors: readonly FieldProblem[];
  constructor(kind: 'malformed' | 'rule_broken', errors: readonly FieldProblem[]) {
    super(
      errors.length === 1
        ? 'One field is wrong. Correct the field that `errors` lists.'
        : `${errors.length} fields are wrong. Correct each field that \`errors\` lists.`,
    );
    this.code = kind === 'malformed' ? 'invalid_input' : 'rule_broken';
    this.errors = errors;
  }

  override get kind(): 'malformed' | 'rule_broken' {
    return PROBLEMS[this.code][0];
  }
}

/** The request as a whole cannot be read: broken JSON, a bad header, an unknown parameter. */
export class MalformedRequest extends Refusal {
  readonly code = 'malformed_request';
}

/** The code of a challenge about a token (RFC 6750, 3.1) or about the proof beside it (RFC 9449, 7.1 and 9). */
export type TokenError = 'invalid_token' | 'invalid_dpop_proof' | 'use_dpop_nonce';

export class Unauthenticated extends Refusal {
  readonly code = 'unauthenticated';
  /** Absent where no token was sent. */
  readonly tokenError: TokenError | undefined;
  /** The reason for the operator's log: it names claims and settings, which are none of a caller's business. */
  readonly reason: string | undefined;
  constructor(message: string, tokenError?: TokenError, reason?: string) {
    super(message);
    this.tokenError = tokenError;
    this.reason = reason;
  }
}

/** No token was sent. `source` says where callers get one. */
export class TokenMissing extends Unauthenticated {
  constructor(source: string) {
    super(`The access token is missing. Get one from ${source} and send it as \`Authorization: Bearer <token>\`.`);
  }
}

/** The token was good until it expired. */
export class TokenExpired extends Unauthenticated {
  constructor() {
    super('The access token has expired. Get a new one.', 'invalid_token', 'The token has expired.');
  }
}

/** A page of the gateway's own asks for somebody who is not signed in, or not any more. */
export class SignInRequired extends Refusal {
  readonly code = 'sign_in_required';
  constructor() {
    super('Nobody is signed in, or the session has ended. Sign in at `/console`.');
  }
}

export class InsufficientScope extends Refusal {
  readonly code = 'insufficient_scope';
  readonly scope: string;
  constructor(scope: string) {
    super(`The access token lacks the scope ${scope}. Get a token with this scope.`);
    this.scope = scope;
  }
}

/** The token belongs to one customer, and what it asks for is for the program's own clients. */
export class ProgramWideOnly extends Refusal {
  readonly code = 'program_wide_only';
  constructor() {
    super(
      'The access token belongs to one customer, and this request needs a token for the whole program. Use a token without customer_id.',
    );
  }
}

/** Only people may ask for it, and it cannot wait until one of them approves it. */
export class NotForAgents extends Refusal {
  readonly code = 'not_for_agents';
  constructor() {
    super(
      'The request comes from an agent, and only people may make it. Let a person make it with a token of their own.',
    );
  }
}

/** The request is allowed, and waits until another person approves it. REST answers with the approval. */
export class ApprovalRequired extends Refusal {
  readonly code = 'approval_required';
  constructor(readonly approval: WaitingApproval) {
    super(
      approval.approvalId === null
        ? 'The request is allowed, and would wait until another person approves it. Nothing was done and nothing waits, since this was a dry run.'
        : 'The request is allowed, and waits until another person approves it. Send it again with the same idempotency key to get its result then.',
    );
  }
}

/** A record or a document is not the one that the request is meant for (RFC 9110, 13.1.1). */
export class PreconditionFailed extends Refusal {
  readonly code = 'precondition_failed';
  constructor() {
    super(
      'It has changed: its version or tag is not the one that the request expects. Read it again, and use the current one.',
    );
  }
}

export class TooLarge extends Refusal {
  readonly code = 'too_large';
}

export class UnsupportedMediaType extends Refusal {
  readonly code = 'unsupported_media_type';
}

/** The database is away or full up for a moment; nothing was done. */
export class Unavailable extends Refusal {
  readonly code = 'unavailable';
  override readonly retryAfterSeconds = 1;
}

/** Something broke inside. Its reader learns the request id and nothing else. */
export class InternalError extends Refusal {
  readonly code = 'internal_error';
  constructor(requestId: string) {
    super(
      `The gateway failed to answer this request. Try again with the same idempotency key, or report the request id ${requestId}.`,
    );
  }
}
