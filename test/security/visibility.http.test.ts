import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { getNamedType, isCompositeType, type GraphQLField, type GraphQLObjectType } from 'graphql';
import { nodeId } from '../../src/platform/graphql/node-id.js';
import { SCOPES } from '../../src/shared/caller.js';
import { HoldClient, inSeconds, newHold } from '../hold/support/holds.js';
import { make as makeTransfer, transferOf } from '../transfer/support/transfers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { servedBy, servedSchema } from '../support/served.js';
import { cardNumber, newCard } from '../support/card.js';
import { leastBeneficiary, type GivenBeneficiary } from '../support/given.js';
import {
  SIMULATIONS,
  SIMULATION_FIELDS,
  SIMULATION_KINDS,
  simulationBody,
  simulationField,
} from '../support/simulations.js';
import { pdfOf } from '../support/statement.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/**
 * An account with an owner, a beneficiary, a card, a transaction and a statement, and a second customer of the program.
 */
interface Target extends GivenBeneficiary {
  readonly customer: string;
  readonly transaction: string;
  readonly statement: string;
  readonly hold: string;
  /** Another account of its owner, and a transfer to that. */
  readonly second: string;
  readonly transfer: string;
  /** Cards by their state. */
  readonly card: Readonly<Record<'Inactive' | 'Active' | 'Frozen', string>>;
}

const posting = (transactionId: string) => ({
  transactionId,
  amount: '100.00',
  direction: 'CREDIT',
  category: 'ACH',
  transactionType: 'DIRECTDEPOSIT',
  status: 'POSTED',
  transactedAt: '2026-01-02T03:04:05Z',
  postedAt: '2026-01-02T03:04:05Z',
});

async function target(): Promise<Target> {
  const given = await gateway.given.beneficiary();
  const transaction = unique('tx');
  const { errors } = await gateway
    .as(given.caller)
    .graphql(
      `mutation ($a: ID!, $t: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $a, transactions: $t }) { transactions { transactionId } } }`,
      { a: given.account, t: [posting(transaction)] },
    );
  expect(errors).toBeUndefined();
  const card = { Inactive: '', Active: '', Frozen: '' };
  for (const status of ['Inactive', 'Active', 'Frozen'] as const) {
    const record = newCard(given.account, given.owners[0] as string, { status });
    card[status] = (await gateway.as(given.caller).rest.post('/cards/v1/cards', record)).body.cardId;
  }
  const { customer } = await gateway.given.customer({ program: given.program });
  const { statement } = await gateway.given.statement({ of: given });
  const hold = await new HoldClient(gateway, given).placed();
  const { account: second } = await gateway.given.account({ program: given.program, owners: given.owners });
  const between = { from: given, to: { account: second } };
  const made = await makeTransfer(gateway, 'REST', given.caller, transferOf(between, { amount: '0.01' }));
  const transfer = made.transfer?.transferId ?? '';
  return { ...given, customer, transaction, statement, card, hold, second, transfer };
}

/** The ids of an account and of one record of each kind that belongs to it. */
function recordsOf(of: Target): string[] {
  const records = {
    Beneficiary: of.beneficiary,
    Card: of.card.Active,
    Hold: of.hold,
    Owner: of.owners[0],
    Statement: of.statement,
    Transaction: of.transaction,
  };
  return [
    nodeId('Account', [of.account]),
    nodeId('Transfer', [of.transfer]),
    ...Object.entries(records).map(([type, key]) => nodeId(type, [of.account, key])),
  ];
}

