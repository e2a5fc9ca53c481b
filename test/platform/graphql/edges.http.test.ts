import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Scope } from '../../../src/shared/caller.js';
import { HoldClient } from '../../hold/support/holds.js';
import { newCard } from '../../support/card.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { scopesWithout, startTestGateway, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import type { AnyBody } from '../../support/http.js';
import { StatementWatch } from '../../support/statement-watch.js';
import { testUnless } from '../../support/unless.js';
import { entry, post } from '../../transaction/support/ledger.js';

let gateway: TestGateway;
let watch: StatementWatch;
let of: GivenAccount;
let card: string;
let customer: string;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: { REQUEST_LOG: 'off' } }, async url => {
    watch = await StatementWatch.start(url);
    return watch.url;
  });
  of = await gateway.given.account({ owners: 1, balanceMinor: 0n });
  customer = of.owners[0] as string;
  const { program, account, caller } = of;
  const { rest } = gateway.as(caller);
  await gateway.given.programRecord(program);
  const uncertified = { taxStatus: 'UNCERTIFIED', taxStatusOn: '2026-01-01' };
  await rest.patch(`/customers/${customer}`, uncertified);
  card = (await rest.post('/cards/v1/cards', newCard(account, customer))).body.cardId as string;
  const first = entry();
  await post(gateway, of, [first]);
  await post(gateway, of, [
    entry({ debitCreditMemo: 'DEBIT', amount: '1', referenceTransactionId: first.transactionId }),
  ]);
  const corrected = await gateway.given.statement({ of });
  await gateway.given.statement({ of, correctsStatementId: corrected.statement, statementDate: '2026-05-31' });
  const { endpointId } = (await rest.post('/webhook-endpoints', { url: 'https://hooks.edges.example/t' })).body;
  for (let n = 0; n < 3; n++) await rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  await new HoldClient(gateway, of).place({
    holdId: 'by-card',
    amount: '2.00',
    description: 'Fuel',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    cardId: card,
  });
});
afterAll(async () => {
  await gateway.stop();
  await watch.stop();
});

interface Edge {
  readonly text: string;
  readonly scope: Scope;
  /** Where the edge is in an answer. */
  readonly seen: (data: AnyBody) => unknown;
  readonly expected: () => unknown;
}

const inAccount = (text: string): string =>
  `query ($a: ID!, $c: ID!) { account(accountId: $a) { ${text} } customer(customerId: $c) { customerId } }`;
const inProgram = (text: string): string =>
  `query ($a: ID!, $c: ID!) { ${text} account(accountId: $a) { accountId } customer(customerId: $c) { customerId } }`;

const EDGES: Readonly<Record<string, Edge>> = {
  'Hold.card': {
    text: inAccount('holds { nodes { card { cardId } } }'),
    scope: 'cards.read',
    seen: ({ account }) => account.holds.nodes[0].card,
    expected: () => ({ cardId: card }),
  },
  'Transaction.references': {
    text: inAccount(
      'transactions(filter: { directions: DEBIT, statuses: [POSTED] }) { nodes { transactionType referenceTransactionId references { transactionId amount } } }',
    ),
    scope: 'transactions.read',
    seen: ({ account }) => account.transactions.nodes.at(-1).references,
    expected: () => ({ transactionId: expect.any(String), amount: '10.00' }),
  },
  'Statement.correctedBy': {
    text: inAccount('statements { nodes { corrects { statementId } correctedBy { statementId } } }'),
    scope: 'statements.read',
    seen: ({ account }) => account.statements.nodes,
    expected: () =>
      expect.arrayContaining([
        { corrects: { statementId: expect.any(String) }, correctedBy: null },
        { corrects: null, correctedBy: { statementId: expect.any(String) } },
      ]),
  },
  'Account.program': {
    text: inAccount('program { programId }'),
    scope: 'operations.read',
    seen: ({ account }) => account.program,
    expected: () => ({ programId: of.program }),
  },
  'Owner.customer': {
    text: inAccount('owners { customer { customerId } }'),
    scope: 'operations.read',
    seen: ({ account }) => account.owners[0].customer,
    expected: () => ({ customerId: customer }),
  },
  'TaxPayee.customer': {
    text: inProgram(
      'taxYear(taxYear: 2026) { payees(filter: { list: BACKUP_WITHHOLDING }) { nodes { customer { customerId } } } }',
    ),
    scope: 'operations.read',
    seen: ({ taxYear }) => taxYear.payees.nodes,
    expected: () => [{ customer: { customerId: customer } }],
  },
  'Customer.accounts': {
    text: inProgram('owned: customer(customerId: $c) { accounts { totalCount nodes { accountId } } }'),
    scope: 'accounts.read',
    seen: ({ owned }) => owned.accounts,
    expected: () => ({ totalCount: 1, nodes: [{ accountId: of.account }] }),
  },
  'WebhookDelivery.endpoint': {
    text: inProgram(
      'webhookEndpoints { nodes { endpointId deliveries { nodes { endpoint { url } account { accountId } } } } }',
    ),
    scope: 'operations.read',
    seen: ({ webhookEndpoints }) => webhookEndpoints.nodes[0].deliveries.nodes[0],
    expected: () => ({ endpoint: { url: 'https://hooks.edges.example/t' }, account: null }),
  },
  'Event.account': {
    text: inProgram('events(filter: { types: ["card.created"] }) { nodes { account { accountId } } }'),
    scope: 'accounts.read',
    seen: ({ events }) => events.nodes[0].account,
    expected: () => ({ accountId: of.account }),
  },
  'Event.record': {
    text: inProgram(
      'events(filter: { types: ["card.created"] }) { nodes { object node: record { ... on Card { cardId status } } } }',
    ),
    scope: 'cards.read',
    seen: ({ events }) => events.nodes[0].node,
    expected: () => ({ cardId: card, status: 'ACTIVE' }),
  },
  'SearchHit.record': {
    text: inProgram('search(text: "SEARCHED") { kind node: record { ... on Account { accountId } } }'),
    scope: 'accounts.read',
    seen: ({ search }) => search[0].node,
    expected: () => ({ accountId: of.account }),
  },
};

