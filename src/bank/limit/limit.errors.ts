import { Refusal, type FieldProblem } from '../../shared/errors.js';

export class LimitExceeded extends Refusal {
  readonly code = 'limit_exceeded';
  /** `errors`: each limit that the amount is beyond. */
  constructor(override readonly errors: readonly [FieldProblem, ...FieldProblem[]]) {
    super('The amount is beyond a limit of the account. `errors` names the limit and what remains of it.');
  }
}

/** As it is shown in the OpenAPI document. */
export const LIMIT_EXCEEDED = new LimitExceeded([
  {
    pointer: '/amount',
    code: 'per_day',
    detail: 'Transfers from this account may be 10000.00 USD a day, of which 120.00 USD are left today.',
  },
]);