/** How to ask for each operation about somebody's account. A new operation needs a line here. */
const QUERIES: Record<string, (of: Target) => string> = {
  account: of => `account(accountId: "${of.account}") { accountId }`,
  accounts: of => `accounts(filter: { accountIds: ["${of.account}"] }) { totalCount nodes { accountId } }`,
  events: of => `events(filter: { accountId: "${of.account}" }) { totalCount nodes { id } }`,
  node: of => `node(id: "${nodeId('Account', [of.account])}") { id }`,
  nodes: of => `nodes(ids: ${JSON.stringify(recordsOf(of))}) { id }`,
  transactions: () => `transactions(first: 100) { totalCount nodes { transactionId } }`,
  transfer: of => `transfer(transferId: "${of.transfer}") { transferId }`,
  transfers: () => `transfers(first: 100) { totalCount nodes { transferId } }`,
};
const MUTATIONS: Record<string, (of: Target) => string> = {
  addBeneficiary: of =>
    `addBeneficiary(input: { accountId: "${of.account}", beneficiary: { name: { first: "A", last: "B" }, beneficiaryType: PRIMARY, relationship: CHILD, sharePercentage: 1 } }) { beneficiary { beneficiaryId } }`,
  updateBeneficiary: of =>
    `updateBeneficiary(input: { accountId: "${of.account}", beneficiaryId: "${of.beneficiary}", patch: { sharePercentage: 99 } }) { beneficiary { beneficiaryId } }`,
  deleteBeneficiary: of =>
    `deleteBeneficiary(input: { accountId: "${of.account}", beneficiaryId: "${of.beneficiary}" }) { beneficiary { beneficiaryId } }`,
  addAccountOwners: of =>
    `addAccountOwners(input: { accountId: "${of.account}", customerIds: ["${of.customer}"] }) { results { ownerStatus } }`,
  removeAccountOwners: of =>
    `removeAccountOwners(input: { accountId: "${of.account}", customerIds: ["${of.owners[0]}"] }) { results { ownerStatus } }`,
  createCard: of =>
    `createCard(input: { card: { type: VIRTUAL, number: "${cardNumber()}", currency: "USD", expiration: "1299", accountId: "${of.account}", cardHolderId: "${of.owners[0]}", cardProductId: "p" } }) { card { cardId } }`,
  activateCard: of =>
    `activateCard(input: { accountId: "${of.account}", cardId: "${of.card.Inactive}" }) { card { cardId } }`,
  freezeCard: of =>
    `freezeCard(input: { accountId: "${of.account}", cardId: "${of.card.Active}" }) { card { cardId } }`,
  unfreezeCard: of =>
    `unfreezeCard(input: { accountId: "${of.account}", cardId: "${of.card.Frozen}" }) { card { cardId } }`,
  reportCard: of =>
    `reportCard(input: { accountId: "${of.account}", cardId: "${of.card.Active}", loss: LOST }) { card { cardId } }`,
  closeCard: of => `closeCard(input: { accountId: "${of.account}", cardId: "${of.card.Active}" }) { card { cardId } }`,
  updateAccount: of =>
    `updateAccount(input: { accountId: "${of.account}", patch: { accountType: CD } }) { account { accountId } }`,
  restrictAccount: of =>
    `restrictAccount(input: { accountId: "${of.account}", reason: "Because" }) { account { accountId } }`,
  unrestrictAccount: of => `unrestrictAccount(input: { accountId: "${of.account}" }) { account { accountId } }`,
  closeAccount: of =>
    `closeAccount(input: { accountId: "${of.account}", reason: "Because" }) { account { accountId } }`,
  revealPersonalData: of =>
    `revealPersonalData(input: { accountId: "${of.account}", customerId: "${of.owners[0]}", reason: "Because" }) { personalData { taxId } }`,
  postAccountTransactions: of =>
    `postAccountTransactions(input: { accountId: "${of.account}", transactions: [{ transactionId: "${of.transaction}-2", amount: "1.00", direction: DEBIT, category: "ACH", transactionType: "X", status: POSTED, transactedAt: "2026-01-02T03:04:05Z", postedAt: "2026-01-02T03:04:05Z" }] }) { transactions { transactionId } }`,
  reverseTransaction: of =>
    `reverseTransaction(input: { accountId: "${of.account}", transactionId: "${of.transaction}", reason: "Because" }) { transaction { transactionId } }`,
  placeHold: of =>
    `placeHold(input: { accountId: "${of.account}", hold: { holdId: "${unique('hold')}", amount: "1.00", description: "Fuel", expiresAt: "${inSeconds(1000)}" } }) { hold { holdId } }`,
  captureHold: of =>
    `captureHold(input: { accountId: "${of.account}", holdId: "${of.hold}", amount: "1.00" }) { hold { holdId } }`,
  releaseHold: of => `releaseHold(input: { accountId: "${of.account}", holdId: "${of.hold}" }) { hold { holdId } }`,
  createTransfer: of =>
    `createTransfer(input: { transfer: { fromAccountId: "${of.account}", toAccountId: "${of.second}", transferId: "${unique('tr')}", amount: "0.01" } }) { transfer { transferId } }`,
  setTransferLimits: of =>
    `setTransferLimits(input: { accountId: "${of.account}", patch: { perDay: "7.00" } }) { limits { perDay } }`,
  reverseTransfer: of =>
    `reverseTransfer(input: { transferId: "${of.transfer}", reason: "Because" }) { transfer { transferId } }`,
  addStatement: of =>
    `addStatement(input: { accountId: "${of.account}", statement: { statementDate: "2026-01-31", document: "${pdfOf().toString('base64')}" } }) { statement { statementId } }`,
};
for (const kind of SIMULATION_KINDS) MUTATIONS[SIMULATIONS[kind][0]] = of => simulationField(kind, of.account);
const UPLOAD = 'POST /accounts/:accountId/statements';
const OF_TRANSFER = ['GET /transfers/:transferId', 'POST /transfers/:transferId/reverse'] as const;
/** What no token of a single customer may do. */
const OF_THE_BANK = [
  UPLOAD,
  'POST /accounts/:accountId/owners/add',
  'POST /accounts/:accountId/owners/remove',
  ...SIMULATION_KINDS.map(kind => `POST /simulate/${kind}`),
  ...['', '/:holdId/capture', '/:holdId/release'].map(path => `POST /accounts/:accountId/holds${path}`),
  'PATCH /accounts/:accountId',
  'PATCH /accounts/:accountId/transfer-limits',
  'POST /accounts/:accountId/restrict',
  'POST /accounts/:accountId/unrestrict',
  'POST /accounts/:accountId/close',
  'GET /accounts/:accountId/event-chain',
  'POST /accounts/:accountId/reveal',
  'POST /accounts/:accountId/transactions/:transactionId/reverse',
  OF_TRANSFER[1],
];
const ROUTES: Record<string, (of: Target) => [method: string, path: string, body?: unknown]> = {
  'GET /accounts/:accountId': of => ['GET', `/accounts/${of.account}`],
  'GET /accounts/:accountId/event-chain': of => ['GET', `/accounts/${of.account}/event-chain`],
  'POST /accounts/:accountId/reveal': of => [
    'POST',
    `/accounts/${of.account}/reveal`,
    { customerId: of.owners[0], reason: 'Because' },
  ],
  'PATCH /accounts/:accountId': of => ['PATCH', `/accounts/${of.account}`, { accountType: 'CD' }],
  'POST /accounts/:accountId/restrict': of => ['POST', `/accounts/${of.account}/restrict`, { reason: 'Because' }],
  'POST /accounts/:accountId/unrestrict': of => ['POST', `/accounts/${of.account}/unrestrict`, {}],
  'POST /accounts/:accountId/close': of => ['POST', `/accounts/${of.account}/close`, { reason: 'Because' }],
  'GET /accounts/:accountId/beneficiaries': of => ['GET', `/accounts/${of.account}/beneficiaries`],
  'POST /accounts/:accountId/beneficiaries': of => [
    'POST',
    `/accounts/${of.account}/beneficiaries`,
    leastBeneficiary(),
  ],
  'GET /accounts/:accountId/beneficiaries/:beneficiaryId': of => [
    'GET',
    `/accounts/${of.account}/beneficiaries/${of.beneficiary}`,
  ],
  'PATCH /accounts/:accountId/beneficiaries/:beneficiaryId': of => [
    'PATCH',
    `/accounts/${of.account}/beneficiaries/${of.beneficiary}`,
    { sharePercentage: 99 },
  ],
  'DELETE /accounts/:accountId/beneficiaries/:beneficiaryId': of => [
    'DELETE',
    `/accounts/${of.account}/beneficiaries/${of.beneficiary}`,
  ],
  'POST /accounts/:accountId/owners/add': of => [
    'POST',
    `/accounts/${of.account}/owners/add`,
    { holders: [{ customerId: of.customer }] },
  ],
  'POST /accounts/:accountId/owners/remove': of => [
    'POST',
    `/accounts/${of.account}/owners/remove`,
    { holders: [{ customerId: of.owners[0] }] },
  ],
  'POST /cards/v1/cards': of => ['POST', '/cards/v1/cards', newCard(of.account, of.owners[0] as string)],
  'GET /cards/v1/cards/:cardId': of => ['GET', `/cards/v1/cards/${of.card.Active}?accountId=${of.account}`],
  'GET /accounts/:accountId/transactions': of => ['GET', `/accounts/${of.account}/transactions`],
  'GET /accounts/:accountId/balances': of => ['GET', `/accounts/${of.account}/balances?from=2026-01-01&to=2026-01-31`],
  'POST /accounts/:accountId/transactions/:transactionId/reverse': of => [
    'POST',
    `/accounts/${of.account}/transactions/${of.transaction}/reverse`,
    { reason: 'Because' },
  ],
  'GET /accounts/:accountId/holds': of => ['GET', `/accounts/${of.account}/holds`],
  'POST /accounts/:accountId/holds': of => ['POST', `/accounts/${of.account}/holds`, { ...newHold(), amount: 75 }],
  'GET /accounts/:accountId/holds/:holdId': of => ['GET', `/accounts/${of.account}/holds/${of.hold}`],
  'POST /accounts/:accountId/holds/:holdId/capture': of => [
    'POST',
    `/accounts/${of.account}/holds/${of.hold}/capture`,
    { amount: 1 },
  ],
  'POST /accounts/:accountId/holds/:holdId/release': of => ['POST', `/accounts/${of.account}/holds/${of.hold}/release`],
  'POST /transfers': of => [
    'POST',
    '/transfers',
    { fromAccountId: of.account, toAccountId: of.second, transferId: unique('tr'), amount: 0.01 },
  ],
  [OF_TRANSFER[0]]: of => ['GET', `/transfers/${of.transfer}`],
  [OF_TRANSFER[1]]: of => ['POST', `/transfers/${of.transfer}/reverse`, { reason: 'Because' }],
  'GET /accounts/:accountId/transfer-limits': of => ['GET', `/accounts/${of.account}/transfer-limits`],
  'PATCH /accounts/:accountId/transfer-limits': of => [
    'PATCH',
    `/accounts/${of.account}/transfer-limits`,
    { perDay: 7 },
  ],
  'GET /accounts/:accountId/transfers': of => ['GET', `/accounts/${of.account}/transfers`],
  'GET /accounts/:accountId/statements': of => ['GET', `/accounts/${of.account}/statements`],
  [UPLOAD]: of => ['POST', `/accounts/${of.account}/statements?statementDate=2026-01-31`, pdfOf()],
  'GET /accounts/:accountId/:docType/:statement': of => ['GET', `/accounts/${of.account}/Statements/${of.statement}`],
};

