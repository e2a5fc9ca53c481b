import { AccountNotFound } from '../account/account.errors.js';
import { BeneficiaryNotFound } from '../beneficiary/beneficiary.errors.js';
import { operation } from '../../shared/operation.js';
import { OwnerNotFound } from './personal-data.errors.js';

export const REVEAL_PERSONAL_DATA = operation('personal_data.reveal', {
  scope: ['operations.read', 'pii.read'],
  refusals: () => [new AccountNotFound(), new OwnerNotFound(), new BeneficiaryNotFound()],
});
