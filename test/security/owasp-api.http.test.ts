import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { INCLUDING_SCOPES, PROGRAM_WIDE, SCOPES, type Scope } from '../../src/shared/caller.js';
import { IMPORT_NAMES } from '../../src/bank/import/import.names.js';
import { newHold } from '../hold/support/holds.js';
import { keyed, scopesWithout, startTestGateway, unique, type Answer, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, newBeneficiary, type GivenStatement } from '../support/given.js';
import { servedBy } from '../support/served.js';
import { SIMULATIONS, simulationBody } from '../support/simulations.js';
import { pdfOf } from '../support/statement.js';
import { AUDIENCE, ISSUER, Issuer, goodClaims } from '../platform/auth/issuer.js';
import { operationsServed, otherPaths, type Operation } from './owasp-operations.js';
import { restCode } from '../support/answers.js';

/** One test or more for each item of the OWASP API Security Top 10 of 2023, over REST and GraphQL. */

let gateway: TestGateway;
let of: GivenStatement & { readonly beneficiary: string; readonly endpoint: string; readonly approval: string };
beforeAll(async () => {
  gateway = await startTestGateway();
  const given = await gateway.given.beneficiary();
  await gateway.given.programRecord(given.program, { approvals: { changingOwners: true } });
  const { rest } = gateway.as(given.caller);
  const { customer } = await gateway.given.customer({ program: given.program });
  const asker = gateway.as(await gateway.caller({ program: given.program, subject: 'asker' }));
  const holders = [{ customerId: customer }];
  const adding = await asker.rest.post(`/accounts/${given.account}/owners/add`, { holders }, keyed(unique('key')));
  const { endpointId } = (await rest.post('/webhook-endpoints', { url: 'https://bank.example/' })).body;
  of = {
    ...(await gateway.given.statement({ of: given })),
    beneficiary: given.beneficiary,
    endpoint: endpointId,
    approval: adding.body.approvalId,
  };
});
afterAll(() => gateway.stop());

