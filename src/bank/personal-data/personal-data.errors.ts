import { InvalidInput, Refusal } from '../../shared/errors.js';

export class OwnerNotFound extends Refusal {
  readonly code = 'owner_not_found';
  constructor() {
    super('The account has no such owner.');
  }
}

export class NotOnePerson extends InvalidInput {
  constructor() {
    const detail = 'Exactly one of customerId and beneficiaryId must be given. Send one of them.';
    super('rule_broken', [{ pointer: '/customerId', code: 'alternatives', detail }]);
  }
}