for (const kind of SIMULATION_KINDS) {
  const route = `POST /simulate/${kind}`;
  ROUTES[route] = of => ['POST', `/simulate/${kind}`, simulationBody(route, of.account)];
}

/**
 * What is about a program, makes what is not there yet, or has a result for each of its parts, as batches have. Who
 * sees it is tried in test/account, test/owner, test/event, test/import, test/note, test/program, test/search,
 * test/viewer, packages/requests, packages/overview, test/approval, test/session, test/sandbox, test/statement/run, test/token, test/transfer/batch and
 * test/webhook.
 */
const isOfProgram = (name: string): boolean =>
  /apiRequest|import|customer|note|^openAccount$|^POST \/accounts$|webhook|token|operator-?session|approval|statement-?run|tax-?(answer|filing|year)|clock$|month-?close$|^sendTestEvent$|^feedCursor$|^((update)?program|programOverview|search|viewer|createTransfers)$|\/batch$|^GET \/(events|overview|program|requests(\/:requestId)?|search|viewer|transactions|transfers)$/i.test(
    name,
  );

describe('this file knows every operation', () => {
  const fieldsOf = (type: GraphQLObjectType | null | undefined): string[] =>
    Object.keys(type?.getFields() ?? {}).filter(name => !isOfProgram(name));

  test('of GraphQL', async () => {
    const schema = await servedSchema(gateway);
    expect(Object.keys(QUERIES).sort()).toEqual(fieldsOf(schema.getQueryType()).sort());
    expect(Object.keys(MUTATIONS).sort()).toEqual(fieldsOf(schema.getMutationType()).sort());
  });

  test('of REST', async () => {
    const routes = await servedBy(gateway).routes();
    expect(Object.keys(ROUTES).sort()).toEqual(routes.filter(name => !isOfProgram(name)));
  });
});