/** The scope that each operation needs. One that is not here fails the tests below. */
const NEEDS: Record<string, Scope> = {
  'POST /accounts': 'operations',
  'GET /accounts/:accountId': 'accounts.read',
  'PATCH /accounts/:accountId': 'operations',
  'POST /accounts/:accountId/restrict': 'operations',
  'POST /accounts/:accountId/unrestrict': 'operations',
  'POST /accounts/:accountId/close': 'operations',
  'GET /accounts/:accountId/event-chain': 'operations.read',
  // And pii.read: see test/personal-data.
  'POST /accounts/:accountId/reveal': 'operations.read',
  'GET /customers': 'operations.read',
  'POST /customers': 'operations',
  'GET /customers/:customerId': 'operations.read',
  'PATCH /customers/:customerId': 'operations',
  'POST /customers/:customerId/erase': 'operations',
  'GET /notes': 'operations.read',
  'POST /notes': 'operations',
  'GET /accounts/:accountId/beneficiaries': 'beneficiaries.read',
  'POST /accounts/:accountId/beneficiaries': 'beneficiaries.write',
  'GET /accounts/:accountId/beneficiaries/:beneficiaryId': 'beneficiaries.read',
  'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId': 'beneficiaries.write',
  'DELETE /accounts/:accountId/beneficiaries/:beneficiaryId': 'beneficiaries.write',
  'POST /accounts/:accountId/owners/add': 'owners.write',
  'POST /accounts/:accountId/owners/remove': 'owners.write',
  'POST /cards/v1/cards': 'cards.write',
  'GET /cards/v1/cards/:cardId': 'cards.read',
  'GET /accounts/:accountId/transactions': 'transactions.read',
  'GET /accounts/:accountId/balances': 'transactions.read',
  'GET /transactions': 'transactions.read',
  'POST /accounts/:accountId/transactions/:transactionId/reverse': 'operations',
  'GET /accounts/:accountId/holds': 'transactions.read',
  'POST /accounts/:accountId/holds': 'operations',
  'GET /accounts/:accountId/holds/:holdId': 'transactions.read',
  'POST /accounts/:accountId/holds/:holdId/capture': 'operations',
  'POST /accounts/:accountId/holds/:holdId/release': 'operations',
  'POST /transfers': 'transfers.write',
  'POST /transfers/batch': 'transfers.write',
  'GET /accounts/:accountId/transfer-limits': 'transactions.read',
  'PATCH /accounts/:accountId/transfer-limits': 'operations',
  'GET /transfers': 'transactions.read',
  'GET /transfers/:transferId': 'transactions.read',
  'POST /transfers/:transferId/reverse': 'operations',
  'GET /accounts/:accountId/transfers': 'transactions.read',
  'GET /accounts/:accountId/statements': 'statements.read',
  'POST /accounts/:accountId/statements': 'operations',
  'GET /accounts/:accountId/:docType/:statement': 'statements.read',
  'GET /statement-runs': 'operations.read',
  'GET /statement-runs/:runId': 'operations.read',
  'GET /statement-runs/:runId/left-out': 'operations.read',
  'POST /statement-runs': 'operations',
  'POST /statement-runs/:runId/stop': 'operations',
  'POST /statement-runs/:runId/rerun': 'operations',
  'GET /tax-filings': 'operations.read',
  'GET /tax-filings/:filingId': 'operations.read',
  'GET /tax-filings/:filingId/returns': 'operations.read',
  'POST /tax-filings': 'operations',
  'POST /tax-filings/:filingId/outcome': 'operations',
  'POST /tax-answers': 'operations',
  'GET /tax-filings/:filingId/files': 'operations.read',
  'GET /tax-filings/:filingId/files/:part': 'operations',
  'GET /tax-years/:taxYear': 'operations.read',
  'GET /tax-years/:taxYear/payees': 'operations.read',
  'Mutation.startStatementRun': 'operations',
  'Mutation.startTaxFiling': 'operations',
  'Mutation.acknowledgeTaxFiling': 'operations',
  'Mutation.markTaxFiling': 'operations',
  'Mutation.stopStatementRun': 'operations',
  'Mutation.rerunStatementRun': 'operations',
  ...Object.fromEntries(IMPORT_NAMES.map(name => [`POST /imports/${name}`, 'operations' as const])),
  'Mutation.importRecords': 'operations',
  'Query.importTable': 'operations',
  'Mutation.updateProgram': 'operations',
  'GET /program': 'operations.read',
  'GET /search': 'operations.read',
  'GET /events': 'operations.read',
  'GET /approvals': 'operations.read',
  'GET /approvals/:approvalId': 'operations.read',
  'POST /approvals/:approvalId/approve': 'approvals',
  'POST /approvals/:approvalId/reject': 'approvals',
  'GET /token-revocations': 'operations.read',
  'POST /token-revocations': 'operations',
  'GET /webhook-endpoints': 'operations.read',
  'POST /webhook-endpoints': 'operations',
  'GET /webhook-endpoints/:endpointId': 'operations.read',
  'PATCH /webhook-endpoints/:endpointId': 'operations',
  'DELETE /webhook-endpoints/:endpointId': 'operations',
  'POST /webhook-endpoints/:endpointId/rotate-secret': 'operations',
  'POST /webhook-endpoints/:endpointId/test': 'operations',
  'POST /webhook-endpoints/:endpointId/recover': 'operations',
  'GET /webhook-endpoints/:endpointId/deliveries': 'operations.read',
  'GET /webhook-deliveries/:deliveryId': 'operations.read',
  'POST /webhook-deliveries/:deliveryId/resend': 'operations',
  'GET /overview': 'operations.read',
  'GET /requests': 'requests.read',
  'GET /requests/:requestId': 'requests.read',
  'GET /operator-sessions': 'operations.read',
  'DELETE /operator-sessions/:sessionId': 'operations',
  'GET /simulate/clock': 'operations.read',
  'POST /simulate/clock': 'operations',
  'POST /simulate/month-close': 'operations',
  'Query.simulatedClock': 'operations.read',
  'Mutation.simulateClock': 'operations',
  'Mutation.simulateMonthClose': 'operations',
  ...Object.fromEntries(
    Object.entries(SIMULATIONS).flatMap(([kind, [field]]) => [
      [`POST /simulate/${kind}`, 'operations' as const],
      [`Mutation.${field}`, 'operations' as const],
    ]),
  ),
  'Query.account': 'accounts.read',
  'Query.accounts': 'accounts.read',
  'Query.customer': 'operations.read',
  'Query.customers': 'operations.read',
  'Query.notes': 'operations.read',
  'Mutation.addNote': 'operations',
  'Mutation.openAccount': 'operations',
  'Mutation.updateAccount': 'operations',
  'Mutation.restrictAccount': 'operations',
  'Mutation.unrestrictAccount': 'operations',
  'Mutation.closeAccount': 'operations',
  'Mutation.createCustomer': 'operations',
  'Mutation.updateCustomer': 'operations',
  'Mutation.eraseCustomer': 'operations',
  'Query.statementRuns': 'operations.read',
  'Query.statementRun': 'operations.read',
  'StatementRun.leftOut': 'operations.read',
  'Query.taxFilings': 'operations.read',
  'Query.taxFiling': 'operations.read',
  'TaxFiling.transmissions': 'operations.read',
  'TaxFiling.returns': 'operations.read',
  'Query.taxYear': 'operations.read',
  'TaxYear.payees': 'operations.read',
  'TaxPayee.customer': 'operations.read',
  'Statement.correctedByStatementId': 'statements.read',
  'Query.program': 'operations.read',
  'Query.search': 'operations.read',
  'Mutation.revealPersonalData': 'operations.read',
  'Account.balanceOn': 'transactions.read',
  'Account.dailyBalances': 'transactions.read',
  'Account.eventChain': 'operations.read',
  'Query.approvals': 'operations.read',
  'Query.approval': 'operations.read',
  'Mutation.approveApproval': 'approvals',
  'Mutation.rejectApproval': 'approvals',
  'Query.events': 'operations.read',
  'Query.feedCursor': 'accounts.read',
  'Query.transactions': 'transactions.read',
  'Query.operatorSessions': 'operations.read',
  'Mutation.endOperatorSession': 'operations',
  'Query.tokenRevocations': 'operations.read',
  'Mutation.revokeTokens': 'operations',
  'Query.programOverview': 'operations.read',
  'Query.apiRequests': 'requests.read',
  'Query.apiRequest': 'requests.read',
  'Query.webhookEndpoints': 'operations.read',
  'Query.webhookEndpoint': 'operations.read',
  'Query.webhookDelivery': 'operations.read',
  'Mutation.createWebhookEndpoint': 'operations',
  'Mutation.updateWebhookEndpoint': 'operations',
  'Mutation.deleteWebhookEndpoint': 'operations',
  'Mutation.rotateWebhookSecret': 'operations',
  'Mutation.sendTestEvent': 'operations',
  'Mutation.resendWebhookDelivery': 'operations',
  'Mutation.recoverWebhookEndpoint': 'operations',
  'WebhookEndpoint.deliveries': 'operations.read',
  'WebhookDelivery.attempts': 'operations.read',
  'Mutation.addAccountOwners': 'owners.write',
  'Mutation.removeAccountOwners': 'owners.write',
  'Mutation.addBeneficiary': 'beneficiaries.write',
  'Mutation.updateBeneficiary': 'beneficiaries.write',
  'Mutation.deleteBeneficiary': 'beneficiaries.write',
  'Mutation.createCard': 'cards.write',
  'Mutation.activateCard': 'cards.write',
  'Mutation.freezeCard': 'cards.write',
  'Mutation.unfreezeCard': 'cards.write',
  'Mutation.reportCard': 'cards.write',
  'Mutation.closeCard': 'cards.write',
  'Mutation.addStatement': 'operations',
  'Mutation.placeHold': 'operations',
  'Mutation.captureHold': 'operations',
  'Mutation.releaseHold': 'operations',
  'Mutation.createTransfer': 'transfers.write',
  'Mutation.createTransfers': 'transfers.write',
  'Mutation.setTransferLimits': 'operations',
  'Mutation.reverseTransfer': 'operations',
  'Query.transfer': 'transactions.read',
  'Query.transfers': 'transactions.read',
  'Mutation.postAccountTransactions': 'operations',
  'Mutation.reverseTransaction': 'operations',
  'Account.beneficiaries': 'beneficiaries.read',
  'Account.beneficiary': 'beneficiaries.read',
  'Account.cards': 'cards.read',
  'Account.card': 'cards.read',
  'Account.statements': 'statements.read',
  'Account.statement': 'statements.read',
  'Account.transactions': 'transactions.read',
  'Account.transaction': 'transactions.read',
  'Account.holds': 'transactions.read',
  'Account.hold': 'transactions.read',
  'Account.transfers': 'transactions.read',
  'Account.program': 'operations.read',
  'Account.restriction': 'operations.read',
  'Account.transferLimits': 'transactions.read',
};
/** Loaded fields that who may read what they are of may read as well. */
const OPEN_WITH_PARENT: Record<string, string> = {
  'Account.balances': 'who may read an account may read what is in it',
  'Account.owners': 'who may read an account may read who owns it',
  'Beneficiary.name': 'who may list the beneficiaries may read their names',
  'Customer.name': 'who may read a customer may read the name',
  'Owner.name': 'who may read an owner may read the name',
  'Name.organization': 'who may read a name may read all of it',
  'Owner.governmentId': 'shown masked to whoever has not pii.read',
  'Customer.governmentId': 'shown masked to whoever has not pii.read',
};
/** Loaded fields of what there is no sample of, and the tests that try their scopes. */
const TRIED_ELSEWHERE: Record<string, string> = {
  'Card.holder': 'test/card',
  'SearchHit.account': 'test/search',
  'Approval.changes': 'test/approval/persons',
  'AddAccountOwnersPayload.account': 'test/account/graphql',
  'PostAccountTransactionsPayload.account': 'test/account/graphql',
  'RemoveAccountOwnersPayload.account': 'test/account/graphql',
  'TransferLimits.account': 'test/transfer/limits',
  ...Object.fromEntries(
    [
      'ActivateCard',
      'AddBeneficiary',
      'AddStatement',
      'CaptureHold',
      'CloseCard',
      'CreateCard',
      'DeleteBeneficiary',
      'FreezeCard',
      'PlaceHold',
      'ReleaseHold',
      'ReportCard',
      'ReverseTransaction',
      'SetTransferLimits',
      'UnfreezeCard',
      'UpdateBeneficiary',
    ].map(mutation => [`${mutation}Payload.account`, 'test/card']),
  ),
  ...Object.fromEntries(
    [
      'Customer.accounts',
      'Event.account',
      'Event.record',
      'Hold.card',
      'Owner.customer',
      'SearchHit.record',
      'Statement.correctedBy',
      'Statement.corrects',
      'StatementRun.previousRun',
      'Transaction.references',
      'WebhookDelivery.account',
      'WebhookDelivery.endpoint',
      'WebhookDelivery.event',
    ].map(field => [field, 'test/platform/graphql/edges']),
  ),
  'Event.audit': 'test/platform/graphql/subscriptions',
  'ApiRequest.events': 'packages/requests/test',
  'ApiRequest.sameKeyRequests': 'packages/requests/test',
  ...Object.fromEntries(
    ['fromAccount', 'toAccount', 'fromTransaction', 'toTransaction'].map(field => [
      `Transfer.${field}`,
      'test/transfer',
    ]),
  ),
  ...Object.fromEntries(
    ['Beneficiary', 'Card', 'Hold', 'OwnerResult', 'Statement', 'Transaction'].map(type => [
      `${type}.account`,
      'test/platform/graphql/nodes',
    ]),
  ),
};
/** What every caller with a token may ask, of its own program. */
const OPEN_TO_TOKENS: Record<string, string> = {
  'Query.node': 'each type of record has its scope: test/platform/graphql/nodes',
  'Query.nodes': 'each type of record has its scope: test/platform/graphql/nodes',
  'Query.viewer': 'it tells what the token says',
  'GET /viewer': 'it tells what the token says',
};
/** What is served to callers who are not known. */
const PAGES = ['/docs', '/docs/:digest/:file', '/events.schema.json', '/graphiql', '/graphiql/:digest/:file'];
/** The page of the console holds no data, and its sign-in tells who may have them. Its files need a session. */
const CONSOLE = ['', '/', '/*path', '/assets/:name', '/callback', '/session', '/sign-in', '/sign-out'].map(
  path => `/console${path}`,
);
const PUBLIC = [
  '/',
  '/.well-known/oauth-protected-resource',
  ...CONSOLE,
  ...PAGES,
  '/livez',
  '/metrics',
  '/oauth/token',
  '/openapi.json',
  '/problems',
  '/readyz',
];

