import { operation } from '../../shared/operation.js';
import { OperatorSessionNotFound } from './operator-session.errors.js';

export const READ_SESSIONS = operation('operator_session.read', { scope: 'operations.read' });

export const END_SESSION = operation('operator_session.end', {
  scope: 'operations',
  refusals: () => [new OperatorSessionNotFound()],
});
