import { BANK_ID } from '../shared/ids.js';
import type { Parameter } from '../platform/openapi/operation.js';
import type { ListSize } from '../platform/openapi/schema.js';
import { MAX_OWNERS } from './account.inputs.js';

/** How many owners an account has. */
export const OWNERS_SIZE: ListSize = { maxItems: MAX_OWNERS };

/** In the path of everything that belongs to an account. */
export const ACCOUNT_ID: Parameter = {
  name: 'accountId',
  in: 'path',
  description: 'The id of the account. The answer is 404 if the account does not exist or the caller may not see it.',
  required: true,
  schema: { type: 'string', pattern: BANK_ID.source },
  example: 'demo-1001',
};
