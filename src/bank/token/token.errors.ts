import { InvalidInput, Refusal } from '../../shared/errors.js';

/** Every process keeps those of all programs in memory. */
export const MAX_REVOCATIONS = 10_000;

export class TooManyTokenRevocations extends Refusal {
  readonly code = 'too_many_token_revocations';
  constructor() {
    super(
      `A program has at most ${MAX_REVOCATIONS} token revocations. Revoke the tokens of a client or of a subject in place of single ones.`,
    );
  }
}

export class BadRevocationInstant extends InvalidInput {
  constructor(detail: string) {
    super('rule_broken', [{ pointer: '/before', code: 'range', detail }]);
  }
}