/** A request of each route that is good but for who asks. */
const BODIES: Record<string, unknown> = {
  'POST /accounts': {},
  'PATCH /accounts/:accountId': { accountType: 'CD' },
  'POST /accounts/:accountId/restrict': { reason: 'Because' },
  'POST /accounts/:accountId/unrestrict': {},
  'POST /accounts/:accountId/close': { reason: 'Because' },
  'POST /accounts/:accountId/reveal': { customerId: randomUUID(), reason: 'Because' },
  'POST /customers': { name: { first: 'A', last: 'B' } },
  'PATCH /customers/:customerId': { name: { middle: 'C' } },
  'POST /customers/:customerId/erase': { reason: 'Request 118' },
  'POST /accounts/:accountId/beneficiaries': leastBeneficiary(),
  'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId': { sharePercentage: 1 },
  'POST /accounts/:accountId/owners/add': { holders: [{ customerId: randomUUID() }] },
  'POST /accounts/:accountId/owners/remove': { holders: [{ customerId: randomUUID() }] },
  'POST /notes': {},
  'POST /cards/v1/cards': {},
  'POST /accounts/:accountId/transactions/:transactionId/reverse': { reason: 'Because' },
  'POST /accounts/:accountId/holds': { ...newHold(), amount: 75 },
  'POST /accounts/:accountId/holds/:holdId/capture': {},
  'POST /accounts/:accountId/statements': pdfOf(),
  'POST /transfers': {},
  'POST /transfers/batch': {},
  'PATCH /accounts/:accountId/transfer-limits': {},
  'POST /transfers/:transferId/reverse': { reason: 'Because' },
  'POST /approvals/:approvalId/reject': { reason: 'No.' },
  'POST /statement-runs': { documentType: 'STATEMENTS', period: '2026-01' },
  'POST /statement-runs/:runId/stop': {},
  'POST /tax-filings': { taxYear: 2026 },
  'POST /tax-filings/:filingId/outcome': { outcome: 'SENT' },
  ...Object.fromEntries(IMPORT_NAMES.map(name => [`POST /imports/${name}`, { lines: '{}' }])),
  'POST /token-revocations': { kind: 'TOKEN', value: 'nobodys' },
  'POST /webhook-endpoints': { url: 'https://bank.example/' },
  'PATCH /webhook-endpoints/:endpointId': { description: 'Mine' },
  'POST /simulate/clock': { forward: 'PT1S' },
  'POST /simulate/month-close': {},
  'POST /webhook-endpoints/:endpointId/test': { type: 'card.frozen' },
  'POST /webhook-endpoints/:endpointId/recover': { since: new Date().toISOString() },
};
/** Whether no token of a single customer will do, whatever its scopes: by the scope, or by the operation itself. */
const isOfBank = (name: string): boolean =>
  PROGRAM_WIDE.has(NEEDS[name] as Scope) || /^(GET \/|Query\.)(transactions|transfers)$/.test(name);
