import { InvalidInput, Refusal } from '../../shared/errors.js';

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
    super(`An account has at most ${MAX_BENEFICIARIES} beneficiaries. Delete one before you add another.`);
  }
}

export class OtherBeneficiary extends InvalidInput {
  constructor() {
    super('rule_broken', [
      {
        pointer: '/beneficiaryId',
        code: 'other_beneficiary',
        detail:
          'beneficiaryId differs from the beneficiary id in the path. Send the id of the path, or leave beneficiaryId out.',
      },
    ]);
  }
}
