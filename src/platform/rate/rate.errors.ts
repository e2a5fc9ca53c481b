import { Refusal } from '../../shared/errors.js';

/** The caller has used what it may use for now. Nothing was done. */
export class RateLimited extends Refusal {
  readonly code = 'rate_limited';
  override readonly retryAfterSeconds: number;
  constructor(afterMs: number) {
    super(
      'The client has sent more requests than its limit allows. Nothing was done. Try again after the seconds in Retry-After.',
    );
    this.retryAfterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}
