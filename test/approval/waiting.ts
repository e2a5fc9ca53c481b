import { unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';

export const ADD = `mutation ($account: ID!, $customers: [ID!]!) { addAccountOwners(input: { accountId: $account, customerIds: $customers }) { results { customerId ownerStatus } } }`;
export const FIELDS = `approvalId status command accountId object facts clientId subject actor statedReason requestId requestedAt expiresAt decidedBy decidedAt
  reason code changes { field before after }`;
export const APPROVE = `mutation ($id: ID!) { approveApproval(input: { approvalId: $id }) { approval { ${FIELDS} } } }`;
export const REJECT = `mutation ($id: ID!, $reason: String!) { rejectApproval(input: { approvalId: $id, reason: $reason }) { approval { ${FIELDS} } } }`;
export const READ = `query ($id: ID!) { approval(approvalId: $id) { ${FIELDS} } }`;

export const ALL_WAIT = {
  closingAccounts: true,
  reversalsAbove: [{ currency: 'USD', amount: '0' }],
  changingOwners: true,
  changingWebhookEndpoints: true,
};

type ApiClient = ReturnType<TestGateway['as']>;

export interface ApprovalCase extends GivenAccount {
  /** Who asks, and who else may approve. */
  readonly asker: ApiClient;
  readonly approver: ApiClient;
  readonly stranger: string;
}

/** An account of a program in which all that can wait waits, two of its operators, and a customer who is no owner. */
export async function givenTwo(gateway: TestGateway, approvals: object | null = ALL_WAIT): Promise<ApprovalCase> {
  const account = await gateway.given.account();
  const { program } = account;
  await gateway.given.programRecord(program, { approvals });
  const { customer } = await gateway.given.customer({ program });
  const asker = gateway.as(await gateway.caller({ program, subject: unique('asker') }));
  const approver = gateway.as(await gateway.caller({ program, subject: unique('approver') }));
  return { ...account, asker, approver, stranger: customer };
}

export const holders = (...ids: string[]) => ({ holders: ids.map(customerId => ({ customerId })) });

/** GraphQL's null is an empty text over REST. */
export const overRest = (record: object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value ?? '']));

/** What is stored of a program: owners of its accounts, endpoints, and the actions of its events in their order. */
export async function stored(gateway: TestGateway, program: string) {
  const { rows } = await gateway.sql.query(
    `SELECT (SELECT count(*)::int FROM account_owner JOIN account USING (account_id) WHERE program = $1) owners,
      (SELECT count(*)::int FROM webhook_endpoint WHERE program = $1) endpoints,
      (SELECT coalesce(array_agg(action ORDER BY id), '{}') FROM event WHERE program = $1 AND outcome = 'DONE') actions`,
    [program],
  );
  const { actions, ...counts } = rows[0] as { owners: number; endpoints: number; actions: string[] };
  return { ...counts, actions: actions.filter(action => !action.startsWith('program.')) };
}