async function stored({ account }: Target): Promise<unknown> {
  const tables = [
    'account',
    'account_owner',
    'beneficiary',
    'card',
    'hold',
    'transaction',
    'statement',
    'transfer',
    'account_limit',
  ];
  // That somebody was not allowed to do something is on record, and changes nothing.
  const sources = [...tables, `(SELECT * FROM event WHERE outcome = 'DONE')`];
  const { rows } = await gateway.sql.query(
    sources
      .map(source => `SELECT (SELECT json_agg(t ORDER BY t::text) FROM ${source} t WHERE account_id = $1) AS rows`)
      .join(' UNION ALL '),
    [account],
  );
  return rows;
}

/** Callers to whom an account does not exist. */
const STRANGERS: Record<string, (of: Target) => Promise<string>> = {
  'a caller of another program': async () => allowedAll({ program: gateway.given.program() }),
  'a caller of another program that owns an account there': async () => allowedAll(await gateway.given.beneficiary()),
  'another customer of the program': async ({ program, customer }) => allowedAll({ program, customerId: customer }),
  'a customer that nobody knows': async ({ program }) => allowedAll({ program, customerId: randomUUID() }),
  'the owner, with a token of another program': async ({ owners }) =>
    allowedAll({ program: gateway.given.program(), customerId: owners[0] }),
  'a program of a similar name': async ({ program }) => allowedAll({ program: program.toUpperCase() }),
};

