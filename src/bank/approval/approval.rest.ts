import { MAX_REASON_CHARACTERS } from '../../platform/command/agent-reason.js';
import { REQUEST_ID_FORM } from '../../platform/openapi/headers.js';
import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { FORMS, list, pagesBehind, record } from '../../platform/openapi/schema.js';
import { MAX_PAGE_SIZE } from '../../shared/page.js';
import { Approval, ApprovalChange, MAX_CHANGES, type ApprovalView } from './approval.entity.js';
import { ApprovalNotFound } from './approval.errors.js';
import { ApprovalQuery, RejectionInput } from './approval.inputs.js';
import { APPROVE, READ_APPROVALS, REJECT, READ_CHANGES } from './approval.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import type { Caller } from '../../shared/caller.js';
import type { ApprovalService } from './approval.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';

const ID = '2c9f5d0e-4b1a-4e36-9d0c-7a5b8e1f3c60';
const APPROVAL_ID: PathParameter = {
  description: 'The id of the approval, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new ApprovalNotFound(),
};
/** The limit of what a token names, which is no longer. */
const WHO = { maxLength: 255 };
const NOBODY = { decidedBy: '', decidedAt: '', reason: '', code: '' };
const BY = { decidedBy: 'u-4712', decidedAt: '2026-03-31T19:10:00.000Z' };
const CHANGE = {
  field: 'owners',
  before: '0000d001-0000-4000-8000-000000000000',
  after: '0000d001-0000-4000-8000-000000000000, 0000d004-0000-4000-8000-000000000000',
};
const EXAMPLE = {
  approvalId: ID,
  status: 'WAITING',
  command: 'owner.add',
  accountId: 'demo-1001',
  object: 'account/demo-1001',
  facts: {
    customers: [
      {
        customerId: '0000d004-0000-4000-8000-000000000000',
        ownerStatus: 'ADDED',
      },
    ],
  },
  ...NOBODY,
  changes: [CHANGE],
};

interface Services {
  readonly approvals: ApprovalService;
}
const rest = restOver<Services>();

/** Serves what waits until another person approves it. */
export const approvalRest: RestPart<Services> = {
  tag: {
    name: 'Approvals',
    description: 'Requests that wait until another person approves them, where the program wants two pairs of eyes.',
  },
  records: [
    {
      of: Approval,
      limits: RejectionInput,
      differs: {
        approvalId: { type: 'string', pattern: '^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})?$' },
        object: { pattern: '^([a-z_]+/.+)?$' },
        facts: { type: 'object', additionalProperties: true },
        code: { pattern: '^[a-z_]*$' },
        command: { pattern: String.raw`^[a-z_]+\.[a-z_]+$` },
        clientId: WHO,
        subject: WHO,
        actor: WHO,
        statedReason: { maxLength: MAX_REASON_CHARACTERS },
        decidedBy: WHO,
        requestId: { maxLength: REQUEST_ID_FORM.maxLength },
        changes: list(
          ref('ApprovalChange'),
          'What the request would change, field by field, when it was sent: for callers with the scope `approvals`, who read it with the approval. Empty for others, and once it is decided.',
          MAX_CHANGES,
        ),
      },
      example: EXAMPLE,
    },
    { of: ApprovalChange, example: CHANGE },
  ],
  schemas: {
    ApprovalPage: record('A page of the approvals of the program.', {
      approvals: list(ref('Approval'), 'The newest first.', MAX_PAGE_SIZE),
      links: pagesBehind('approvals'),
    }),
  },
  operations: {
    listApprovals: rest(READ_APPROVALS, 'GET /approvals', {
      summary: 'List approvals',
      description: 'The requests of the program that wait for another person, or waited, the newest first.',
      query: {
        input: ApprovalQuery,
        examples: { status: 'WAITING', after: 'MmM5ZjVkMGUtNGIxYS00ZTM2LTlkMGMtN2E1YjhlMWYzYzYw', limit: 25 },
      },
      run: ({ caller, cursor, query: { status } }, { approvals }) =>
        approvals.list(caller, cursor, status ? [status] : null).page(),
      slice: 'approvals',
      answer: answer('A page of approvals.', 'ApprovalPage', {
        approvals: [EXAMPLE],
        links: { next: { href: '/approvals?after=MmM5ZjVkMGUtNGIxYS00ZTM2LTlkMGMtN2E1YjhlMWYzYzYw' } },
      }),
      show: (approval, { caller }, { approvals }) => toRest(approvals, caller, approval),
    }),
    getApproval: rest(READ_APPROVALS, 'GET /approvals/{approvalId}', {
      summary: 'Get an approval',
      description: 'One request that waits for another person, or waited.',
      path: { approvalId: APPROVAL_ID },
      run: ({ caller, path }, { approvals }) => approvals.get(caller, path.approvalId),
      answer: answer('The approval.', 'Approval'),
      show: (approval, { caller }, { approvals }) => toRest(approvals, caller, approval),
    }),
    approveApproval: rest(APPROVE, 'POST /approvals/{approvalId}/approve', {
      summary: 'Approve what waits',
      description:
        'Carries out the request that waits, as the caller who sent it, once. That caller gets the result by sending the request again with the same idempotency key. If the request is no longer possible, the approval has the status FAILED, and `code` says why. The token must have another subject than that of the request, and must not be that of an agent.',
      path: { approvalId: APPROVAL_ID },
      run: ({ caller, path }, { approvals }) => approvals.approve(caller, path.approvalId),
      answer: answer('The approval, decided.', 'Approval', { ...EXAMPLE, status: 'APPROVED', ...BY, changes: [] }),
      show: decided,
    }),
    rejectApproval: rest(REJECT, 'POST /approvals/{approvalId}/reject', {
      summary: 'Reject what waits',
      description: 'Ends a request that waits, which is not carried out. Whoever sent the request may reject it, too.',
      path: { approvalId: APPROVAL_ID },
      body: {
        description: 'The reason.',
        input: RejectionInput,
        example: { reason: 'Not agreed with the branch.' },
      },
      run: ({ caller, path, body }, { approvals }) => approvals.reject(caller, path.approvalId, body.reason),
      answer: answer('The approval, decided.', 'Approval', {
        ...EXAMPLE,
        status: 'REJECTED',
        ...BY,
        reason: 'Not agreed with the branch.',
      }),
      show: decided,
    }),
  },
};

/** Nothing is kept of what it would change. */
function decided(approval: ApprovalView): object {
  return { ...contractRecord(approval), changes: [] };
}

/** An approval as REST shows it to a caller. What would change is for those who may approve. */
async function toRest(approvals: ApprovalService, caller: Caller, approval: ApprovalView): Promise<object> {
  const isShown = approval.status === 'WAITING' && caller.may(READ_CHANGES);
  const changes = isShown ? await approvals.changes(caller, approval.approvalId) : [];
  return { ...contractRecord(approval), changes: changes.map(contractRecord) };
}
