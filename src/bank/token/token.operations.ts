import { operation } from '../../shared/operation.js';
import { TooManyTokenRevocations } from './token.errors.js';

export const REVOKE_TOKENS = operation('token.revoke', {
  scope: 'operations',
  refusals: () => [new TooManyTokenRevocations()],
});

export const READ_REVOCATIONS = operation('token.read_revocations', { scope: 'operations.read' });