/** What is about the caller's own program, whatever it is. */
const OWN = [
  'GET /overview',
  'Query.programOverview',
  'GET /requests',
  'Query.apiRequests',
  'GET /statement-runs',
  'POST /statement-runs',
  'Mutation.startStatementRun',
  'GET /tax-filings',
  'POST /tax-filings',
  'Mutation.startTaxFiling',
  'POST /tax-answers',
  'Mutation.acknowledgeTaxFiling',
  'GET /tax-years/:taxYear',
  'GET /tax-years/:taxYear/payees',
  'Query.taxYear',
  'TaxYear.payees',
  'TaxPayee.customer',
  'GET /transactions',
  'GET /transfers',
  'Query.feedCursor',
  'GET /program',
  'Mutation.updateProgram',
  'GET /search',
  'GET /viewer',
  'GET /events',
  'GET /approvals',
  'GET /operator-sessions',
  'GET /token-revocations',
  'POST /token-revocations',
  'Mutation.revokeTokens',
  'GET /customers',
  'GET /notes',
  'GET /webhook-endpoints',
  'POST /webhook-endpoints',
  'Mutation.createWebhookEndpoint',
  'Query.search',
  'SearchHit.account',
  'GET /simulate/clock',
  'POST /simulate/clock',
  'POST /simulate/month-close',
  'Query.simulatedClock',
  'Mutation.simulateClock',
  'Mutation.simulateMonthClose',
  ...IMPORT_NAMES.map(name => `POST /imports/${name}`),
  'Mutation.importRecords',
  'Query.importTable',
  'POST /accounts',
  'POST /customers',
  'Mutation.openAccount',
  'Mutation.createCustomer',
];
/** How what is not there is refused. */
const NOT_FOUND = [
  'statement_run_not_found',
  'tax_filing_not_found',
  'account_not_found',
  'approval_not_found',
  'customer_not_found',
  'operator_session_not_found',
  'webhook_endpoint_not_found',
  'webhook_delivery_not_found',
  'transfer_not_found',
];

const QUERIES: Record<string, () => string> = {
  'POST /accounts/:accountId/statements': () => '?statementDate=2026-01-31',
  'GET /search': () => '?text=Ashdown',
  'GET /notes': () => `?accountId=${of.account}`,
  'GET /cards/v1/cards/:cardId': () => `?accountId=${of.account}`,
  'GET /accounts/:accountId/balances': () => '?from=2026-01-01&to=2026-01-31',
};

function askRoute(route: string, token: string | null): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ');
  const names: Record<string, string> = {
    accountId: of.account,
    beneficiaryId: of.beneficiary,
    docType: 'Statements',
    statement: of.statement,
    endpointId: of.endpoint,
    approvalId: of.approval,
    customerId: of.owners[0] as string,
  };
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => names[name] ?? 'nobodys');
  const body = BODIES[route] ?? simulationBody(route, of.account);
  const type = Buffer.isBuffer(body) ? 'application/pdf' : 'application/json';
  const query = QUERIES[route]?.() ?? '';
  const headers = body === undefined ? {} : { 'content-type': type };
  return gateway.as(token).raw({ method, path: `${path}${query}`, headers, body });
}

/** Operations about the account that there is, unless others are asked for. */
const operations = (values: Record<string, unknown> = { accountId: of.account }): Promise<Operation[]> =>
  operationsServed(gateway, values);

const askOperation = ({ text, variables }: Operation, token: string | null) =>
  gateway.as(token).graphql(text, variables);

/** Routes about accounts that their bodies name. */
const IN_BODIES = ['POST /notes', 'POST /cards/v1/cards', 'POST /transfers', 'POST /transfers/batch'];
/**
 * The results of several say it, each of its own accounts: test/transfer. What a note is about may be left out:
 * test/note.
 */
const TOLD_IN_RESULTS = ['Mutation.createTransfers', 'Mutation.addNote', 'Query.notes'];

/** What lists everything that its caller may see. */
const LISTS = [
  'Query.accounts',
  'Query.customers',
  'Query.events',
  'Query.transactions',
  'Query.transfers',
  'Query.operatorSessions',
  'Query.tokenRevocations',
  'Query.webhookEndpoints',
  'Query.statementRuns',
  'Query.taxFilings',
  'Query.approvals',
];

