import type { Parameter } from '../platform/openapi/operation.js';

/** In the path of everything that belongs to an account. */
export const ACCOUNT_ID: Parameter = {
  name: 'accountId',
  in: 'path',
  description: 'The account. One that there is not, or that the caller may not see, is 404.',
  required: true,
  schema: { type: 'string' },
  example: 'demo-1001',
};
