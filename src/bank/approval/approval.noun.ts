import type { AccountService } from '../account/account.service.js';
import type { Denial } from '../../platform/command/denial.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { Approval } from './approval.entity.js';
import { APPROVAL_EVENTS } from './approval.events.js';
import { ApprovalBook } from './approval.gate.js';
import { ApprovalRepository } from './approval.repository.js';
import { ApprovalResolver } from './approval.resolver.js';
import { ApprovalService } from './approval.service.js';
import { sweepLateApprovals } from './approval.sweep.js';
import { approvalRest } from './approval.rest.js';

/** Where commands of all nouns wait, which is made before them. */
export const approvalBook = noun({
  services: ({ database, keys, config }: NounBase & { readonly config: { readonly idempotencyTtlDays: number } }) => ({
    approvalBook: new ApprovalBook(new ApprovalRepository(database, keys), config.idempotencyTtlDays),
  }),
});

interface Needs {
  readonly approvalBook: ApprovalBook;
  readonly accounts: AccountService;
  readonly programCommands: ProgramCommands;
  readonly deny: (denial: Denial) => void;
}

export const approvalNoun = noun({
  entities: [Approval],
  events: APPROVAL_EVENTS,
  services: ({ approvalBook: book, records, accounts, programCommands, deny }: NounBase & Needs) => ({
    approvals: new ApprovalService(book, records, accounts, programCommands, deny),
  }),
  resolvers: [resolver(ApprovalResolver, 'approvals')],
  rest: () => [approvalRest],
  nodes: of => ({ Approval: (caller, approvalId = '') => of.approvals.find(caller, approvalId) }),
  jobs: async (of, { log }) => [sweepLateApprovals(of.approvals, log)],
});