describe('API1 broken object level authorization', () => {
  test('of what belongs to another program or customer nothing is found, at any route', async () => {
    const { customer } = await gateway.given.customer({ program: of.program });
    const strangers = [
      await gateway.caller({ program: gateway.given.program(), scopes: SCOPES }),
      await gateway.caller({ program: of.program, customerId: customer, scopes: SCOPES }),
    ];
    for (const token of strangers) {
      for (const route of await servedBy(gateway).routes()) {
        // Their accounts are in the body: their mutations are below.
        if (IN_BODIES.includes(route)) continue;
        const { status, body } = await askRoute(route, token);
        // To a customer what is the bank's alone is forbidden, whatever the account.
        const isForbidden = isOfBank(route) && token === strangers[1];
        if (OWN.includes(route) && !isForbidden) continue;
        const [, noun = 'account'] =
          /\/(webhook-[a-z]+|operator-session|statement-run|tax-filing|customer|approval|request|transfer(?=s\/))s/.exec(
            route,
          ) ?? [];
        const notFound = `${noun.replace('-deliverie', '_delivery').replace('-', '_')}_not_found`;
        const expected = isForbidden ? [403, 'program_wide_only'] : [404, notFound];
        expect([route, status, body.code]).toEqual([route, ...expected]);
      }
    }
  });

  test('nor by any operation', async () => {
    const token = await gateway.caller({ program: gateway.given.program(), scopes: SCOPES });
    for (const operation of await operations({
      accountId: of.account,
      cardHolderId: of.owners[0],
      customerId: of.owners[0],
      endpointId: of.endpoint,
      approvalId: of.approval,
      fromAccountId: of.account,
    })) {
      if ([...LISTS, ...OWN, ...TOLD_IN_RESULTS, ...Object.keys(OPEN_TO_TOKENS)].includes(operation.name)) continue;
      const { data, errors } = await askOperation(operation, token);
      if (operation.name.startsWith('Mutation')) expect(NOT_FOUND).toContain(restCode(errors?.[0].extensions.code));
      else {
        // What is only in a list of the program is not in that of another one.
        const [found] = Object.values(data) as ({ readonly nodes?: unknown[] } | unknown[] | null)[];
        const elements = found && (Array.isArray(found) ? found : found.nodes);
        expect([operation.name, elements ?? found]).toEqual([operation.name, elements ? [] : null]);
      }
    }
    for (const name of LISTS.map(list => list.slice('Query.'.length))) {
      const { data } = await gateway.as(token).graphql(`{ ${name} { totalCount nodes { __typename } } }`);
      expect(data[name]).toEqual({ totalCount: 0, nodes: [] });
    }
  });
});

describe('API2 broken authentication', () => {
  test.each<[string, () => Promise<string | null>]>([
    ['no token', async () => null],
    ['an expired token', () => gateway.caller({ program: of.program, ttlSeconds: -120 })],
    ['a token with another signature', async () => `${of.caller.slice(0, -6)}AAAAAA`],
  ])('with %s every route and every operation is 401', async (_what, make) => {
    const token = await make();
    for (const route of await servedBy(gateway).routes()) {
      const { status, headers, body } = await askRoute(route, token);
      expect([route, status, body.code]).toEqual([route, 401, 'unauthenticated']);
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="tillgate"/);
    }
    for (const operation of await operations()) {
      const { status, headers, errors } = await askOperation(operation, token);
      expect([operation.name, status, errors?.[0].extensions.code]).toEqual([operation.name, 401, 'UNAUTHENTICATED']);
      expect(headers['www-authenticate']).toMatch(/^Bearer realm="tillgate"/);
    }
  });

  test('the token route tells a client that is not known and a wrong secret in the same words', async () => {
    const ask = (client_id: string, client_secret: string) =>
      gateway.as(null).raw({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id,
          client_secret,
        }).toString(),
      });
    const [unknown, wrong] = [await ask('nobody', 'demo-secret'), await ask('demo', 'wrong')];
    expect([unknown.status, wrong.status]).toEqual([401, 401]);
    expect(unknown.text).toBe(wrong.text);
  });
});

