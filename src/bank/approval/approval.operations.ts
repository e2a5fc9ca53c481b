import { ApprovalExpired } from '../../platform/command/command.errors.js';
import { operation } from '../../shared/operation.js';
import { ApprovalDecided, ApprovalNotFound, OwnApproval, PersonUnknown } from './approval.errors.js';

export const READ_APPROVALS = operation('approval.read', { scope: 'operations.read' });

/** The operation that reads what a request that waits would change, for those who decide. */
export const READ_CHANGES = operation('approval.read_changes', { scope: 'approvals' });

export const APPROVE = operation('approval.approve', {
  scope: 'approvals',
  refusals: () => [
    new ApprovalNotFound(),
    new OwnApproval(),
    new PersonUnknown(),
    new ApprovalDecided(),
    new ApprovalExpired(),
  ],
});

export const REJECT = operation('approval.reject', {
  scope: 'approvals',
  refusals: () => [new ApprovalNotFound(), new ApprovalDecided(), new ApprovalExpired()],
});

/** The operation by which the gateway itself ends what nobody has decided in time. */
export const EXPIRE = operation('approval.expire', { scope: 'approvals' });
