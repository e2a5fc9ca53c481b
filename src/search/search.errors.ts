import { Refusal } from '../shared/errors.js';

/** Nothing was looked for. */
export class TooManySearches extends Refusal {
  readonly code = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(afterMs: number) {
    super(
      'Too many searches by name or by last four digits were sent on behalf of this subject. Search by an id, or try again after the seconds in Retry-After.',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}