describe('API3 broken object property level authorization', () => {
  const FOREIGN = {
    accountId: 'other',
    program: 'other',
    beneficiaryId: randomUUID(),
    position: 1,
    sealed: 'x',
    __proto__x: 1,
  };

  test.each(Object.keys(FOREIGN))('nobody sets %s of a beneficiary', async name => {
    const foreign = { [name]: FOREIGN[name as keyof typeof FOREIGN] };
    const path = `/accounts/${of.account}/beneficiaries`;
    const me = gateway.as(of.caller);
    const answers = [
      await me.rest.post(path, leastBeneficiary(foreign)),
      await me.rest.patch(`${path}/${of.beneficiary}`, foreign),
    ];
    // A record may be sent back with its own id, so another one is of the right shape.
    const changed = name === 'beneficiaryId' ? [422, 'rule_broken'] : [400, 'invalid_input'];
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[400, 'invalid_input'], changed]);
    const { status, errors } = await me.graphql(
      'mutation ($a: ID!, $b: ID!, $i: BeneficiaryPatch!) { updateBeneficiary(input: { accountId: $a, beneficiaryId: $b, patch: $i }) { beneficiary { taxId } } }',
      { a: of.account, b: of.beneficiary, i: foreign },
    );
    expect([status, errors?.[0].extensions.code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('numbers that identify people are masked in what is read and in what a write gives back', async () => {
    const { account, caller } = await gateway.given.account();
    const input = newBeneficiary({ taxId: '917263544' });
    const me = gateway.as(caller);
    const added = await me.rest.post(`/accounts/${account}/beneficiaries`, input);
    const path = `/accounts/${account}/beneficiaries/${added.body.beneficiaryId}`;
    const { text } = await me.graphql(
      `{ account(accountId: "${account}") { owners { taxId governmentId } beneficiaries { nodes { taxId } } } }`,
    );
    for (const said of [added.text, (await me.rest.get(path)).text, (await me.rest.delete(path)).text, text]) {
      expect(said).toContain('*****3544');
      expect(said).not.toContain('917263544');
    }
  });

  test('a beneficiary has the fields of the contract and no others', async () => {
    const { body } = await gateway.as(of.caller).rest.get(`/accounts/${of.account}/beneficiaries/${of.beneficiary}`);
    const fields = [
      'addresses',
      'beneficiaryId',
      'beneficiaryType',
      'dateOfBirth',
      'emails',
      'name',
      'phones',
      'relationship',
      'sharePercentage',
      'taxId',
      'taxIdType',
    ];
    expect(Object.keys(body).toSorted()).toEqual(fields.toSorted());
  });
});

describe('API4 unrestricted resource consumption', () => {
  test('a page has 100 elements at most, whatever is asked for', async () => {
    const given = await gateway.given.account();
    await gateway.given.beneficiaries(given, 100);
    await gateway.given.statement({ of: given });
    const me = gateway.as(given.caller);
    for (const list of ['beneficiaries', 'statements', 'transactions']) {
      const { status } = await me.rest.get(`/accounts/${given.account}/${list}?limit=1000000`);
      expect(status).toBe(200);
    }
    const { body } = await me.rest.get(`/accounts/${given.account}/beneficiaries?limit=1000000`);
    expect(body.accountBeneficiaries).toHaveLength(100);
    const { data } = await me.graphql(
      `{ account(accountId: "${given.account}") { beneficiaries(first: 1000000) { nodes { beneficiaryId } } } }`,
    );
    expect(data.account.beneficiaries.nodes).toHaveLength(100);
  });

  test('a body is 1 MiB at most, and a list in it has a limit', async () => {
    const token = await gateway.caller({ program: of.program, scopes: scopesWithout('operations') });
    const path = `/accounts/${of.account}/owners/add`;
    const huge = JSON.stringify({ query: 'x'.repeat(1024 * 1024), holders: [] });
    const headers = { 'content-type': 'application/json' };
    for (const where of [path, '/graphql']) {
      expect((await gateway.as(token).raw({ method: 'POST', path: where, headers, body: huge })).status).toBe(413);
    }
    const holders = Array.from({ length: 51 }, () => ({ customerId: randomUUID() }));
    expect((await gateway.as(token).rest.post(path, { holders })).status).toBe(422);
  });

  test('a document has an end to its depth and to its length', async () => {
    const nested = `{ account(accountId: "a") ${'{ owners '.repeat(100)}{ customerId }${' }'.repeat(100)} }`;
    const long = `{ ${Array.from({ length: 20_000 }, (_, n) => `a${n}: __typename`).join(' ')} }`;
    for (const [query, refused] of [
      [nested, 400],
      [long, 413],
    ] as const) {
      const { status, data } = await gateway.as(of.caller).graphql(query);
      expect([status, data]).toEqual([refused, undefined]);
    }
  });
});

describe('API5 broken function level authorization', () => {
  test('every route and every operation has a scope, and every other path is meant to be open', async () => {
    const all = [...(await servedBy(gateway).routes()), ...(await operations()).map(({ name }) => name)];
    expect(all.toSorted()).toEqual(
      [NEEDS, OPEN_WITH_PARENT, TRIED_ELSEWHERE, OPEN_TO_TOKENS].flatMap(each => Object.keys(each)).toSorted(),
    );
    expect(await otherPaths()).toEqual(PUBLIC);
  });

  test('without its scope every route is 403, whatever else the token allows', async () => {
    for (const route of await servedBy(gateway).routes()) {
      const scope = NEEDS[route];
      if (!scope) continue;
      for (const scopes of [[], scopesWithout(scope)]) {
        const { status, headers, body } = await askRoute(route, await gateway.caller({ program: of.program, scopes }));
        expect([route, status, body.code]).toEqual([route, 403, 'insufficient_scope']);
        expect(headers['www-authenticate']).toMatch(new RegExp(`error="insufficient_scope".*, scope="${scope}"$`));
      }
    }
  });

  test('without its scope every operation is refused, whatever else the token allows: at the root with 403, further in for its field alone', async () => {
    const rows = await gateway.rows();
    for (const operation of await operations()) {
      const scope = NEEDS[operation.name];
      if (!scope) continue;
      const isRoot = /^(Query|Mutation)\./.test(operation.name);
      for (const scopes of [isRoot ? [] : (['accounts.read'] as const), scopesWithout(scope)]) {
        const { status, headers, data, errors } = await askOperation(
          operation,
          await gateway.caller({ program: of.program, scopes }),
        );
        // Without the scope of the root there is nothing to ask further in.
        const isForbidden =
          isRoot || !scopes.includes('accounts.read') || /^(Webhook|StatementRun|Tax)/.test(operation.name);
        expect([operation.name, status, errors?.[0].extensions.code]).toEqual([
          operation.name,
          isForbidden ? 403 : 200,
          'INSUFFICIENT_SCOPE',
        ]);
        if (isForbidden) expect(headers['www-authenticate']).toMatch(/error="insufficient_scope".*, scope="/);
        else expect(Object.values(data.account)).toEqual([null]);
      }
    }
    expect(await gateway.rows()).toEqual(rows);
  });

  describe('what the gateway declares of each operation is what it does:', () => {
    const granting = (scope: Scope): readonly Scope[] => [scope, ...(INCLUDING_SCOPES.get(scope) ?? [])];
    /** Whether a token with these scopes alone has all that are needed. */
    const suffices = (scopes: readonly Scope[], needed: readonly Scope[]): boolean =>
      needed.every(scope => granting(scope).some(one => scopes.includes(one)));
    const DENIED = ['insufficient_scope', 'program_wide_only'];
    /** No scope, each of the needed ones alone lacking among all there are, and just enough in every way. */
    const tokensFor = (needed: readonly Scope[]): readonly (readonly Scope[])[] => [
      [],
      ...needed.map(lacking => SCOPES.filter(scope => !granting(lacking).includes(scope))),
      ...needed.flatMap(one => granting(one).map(scope => [scope, ...needed.filter(other => other !== one)])),
    ];
    /** A program where there is nothing, so that what is allowed changes nothing that others see. */
    let empty: string;
    beforeAll(() => {
      empty = gateway.given.program();
    });
    const tokens = new Map<string, Promise<string>>();
    const tokenOf = (program: string, scopes: readonly Scope[]): Promise<string> => {
      const key = JSON.stringify([program, scopes]);
      const token = tokens.get(key) ?? gateway.caller({ program, scopes });
      tokens.set(key, token);
      return token;
    };

    /** The scopes of each route, as the OpenAPI document tells them. */
    async function declaredRoutes(): Promise<Map<string, Scope[]>> {
      const { body } = await gateway.as(null).rest.get('/openapi.json');
      const paths = body.paths as Record<string, Record<string, { readonly 'x-required-scope'?: string }>>;
      const declared = new Map<string, Scope[]>();
      for (const [path, methods] of Object.entries(paths)) {
        for (const [method, operation] of Object.entries(methods)) {
          // The names of parameters are the document's own.
          const route = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, ':')}`;
          declared.set(route, (operation['x-required-scope']?.split(' ') ?? []) as Scope[]);
        }
      }
      return declared;
    }

    test('at each route, for tokens that lack a scope, and for those that just suffice', async () => {
      const declared = await declaredRoutes();
      const wrong: unknown[] = [];
      const ofCustomer = await gateway.caller({ program: of.program, customerId: randomUUID(), scopes: SCOPES });
      for (const route of await servedBy(gateway).routes()) {
        const needed = declared.get(route.replaceAll(/:\w+/g, ':'));
        if (!needed || (needed.length === 0) !== route in OPEN_TO_TOKENS) {
          wrong.push([route, 'is not declared']);
          continue;
        }
        for (const scopes of tokensFor(needed)) {
          const token = await tokenOf(empty, scopes);
          const { status, body } = await askRoute(route, token);
          const isDenied = status === 403 && DENIED.includes(body.code as string);
          if (isDenied === suffices(scopes, needed)) wrong.push([route, scopes, status, body.code]);
        }
        const { body } = await askRoute(route, ofCustomer);
        if (isOfBank(route) !== (body.code === 'program_wide_only')) wrong.push([route, 'a customer', body.code]);
      }
      expect(wrong).toEqual([]);
    });

    const withoutScope = new Set(
      [OPEN_WITH_PARENT, TRIED_ELSEWHERE, OPEN_TO_TOKENS].flatMap(each => Object.keys(each)),
    );
    const isDenied = (errors: Awaited<ReturnType<typeof askOperation>>['errors']): boolean =>
      (errors ?? []).some(({ extensions }) => DENIED.includes(restCode(extensions.code)));

    test('by each operation, for tokens that lack a scope, and for those that just suffice', async () => {
      const wrong: unknown[] = [];
      const scopesOf = await servedBy(gateway).scopes();
      const scopesOfField = (type: string, field: string): readonly Scope[] => scopesOf[`${type}.${field}`] ?? [];
      const all = await operations({ accountId: of.account, endpointId: of.endpoint, approvalId: of.approval });
      for (const operation of all) {
        const { name, text } = operation;
        if (withoutScope.has(name)) continue;
        const [type = '', field = ''] = name.split('.');
        const own = scopesOfField(type, field);
        if (own.length === 0) {
          wrong.push([name, 'is not declared']);
          continue;
        }
        const isRoot = type === 'Query' || type === 'Mutation';
        const [, root = ''] = /\{ (\w+)/.exec(text) ?? [];
        const toRoot = isRoot ? [] : scopesOfField('Query', root);
        for (const scopes of tokensFor(own)) {
          const given = [...new Set([...scopes, ...toRoot])];
          const { errors } = await askOperation(operation, await tokenOf(isRoot ? empty : of.program, given));
          if (isDenied(errors) === suffices(given, own)) wrong.push([name, given]);
        }
      }
      expect(wrong).toEqual([]);
    });
  });

  test('a token of one customer never operates the program, though it says so', async () => {
    const token = await gateway.caller({ program: of.program, customerId: of.owners[0] as string, scopes: SCOPES });
    expect((await askRoute('POST /accounts/:accountId/statements', token)).status).toBe(403);
    for (const operation of (await operations()).filter(({ name }) => isOfBank(name))) {
      const { status, errors } = await askOperation(operation, token);
      // What is asked of an account that the customer sees is refused alone.
      const expected = operation.name.startsWith('Account.') ? 200 : 403;
      expect([status, errors?.[0].extensions.code]).toEqual([expected, 'PROGRAM_WIDE_ONLY']);
    }
  });
});

describe('API6 unrestricted access to sensitive business flows', () => {
  test('the same posting sent twenty times at once moves money once', async () => {
    const { account, caller } = await gateway.given.account();
    const post = `mutation ($a: ID!, $t: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $a, transactions: $t }) { transactions { transactionId } } }`;
    const posting = {
      transactionId: unique('tx'),
      amount: '100.00',
      direction: 'CREDIT',
      category: 'ACH',
      status: 'POSTED',
      transactionType: 'X',
      transactedAt: '2026-01-02T03:04:05Z',
      postedAt: '2026-01-02T03:04:05Z',
    };
    const me = gateway.as(caller);
    const headers = keyed(unique('key'));
    await Promise.all(Array.from({ length: 20 }, () => me.graphql(post, { a: account, t: [posting] }, { headers })));
    // And once more, under no key at all.
    await me.graphql(post, { a: account, t: [posting] });
    const { data } = await me.graphql(`{ account(accountId: "${account}") { availableBalance } }`);
    expect(data.account.availableBalance).toBe('100.00');
    expect((await me.rest.get(`/accounts/${account}/transactions`)).body.page.totalElements).toBe(1);
  });

  test('an account takes 100 beneficiaries, and no more by adding them at once', async () => {
    const given = await gateway.given.account();
    await gateway.given.beneficiaries(given, 97);
    const me = gateway.as(given.caller);
    const path = `/accounts/${given.account}/beneficiaries`;
    const answers = await Promise.all(Array.from({ length: 8 }, () => me.rest.post(path, leastBeneficiary())));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      201,
      201,
      ...Array.from({ length: 5 }, () => 409),
    ]);
  });
});

describe('API7 server side request forgery', () => {
  let trap: Server;
  let hits = 0;
  beforeAll(async () => {
    trap = createServer((_request, response) => {
      hits += 1;
      response.end('{}');
    });
    await new Promise<void>(resolve => trap.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise(resolve => trap.close(resolve)));
  const address = () => `http://127.0.0.1:${(trap.address() as AddressInfo).port}/x`;

  test('no address that is sent is ever called: in tokens, headers, bodies or documents', async () => {
    const headers = {
      host: new URL(address()).host,
      'x-forwarded-host': new URL(address()).host,
      origin: address(),
      referer: address(),
      'x-original-url': address(),
      callback: address(),
    };
    const me = gateway.as(of.caller);
    const path = `/accounts/${of.account}/beneficiaries`;
    const added = await me.rest.post(path, leastBeneficiary({ name: { first: address(), last: 'x' } }), headers);
    expect(added.headers.location).toBe(`${path}/${added.body.beneficiaryId}`);
    const upload = (pdf: Buffer) =>
      me.raw({
        method: 'POST',
        path: `/accounts/${of.account}/statements?statementDate=2026-01-31`,
        body: pdf,
        headers: { 'content-type': 'application/pdf' },
      });
    // A link for its reader to follow is no harm; one that is followed by itself is.
    expect((await upload(pdfOf('x', 0, `/A << /S /URI /URI (${address()}) >>`))).status).toBe(201);
    expect((await upload(pdfOf('x', 0, `/OpenAction << /S /URI /URI (${address()}) >>`))).status).toBe(422);
    await me.graphql(`{ account(accountId: "${of.account}") { accountId } }`, {}, { headers });
    const stranger = await Issuer.start();
    for (const name of ['jku', 'x5u']) {
      const token = await stranger.sign({}, { header: { [name]: address() } });
      expect((await gateway.as(token).rest.get(path)).status).toBe(401);
      expect((await gateway.as(token).graphql('{ __typename }')).status).toBe(401);
    }
    await stranger.goDown();
    expect(hits).toBe(0);
  });
});

describe('API8 security misconfiguration', () => {
  test('answers name no product, let no other site read them and stay in no cache', async () => {
    const headers = { origin: 'https://evil.example' };
    const answers = [
      await gateway.as(of.caller).rest.get(`/accounts/${of.account}/beneficiaries`, headers),
      await gateway.as(of.caller).rest.get('/nothing', headers),
      await gateway.as(of.caller).rest.post('/graphql', { query: '{ __typename }' }, headers),
      await gateway.as(null).rest.post('/graphql', { query: '{ __typename }' }, headers),
    ];
    for (const answer of answers) {
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
      expect([answer.headers['x-powered-by'], answer.headers.server]).toEqual([undefined, undefined]);
    }
  });

  test('in production the schema is not told, neither when asked for nor by guessing', async () => {
    const production = await startTestGateway({ production: true });
    const me = production.as(await production.caller());
    for (const query of [
      '{ __schema { types { name } } }',
      '{ __type(name: "Account") { name } }',
      '{ acount { id } }',
    ]) {
      const { status, data, text } = await me.graphql(query);
      expect([status, data]).toEqual([400, undefined]);
      expect(text).not.toMatch(/did you mean|Account\b|accountId/i);
    }
    await production.stop();
  });

  test.each(['TRACE', 'PUT', 'OPTIONS', 'PROPFIND'])('the method %s does nothing', async method => {
    for (const path of ['/graphql', `/accounts/${of.account}/beneficiaries`]) {
      const { status, text } = await gateway.as(of.caller).raw({ method, path, headers: { 'x-probe': 'canary' } });
      expect([200, 204, 400, 404, 405]).toContain(status);
      expect(text).not.toContain('canary');
    }
  });
});

describe('API9 improper inventory management', () => {
  test.each([
    '/v1/accounts',
    '/v2/accounts',
    '/api/accounts',
    '/admin',
    '/debug',
    '/debug/pprof',
    '/actuator/env',
    '/console',
    '/.env',
    '/.git/config',
    '/package.json',
    '/playground',
    '/altair',
    '/voyager',
    '/swagger.json',
    '/accounts/',
    '/oauth/authorize',
    '/server-status',
    '/phpinfo.php',
    '/graphql/schema',
  ])('%s is nothing', async path => {
    expect((await gateway.as(of.caller).rest.get(path)).status).toBe(404);
    // The console is off here, and its addresses are unknown to everybody.
    expect((await gateway.as(null).rest.get(path)).status).toBe(path === '/console' ? 404 : 401);
  });
});

describe('API10 unsafe consumption of APIs', () => {
  const answers: Record<string, (issuer: Issuer) => [status: number, body: string]> = {
    'that are no JSON': () => [200, '<html>'],
    'that are no list of keys': () => [200, '{"keys":{}}'],
    'that are none': () => [200, '{"keys":[]}'],
    'from somewhere else': () => [302, ''],
    'that are secrets': () => [
      200,
      JSON.stringify({ keys: [{ kty: 'oct', k: 'c2VjcmV0', kid: 'key-ES256', alg: 'HS256' }] }),
    ],
    'that are private': issuer => [
      200,
      JSON.stringify({
        keys: [{ ...issuer.publicJwk('key-ES256'), d: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4' }],
      }),
    ],
    'that are for something else': issuer => [
      200,
      JSON.stringify({ keys: [{ ...issuer.publicJwk('key-ES256'), use: 'enc' }] }),
    ],
    'that are broken': issuer => [200, JSON.stringify({ keys: [{ ...issuer.publicJwk('key-ES256'), x: 'AA' }] })],
  };
  test.each(Object.keys(answers))('an issuer with keys %s lets nobody in and breaks nothing', async what => {
    const issuer = await Issuer.start();
    let hits = 0;
    const server = createServer((_request, response) => {
      hits += 1;
      const [status, body] = answers[what]?.(issuer) ?? [500, ''];
      response.writeHead(status, { 'content-type': 'application/json', location: issuer.jwksUrl }).end(body);
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
    const theirs = await startTestGateway({ auth: { issuer: ISSUER, audience: AUDIENCE, jwksUrl } });
    const token = await issuer.sign(goodClaims());
    const [rest, graphql] = [
      await theirs.as(token).rest.get('/accounts/a/beneficiaries'),
      await theirs.as(token).graphql('{ __typename }'),
    ];
    for (const { status } of [rest, graphql]) expect([401, 503]).toContain(status);
    expect(hits).toBeGreaterThan(0);
    expect(issuer.fetches).toBe(0);
    expect((await theirs.as(null).rest.get('/livez')).status).toBe(200);
    await theirs.stop();
    await issuer.goDown();
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
});
