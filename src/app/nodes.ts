import type { AccountView } from '../account/account.entity.js';
import type { LoadNode } from '../platform/graphql/node.resolver.js';
import type { Caller, Scope } from '../shared/caller.js';
import type { Container } from './container.js';

/** How each type of records with an id is read by the parts of its key: by the same services as its other fields. */
export function nodesOf(of: Container): Readonly<Record<string, LoadNode>> {
  const ofAccount =
    (scope: Scope, find: (caller: Caller, account: AccountView, id: string) => Promise<object | null>): LoadNode =>
    (caller, accountId = '', id = '') =>
      of.accounts.within(caller, scope, accountId, account => find(caller, account, id));
  return {
    Account: (caller, accountId = '') => of.accounts.find(caller, accountId),
    Owner: ofAccount('accounts.read', (_, account, customerId) => of.ownership.find(account, customerId)),
    Beneficiary: ofAccount('beneficiaries.read', (...key) => of.beneficiaries.find(...key)),
    Card: ofAccount('cards.read', (...key) => of.cards.find(...key)),
    Transaction: ofAccount('transactions.read', (...key) => of.history.find(...key)),
    Transfer: (caller, transferId = '') => of.transfers.find(caller, transferId),
    Hold: ofAccount('transactions.read', (...key) => of.holds.find(...key)),
    Statement: ofAccount('statements.read', (...key) => of.statements.find(...key)),
    Customer: (caller, customerId = '') => of.customers.find(caller, customerId),
    Approval: (caller, approvalId = '') => of.approvals.find(caller, approvalId),
    Program: caller => of.programs.find(caller),
    StatementRun: (caller, runId = '') => of.statementRuns.find(caller, runId),
    WebhookEndpoint: (caller, endpointId = '') => of.webhooks.find(caller, endpointId),
    WebhookDelivery: (caller, deliveryId = '') => of.webhookDeliveries.find(caller, deliveryId),
  };
}