function allowedAll({
  program,
  customerId = null,
}: {
  program: string;
  customerId?: string | null | undefined;
}): Promise<string> {
  return gateway.caller({ program, customerId, scopes: SCOPES });
}

describe.each(Object.keys(STRANGERS))('to %s an account does not exist', who => {
  test('in any query', async () => {
    const of = await target();
    const me = gateway.as((await STRANGERS[who]?.(of)) as string);
    for (const [name, field] of Object.entries(QUERIES)) {
      const { data, errors } = await me.graphql(`{ ${field(of)} }`);
      // What is of the whole program is for callers of the program; to a customer it is forbidden rather than empty.
      if (errors) {
        expect([
          ['transactions', 'PROGRAM_WIDE_ONLY'],
          ['transfers', 'PROGRAM_WIDE_ONLY'],
          ['events', 'PROGRAM_WIDE_ONLY'],
        ]).toContainEqual([name, errors[0].extensions.code]);
      } else expect([null, { totalCount: 0, nodes: [] }, recordsOf(of).map(() => null)]).toContainEqual(data[name]);
    }
    // Fields of an account are reached through an account alone, so what is not seen has none.
    const account = (await servedSchema(gateway)).getType('Account') as GraphQLObjectType;
    const fields = Object.values(account.getFields()).map(selected);
    const { data } = await me.graphql(`{ account(accountId: "${of.account}") { ${fields.join(' ')} } }`);
    expect(data).toEqual({ account: null });
  });

  test('for any mutation, and nothing changes', async () => {
    const of = await target();
    const me = gateway.as((await STRANGERS[who]?.(of)) as string);
    const before = await stored(of);
    for (const field of Object.values(MUTATIONS)) {
      for (const headers of [{}, keyed(unique('key'))]) {
        const { data, errors } = await me.graphql(`mutation { ${field(of)} }`, {}, { headers });
        expect(Object.values(data)).toEqual([null]);
        expect(errors).toHaveLength(1);
        expect(['ACCOUNT_NOT_FOUND', 'TRANSFER_NOT_FOUND', 'PROGRAM_WIDE_ONLY']).toContain(errors?.[0].extensions.code);
      }
    }
    expect(await stored(of)).toEqual(before);
  });

  test('at any REST route, and nothing changes', async () => {
    const of = await target();
    const me = gateway.as((await STRANGERS[who]?.(of)) as string);
    const before = await stored(of);
    const nowhere = {
      ...of,
      account: unique('acc'),
      beneficiary: randomUUID(),
      statement: randomUUID(),
      transfer: unique('tr'),
    };
    for (const [name, route] of Object.entries(ROUTES)) {
      const [hidden, absent] = [await ask(me, route(of)), await ask(me, route(nowhere))];
      const { status, body } = hidden;
      // What only the bank may do is forbidden to a customer, whatever the account.
      if (!OF_THE_BANK.includes(name) || status !== 403) {
        expect([status, body.code]).toEqual([
          404,
          /transferId/.test(name) ? 'transfer_not_found' : 'account_not_found',
        ]);
      }
      // What may not be seen is told in the very words of what is not there.
      const { instance: _hidden, requestId: _one, ...said } = hidden.body;
      const { instance: _absent, requestId: _other, ...saidOfAbsent } = absent.body;
      expect(said).toEqual(saidOfAbsent);
    }
    expect(await stored(of)).toEqual(before);
  });
});

