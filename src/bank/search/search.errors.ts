import { Refusal } from '../../shared/errors.js';

/** Nothing was looked for. */
export class TooManySearches extends Refusal {
  readonly code = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(afterMs: number) {
    super(
      'Too many names, last four digits, e-mail addresses or telephone numbers of people were sent on behalf of this subject. Use an id, or try again after the seconds in Retry-After.',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}