const asked = (text: string) => text.replace('SEARCHED', of.account);

test.each(Object.entries(EDGES))('%s gives the record, and needs the scope of such records', async (_name, edge) => {
  const variables = { a: of.account, c: customer };
  const { data, errors } = await gateway.as(of.caller).graphql(asked(edge.text), variables);
  expect(errors).toBeUndefined();
  expect(edge.seen(data)).toEqual(edge.expected());

  const without = await gateway.caller({ program: of.program, scopes: scopesWithout(edge.scope) });
  const refused = await gateway.as(without).graphql(asked(edge.text), variables);
  expect(refused.errors?.map(({ extensions }) => extensions['code'])).toContain('INSUFFICIENT_SCOPE');
});

testUnless(differsOnCitus('oneByOne'))('an edge of a page costs one look-up, however long the page is', async () => {
  const { rest } = gateway.as(of.caller);
  const { endpointId } = (await rest.post('/webhook-endpoints', { url: 'https://hooks.edges.example/many' })).body;
  for (let n = 0; n < 8; n++) await rest.post(`/webhook-endpoints/${endpointId}/test`, { type: 'card.frozen' });
  const others = await Promise.all(
    Array.from({ length: 5 }, () => gateway.given.account({ program: of.program, owners: 1 })),
  );
  const ids = [of.account, ...others.map(({ account }) => account)];
  const sentFor = async (text: string) => {
    watch.take();
    const { errors } = await gateway.as(of.caller).graphql(text, { ids, e: endpointId });
    expect(errors).toBeUndefined();
    // Plans of a connection are renewed now and then, whatever is asked, and a new connection makes its settings.
    return watch.take().filter(statement => !/^plans_forget$|^set /i.test(statement)).length;
  };
  // Work that is due at times, such as that of webhooks, may fall into one of them.
  const statementsOf = async (text: string) => Math.min(await sentFor(text), await sentFor(text), await sentFor(text));
  const accounts = (edge: string) =>
    `query ($ids: [ID!]) { accounts(filter: { accountIds: $ids }) { nodes { accountId ${edge} } } }`;
  const plain = await statementsOf(accounts(''));
  expect(await statementsOf(accounts('program { name }'))).toBe(plain + 1);
  // Owners of accounts are looked up as well.
  expect(await statementsOf(accounts('owners { customer { customerId } }'))).toBeLessThanOrEqual(plain + 2);
  const deliveries = (edge: string) =>
    `query ($e: ID!) { webhookEndpoint(endpointId: $e) { deliveries { nodes { deliveryId ${edge} } } } }`;
  expect(await statementsOf(deliveries('endpoint { url }'))).toBe((await statementsOf(deliveries(''))) + 1);
});
