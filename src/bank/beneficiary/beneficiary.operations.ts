import { AccountClosed, AccountNotFound } from '../account/account.errors.js';
import { PreconditionFailed } from '../../shared/errors.js';
import { operation } from '../../shared/operation.js';
import { BeneficiaryNotFound, TooManyBeneficiaries } from './beneficiary.errors.js';

export const READ_BENEFICIARIES = operation('beneficiary.read', { scope: 'beneficiaries.read' });

export const ADD_BENEFICIARY = operation('beneficiary.add', {
  scope: 'beneficiaries.write',
  refusals: () => [new AccountNotFound(), new AccountClosed(), new TooManyBeneficiaries()],
});

export const UPDATE_BENEFICIARY = operation('beneficiary.update', {
  scope: 'beneficiaries.write',
  refusals: () => [new AccountNotFound(), new BeneficiaryNotFound(), new PreconditionFailed()],
});

export const DELETE_BENEFICIARY = operation('beneficiary.delete', {
  scope: 'beneficiaries.write',
  refusals: () => [new AccountNotFound(), new BeneficiaryNotFound(), new PreconditionFailed()],
});