test("the owner sees and changes the account by a token of her own, by every operation but the bank's", async () => {
  const operations = [
    'transactions',
    'transfers',
    'events',
    'postAccountTransactions',
    'addStatement',
    'addAccountOwners',
    'removeAccountOwners',
    ...SIMULATION_FIELDS,
    'placeHold',
    'captureHold',
    'releaseHold',
    'reverseTransaction',
    'reverseTransfer',
    'setTransferLimits',
    'updateAccount',
    'restrictAccount',
    'unrestrictAccount',
    'closeAccount',
    'revealPersonalData',
  ];
  for (const [kind, fields] of [
    ['query', QUERIES],
    ['mutation', MUTATIONS],
  ] as const) {
    for (const [name, field] of Object.entries(fields)) {
      const of = await target();
      const owner = gateway.as(await gateway.caller({ program: of.program, customerId: of.owners[0] as string }));
      const { data, errors } = await owner.graphql(`${kind} { ${field(of)} }`);
      if (operations.includes(name)) {
        expect([name, errors?.[0].extensions.code]).toEqual([name, 'PROGRAM_WIDE_ONLY']);
      } else expect([name, errors, data[name] === null]).toEqual([name, undefined, false]);
    }
  }
  for (const [name, route] of Object.entries(ROUTES)) {
    const of = await target();
    const owner = gateway.as(await gateway.caller({ program: of.program, customerId: of.owners[0] as string }));
    const { status } = await ask(owner, route(of));
    if (OF_THE_BANK.includes(name)) expect(status).toBe(403);
    else expect([name, status < 300]).toEqual([name, true]);
  }
});

test('a customer of the program who does not own the account can be read by nobody through it', async () => {
  const of = await target();
  const { data } = await gateway
    .as(of.caller)
    .graphql(
      `mutation { addAccountOwners(input: { accountId: "${of.account}", customerIds: ["${(await gateway.given.customer()).customer}"] }) { results { ownerStatus reason owner { customerId } } } }`,
    );
  expect(data.addAccountOwners.results).toEqual([
    { ownerStatus: 'FAILED_TO_ADD', reason: expect.any(String), owner: null },
  ]);
});

test('an owner who was removed sees nothing any more, at once, and sees again once added', async () => {
  const of = await target();
  const owner = gateway.as(await gateway.caller({ program: of.program, customerId: of.owners[0] as string }));
  const bank = gateway.as(of.caller).rest;
  const holders = { holders: [{ customerId: of.owners[0] }] };
  const sees = async () => [
    (await owner.rest.get(`/accounts/${of.account}/beneficiaries`)).status,
    (await owner.graphql(`{ ${QUERIES['account']?.(of)} ${QUERIES['accounts']?.(of)} }`)).data,
  ];
  const everything = [
    200,
    { account: { accountId: of.account }, accounts: { totalCount: 1, nodes: [{ accountId: of.account }] } },
  ];
  expect(await sees()).toEqual(everything);
  await bank.post(`/accounts/${of.account}/owners/remove`, holders);
  expect(await sees()).toEqual([404, { account: null, accounts: { totalCount: 0, nodes: [] } }]);
  await bank.post(`/accounts/${of.account}/owners/add`, holders);
  expect(await sees()).toEqual(everything);
});

