import { parameter, type Parameter } from '../platform/openapi/operation.js';
import { FORMS } from '../platform/openapi/schema.js';
import { AccountNotFound } from './account.errors.js';

export { MAX_OWNERS } from './account.inputs.js';

/** In the path of everything that belongs to an account. */
export const ACCOUNT_ID: Parameter = {
  ...parameter(
    'path',
    'accountId',
    'The id of the account. The answer is 404 if the account does not exist or the caller may not see it.',
    FORMS.ID,
    'demo-1001',
  ),
  unknown: () => new AccountNotFound(),
};
