/** One wrong value of an input: where it is, such as `/input/sharePercentage`, and what is wrong with it. */
export interface WrongValue {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

interface Extensions {
  readonly code?: string;
  readonly errors?: readonly WrongValue[];
  readonly approvalId?: string;
  readonly cursor?: string;
}

export interface GraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Extensions;
}

const UNCERTAIN = new Set([
  'NO_ANSWER',
  'UNAVAILABLE',
  'INTERNAL_ERROR',
  'RATE_LIMITED',
  'OVERLOADED',
  'IDEMPOTENCY_IN_PROGRESS',
]);

const ADVICE: Readonly<Record<string, string>> = {
  NO_ANSWER: 'Check the connection and try again.',
  INSUFFICIENT_SCOPE: 'Ask an administrator for the role that allows this.',
  ACCOUNT_NOT_FOUND: 'Check the account id. Accounts of other programs are not shown.',
  CARD_STATE: 'Somebody may have changed the card meanwhile: look at its status again.',
  IDEMPOTENCY_KEY_REUSED: 'An earlier attempt may have been carried out: close this and look before you repeat it.',
};

/** A request that was not answered as asked: refused by the gateway, or without an answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly extensions: Extensions;
  /** Under this id the log of the gateway has the request; null if no answer came. */
  readonly requestId: string | null;

  constructor(message: string, extensions: Extensions & { readonly code: string }, requestId: string | null = null) {
    super(message);
    this.code = extensions.code;
    this.extensions = extensions;
    this.requestId = requestId;
  }

  static of({ message, extensions }: GraphqlError, requestId: string | null): Problem {
    return new Problem(message, { ...extensions, code: extensions?.code ?? 'INTERNAL_ERROR' }, requestId);
  }

  /**
   * The gateway may have done what was asked, so that only the same request with the same key is safe to send again.
   */
  get isUncertain(): boolean {
    return UNCERTAIN.has(this.code);
  }

  /** The advice for a person; the message of the gateway says the rest. */
  get advice(): string {
    return ADVICE[this.code] ?? (this.isUncertain ? 'Try again in a moment.' : '');
  }
}

/** True if the gateway says by this code that nobody is signed in. */
export function isSignedOut(code: string | undefined): boolean {
  return code === 'SIGN_IN_REQUIRED' || code === 'UNAUTHENTICATED';
}

/** The request was aborted: its page was left, or its answer is not needed any more. */
export function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem('The console could not show this. Reload the page.', { code: 'INTERNAL_ERROR' });
}
