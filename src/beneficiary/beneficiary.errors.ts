import { InvalidInput, Refusal } from '../shared/errors.js';

/** Every list has an end. */
export const MAX_BENEFICIARIES = 100;

export class BeneficiaryNotFound extends Refusal {
  readonly code = 'beneficiary_not_found';
  constructor() {
    super('The account has no such beneficiary.');
  }
}

export class TooManyBeneficiaries extends Refusal {
  readonly code = 'too_many_beneficiaries';
  constructor() {
    super(`An account has at most ${MAX_BENEFICIARIES} beneficiaries: delete one first.`);
  }
}

export class ForeignMask extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/taxId',
        code: 'masked',
        detail: 'Is masked, but not as the number on record: send the whole number, or leave it out.',
      },
    ]);
  }
}

export class OtherBeneficiary extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/beneficiaryId',
        code: 'other_beneficiary',
        detail: 'beneficiaryId names another beneficiary than the path. Send the id of the path, or leave it out.',
      },
    ]);
  }
}