test('an owner who is removed while her change waits for the account changes nothing', async () => {
  const of = await target();
  const owner = gateway.as(await gateway.caller({ program: of.program, customerId: of.owners[0] as string }));
  const before = await stored(of);
  const removal = await gateway.sql.connect();
  await removal.query('BEGIN');
  await removal.query('SELECT FROM account WHERE account_id = $1 FOR UPDATE', [of.account]);
  const waiting = owner.rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary());
  await gateway.waiting();
  await removal.query('DELETE FROM account_owner WHERE account_id = $1', [of.account]);
  await removal.query('COMMIT');
  const answer = await waiting;
  expect([answer.status, answer.body.code]).toEqual([404, 'account_not_found']);
  await removal.query('INSERT INTO account_owner VALUES ($1, $2, 1)', [of.account, of.owners[0]]);
  removal.release();
  expect(await stored(of)).toEqual(before);
});

test('callers of different programs and customers who ask for the same ids at the same moment see each their own', async () => {
  const all = await Promise.all(Array.from({ length: 9 }, () => target()));
  const document = `{ ${all.map((of, index) => `a${index}: account(accountId: "${of.account}") { accountId owners { customerId } beneficiaries { totalCount nodes { beneficiaryId } } beneficiary(beneficiaryId: "${of.beneficiary}") { beneficiaryId } statements { totalCount nodes { statementId } } statement(statementId: "${of.statement}") { statementId } }`).join(' ')}
    accounts(filter: { accountIds: [${all.map(of => `"${of.account}"`).join(', ')}] }) { totalCount nodes { accountId } } }`;
  const asking = all.flatMap((of, index) => [
    { index, token: Promise.resolve(of.caller) },
    { index, token: gateway.caller({ program: of.program, customerId: of.owners[0] as string }) },
    { index: -1, token: gateway.caller({ program: of.program, customerId: of.customer }) },
  ]);
  const tokens = await Promise.all(asking.map(({ token }) => token));
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(tokens.map(token => gateway.as(token).graphql(document)));
    for (const [n, { data, errors }] of answers.entries()) {
      expect(errors).toBeUndefined();
      const own = asking[n]?.index ?? -1;
      for (const [index, of] of all.entries()) {
        expect(data[`a${index}`]).toEqual(
          index === own
            ? {
                accountId: of.account,
                owners: [{ customerId: of.owners[0] }],
                beneficiaries: { totalCount: 1, nodes: [{ beneficiaryId: of.beneficiary }] },
                beneficiary: { beneficiaryId: of.beneficiary },
                statements: { totalCount: 1, nodes: [{ statementId: of.statement }] },
                statement: { statementId: of.statement },
              }
            : null,
        );
      }
      const ids = own < 0 ? [] : [{ accountId: all[own]?.account }];
      expect(data.accounts).toEqual({ totalCount: ids.length, nodes: ids });
    }
  }
});

function ask(me: ReturnType<TestGateway['as']>, [method, path, body]: [string, string, unknown?]) {
  const type = Buffer.isBuffer(body) ? 'application/pdf' : 'application/json';
  return me.raw({ method, path, body, headers: body === undefined ? {} : { 'content-type': type } });
}

/** A field with the arguments it must have, and something below it. */
function selected(field: GraphQLField<unknown, unknown>): string {
  const values: Record<string, string> = { 'ID!': `"${randomUUID()}"`, 'LocalDate!': '"2026-01-31"' };
  const required = field.args.filter(arg => String(arg.type).endsWith('!') && arg.defaultValue === undefined);
  const args = required.map(arg => `${arg.name}: ${values[String(arg.type)]}`).join(', ');
  return `${field.name}${args && `(${args})`}${isCompositeType(getNamedType(field.type)) ? ' { __typename }' : ''}`;
}
