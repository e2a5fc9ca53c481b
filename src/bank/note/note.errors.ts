import { InvalidInput } from '../../shared/errors.js';

/** A note must be about one thing. */
export class NotOneSubject extends InvalidInput {
  constructor() {
    const detail = 'Exactly one of accountId and customerId must be given, and transactionId only with accountId.';
    super('rule_broken', [{ pointer: '/accountId', code: 'alternatives', detail }]);
  }
}
