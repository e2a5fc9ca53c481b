import type { Refusal } from '../../shared/errors.js';
import {
  AgentReasonRequired,
  AgentsOnlyRead,
  ApprovalExpired,
  ApprovalRejected,
  IdempotencyKeyRequired,
  TooManyApprovals,
} from '../command/command.errors.js';
import { header } from './headers.js';
import { answer, type Answer } from './operation.js';

/** The answer of an operation that the program may want another person to approve. */
export const WAITS: Readonly<Record<string, Answer>> = {
  202: answer(
    'The request is allowed, and waits until another person approves it. Send it again with the same idempotency key to get its result then.',
    'Approval',
    undefined,
    {
      Location: header(
        'The path of the approval; absent in the answer to a dry run.',
        { format: 'uri-reference' },
        '/approvals/2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60',
      ),
    },
  ),
};

/** Lists the further refusals of such an operation. */
export function refusalsOfWaiting(): Refusal[] {
  return [
    new AgentsOnlyRead(),
    new AgentReasonRequired(),
    new IdempotencyKeyRequired(),
    new TooManyApprovals('program'),
    new ApprovalRejected(),
    new ApprovalExpired(),
  ];
}
