import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { parse, type DocumentNode } from 'graphql';
import { add } from '../../../packages/client/src/decimal.js';
import * as documents from '../../../packages/client/src/generated/documents.js';
import {
  AccountNotFound,
  ApprovalRequired,
  BeneficiaryNotFound,
  LimitExceeded,
  RuleBroken,
  Tillgate,
  TillgateError,
} from '../../../packages/client/src/index.js';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { entries, entry } from '../../transaction/support/ledger.js';
import { inputsOf } from '../../support/postings.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

async function bank(program?: string) {
  const given = await gateway.given.account({ ...(program !== undefined && { program }) });
  return { ...given, tillgate: new Tillgate({ url: gateway.url, token: given.caller }) };
}

const LATER = new Date(Date.now() + 86_400_000).toISOString();
const ADA = {
  name: { first: 'Ada', last: 'Ashdown' },
  beneficiaryType: 'PRIMARY',
  relationship: 'CHILD',
  sharePercentage: 40,
} as const;

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const got: Item[] = [];
  for await (const item of items) got.push(item);
  return got;
}

test('beneficiaries are added, changed, listed and deleted', async () => {
  const { tillgate, account } = await bank();
  const added = await tillgate.beneficiaries.add(account, ADA);
  expect(await tillgate.beneficiaries.get(account, added.beneficiaryId)).toEqual(added);
  const changed = await tillgate.beneficiaries.update(account, added.beneficiaryId, { sharePercentage: 60 });
  expect(changed).toMatchObject({ name: { first: 'Ada' }, sharePercentage: 60 });
  const listed = await all(tillgate.beneficiaries.list(account));
  expect(listed.map(({ beneficiaryId }) => beneficiaryId)).toEqual([added.beneficiaryId]);
  await tillgate.beneficiaries.delete(account, added.beneficiaryId);
  await expect(tillgate.beneficiaries.get(account, added.beneficiaryId)).rejects.toThrow(BeneficiaryNotFound);
});

test('owners are added and removed, and each has a result', async () => {
  const { tillgate, account, program } = await bank();
  const { customer } = await gateway.given.customer({ program });
  expect(await tillgate.owners.add(account, [customer])).toMatchObject([
    { customerId: customer, name: { first: 'Ada' } },
  ]);
  expect(await tillgate.owners.remove(account, [customer])).toMatchObject([{ customerId: customer }]);
});

test('money moves between two accounts, within limits, and goes back', async () => {
  const { tillgate, account, program } = await bank();
  const { account: other } = await gateway.given.account({ program });
  const transfer = (amount: string) => ({
    fromAccountId: account,
    toAccountId: other,
    transferId: unique('tr'),
    amount,
  });
  expect(await tillgate.transfers.setLimits(account, { perDay: '30.00' })).toMatchObject({ remainingToday: '30.00' });
  const made = await tillgate.transfers.make(transfer('10.50'));
  expect(made).toMatchObject({ amount: '10.50', status: 'MADE' });
  const results = await tillgate.transfers.makeSeveral([transfer('19.50'), transfer('0.01')]);
  expect(results.map(one => [one.transfer?.amount, one.refusal?.code])).toEqual([
    ['19.50', undefined],
    [undefined, 'limit_exceeded'],
  ]);
  const error = await tillgate.transfers.make(transfer('0.01')).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(LimitExceeded);
  expect(await tillgate.transfers.reverse(made.transferId, 'Sent twice')).toMatchObject({ status: 'REVERSED' });
  expect(await tillgate.transfers.get(made.transferId)).toMatchObject({ status: 'REVERSED' });
  expect(await tillgate.transfers.limits(account)).toMatchObject({ remainingToday: '10.50', transfersToday: 1 });
  expect((await all(tillgate.transfers.list(other))).map(({ amount }) => amount)).toEqual(['19.50', '10.50']);
});

test('amounts of any length arrive and leave exactly, over both APIs', async () => {
  // More than 53 bits can hold.
  const { account, caller } = await gateway.given.account({ balanceMinor: 907_199_254_740_993_117n });
  const tillgate = new Tillgate({ url: gateway.url, token: caller });
  const balance = '9071992547409931.17';
  expect(await tillgate.accounts.get(account)).toMatchObject({
    availableBalance: balance,
    balances: { posted: balance },
  });
  expect(await tillgate.graphql(documents.Account, { accountId: account })).toMatchObject({
    account: { availableBalance: balance },
  });
  const [posted] = await tillgate.transactions.post(account, inputsOf([entry({ amount: '9999999999999.99' })]));
  expect(posted).toMatchObject({ amount: '9999999999999.99', balanceAfter: '9081992547409931.16' });
  const [listed] = await all(tillgate.accounts.transactions(account));
  expect(listed).toMatchObject({ amount: '9999999999999.99', availableBalance: '9081992547409931.16' });
  const hold = await tillgate.holds.place(account, {
    holdId: unique('hold'),
    amount: '9999999999999.98',
    description: 'Much of it',
    expiresAt: LATER,
  });
  expect(hold.amount).toBe('9999999999999.98');
  const captured = await tillgate.holds.capture(account, hold.holdId, { amount: '9999999999999.97' });
  expect(captured).toMatchObject({ capturedAmount: '9999999999999.97', heldAmount: '0.00' });
  expect((await tillgate.accounts.get(account)).availableBalance).toBe('9071992547409931.19');
});

test('a text that looks like an amount stays a text on its way there and back', async () => {
  const { tillgate, account } = await bank();
  const description = '"amount":1250.00, \\"amount\\": "7"';
  const hold = await tillgate.holds.place(account, {
    holdId: unique('hold'),
    amount: '1.00',
    description,
    expiresAt: LATER,
  });
  expect(hold).toMatchObject({ description, amount: '1.00' });
  expect((await tillgate.holds.get(account, hold.holdId)).description).toBe(description);
});

test('a history is read page by page, and item by item, and only as far as somebody goes', async () => {
  const { tillgate, account } = await bank();
  const sent = entries(25, index => ({ transactionId: `t-${String(index).padStart(2, '0')}`, amount: `${index + 1}` }));
  await tillgate.transactions.post(account, inputsOf(sent));
  const newestFirst = sent.map(({ transactionId }) => transactionId).reverse();
  const pages = await all(tillgate.accounts.transactions(account, { limit: 10 }).pages());
  expect(pages.map(({ items, totalElements }) => [items.length, totalElements])).toEqual([
    [10, 25],
    [10, 25],
    [5, 25],
  ]);
  expect(pages.flatMap(({ items }) => items.map(({ transactionId }) => transactionId))).toEqual(newestFirst);
  const some: string[] = [];
  for await (const { transactionId } of tillgate.accounts.transactions(account, { limit: 2 })) {
    if (some.push(transactionId) === 3) break;
  }
  expect(some).toEqual(newestFirst.slice(0, 3));
  const filtered = await all(tillgate.accounts.transactions(account, { minAmount: '10', maxAmount: '12.00' }));
  expect(add(...filtered.map(({ amount }) => amount))).toBe('33.00');
});

test('a refusal is an error of the class of its code, with pointers and the id of the request', async () => {
  const { tillgate, account } = await bank();
  const wrong = { ...ADA, name: { first: 'Ada', last: '' }, sharePercentage: 101 };
  const error: unknown = await tillgate.beneficiaries.add(account, wrong).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(TillgateError);
  expect(error).toBeInstanceOf(RuleBroken);
  expect(error).toMatchObject({ status: 422, code: 'rule_broken', requestId: expect.any(String) });
  expect((error as RuleBroken).errors.map(({ pointer }) => pointer)).toEqual(['/name/last', '/sharePercentage']);
  await expect(tillgate.accounts.get('no-such-account')).rejects.toThrow(AccountNotFound);
  await expect(tillgate.cards.freeze('no-such-account', 'card')).rejects.toThrow(AccountNotFound);
  await expect(tillgate.cards.list('no-such-account')).rejects.toThrow(AccountNotFound);
});

test('an error of GraphQL has what else was answered', async () => {
  const { tillgate, account } = await bank();
  const query = `query ($account: ID!) {
    account(accountId: $account) { accountId beneficiary(beneficiaryId: "00000000-0000-4000-8000-000000000000") { beneficiaryId } }
    accounts(first: 0) { totalCount } }`;
  const error: unknown = await tillgate.graphql(query, { account }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RuleBroken);
  expect(error).toMatchObject({ data: { account: { accountId: account, beneficiary: null }, accounts: null } });
});

test('a document may be a text, a typed text or a syntax tree', async () => {
  const { tillgate, account } = await bank();
  const seen = { account: { accountId: account, availableBalance: '0.00' } };
  const query = `query Seen($account: ID!, $with: Boolean! = true) {
    account: account(accountId: $account) { ...Fields @include(if: $with) ... on Account { transactions(first: 1, filter: {categories: ["ACH", "WIRE"], search: "a\\"b"}) { nodes { amount } } } } }
  fragment Fields on Account { accountId availableBalance }`;
  const expected = { account: { ...seen.account, transactions: { nodes: [] } } };
  expect(await tillgate.graphql(query, { account })).toEqual(expected);
  const tree = parse(query, { noLocation: true }) as DocumentTypeDecoration<unknown, { account: string }> &
    DocumentNode;
  expect(await tillgate.graphql(tree, { account })).toEqual(expected);
  expect(await tillgate.graphql(documents.Account, { accountId: account })).toMatchObject(seen);
});

test('any route can be called by its name', async () => {
  const { tillgate, account } = await bank();
  expect(await tillgate.rest('GET /viewer')).toMatchObject({ clientId: 'test-client' });
  const { events } = await tillgate.rest('GET /events', { query: { accountId: account, limit: 5 } });
  expect(events).toEqual([]);
});

test('cards are created and go through their states', async () => {
  const { tillgate, account, owners } = await bank();
  const created = await tillgate.cards.create({
    number: '4111111111111111',
    currency: 'USD',
    expiration: '1239',
    accountId: account,
    type: 'VIRTUAL',
    cardHolderId: owners[0] ?? '',
    cardProductId: 'debit-classic',
    status: 'INACTIVE',
  });
  expect((await tillgate.cards.activate(account, created.cardId)).status).toBe('ACTIVE');
  expect((await tillgate.cards.freeze(account, created.cardId)).status).toBe('FROZEN');
  expect((await tillgate.cards.unfreeze(account, created.cardId)).status).toBe('ACTIVE');
  expect((await tillgate.cards.report(account, created.cardId, 'LOST')).status).toBe('LOST');
  expect(await tillgate.cards.list(account)).toMatchObject([{ cardId: created.cardId, status: 'LOST' }]);
});

test('statements are listed and downloaded in their formats', async () => {
  const given = await gateway.given.statement();
  const tillgate = new Tillgate({ url: gateway.url, token: given.caller });
  const [statement] = await all(tillgate.statements.list(given.account));
  if (!statement) throw new Error('There is no statement.');
  const { bytes, contentType, fileName } = await tillgate.statements.download(statement);
  expect(Buffer.from(bytes).equals(given.pdf)).toBe(true);
  expect([contentType, fileName]).toEqual(['application/pdf', expect.stringMatching(/\.pdf$/)]);
  const csv = await tillgate.statements.download(statement, 'csv');
  expect(csv.contentType).toMatch(/^text\/csv/);
  expect(await tillgate.statements.content(statement)).toMatchObject({
    statementId: statement.statementId,
    closingBalance: expect.stringMatching(/^-?\d+\.\d\d$/),
  });
});

test('the feed is followed in batches with cursors, and waits for what comes', async () => {
  const { tillgate, account } = await bank();
  const stop = new AbortController();
  const seen: string[] = [];
  const following = (async () => {
    for await (const { events, cursor } of tillgate.events
      .follow({ types: ['beneficiary.added', 'beneficiary.deleted'] }, { signal: stop.signal })
      .batches()) {
      seen.push(...events.map(({ type }) => type));
      if (seen.length === 2) return cursor;
    }
    return undefined;
  })();
  const { beneficiaryId } = await tillgate.beneficiaries.add(account, ADA);
  await tillgate.beneficiaries.delete(account, beneficiaryId);
  const after = await following;
  expect(seen).toEqual(['beneficiary.added', 'beneficiary.deleted']);
  await tillgate.beneficiaries.add(account, ADA);
  for await (const event of tillgate.events.follow({ accountId: account }, { after: after ?? '' })) {
    expect(event).toMatchObject({ type: 'beneficiary.added', data: { sharePercentage: 40 } });
    break;
  }
});

test('following ends when its signal is aborted', async () => {
  const { tillgate } = await bank();
  const stop = new AbortController();
  const next = tillgate.events.follow({}, { after: 'latest', signal: stop.signal }).batches().next();
  setImmediate(() => stop.abort(new Error('The page was left.')));
  await expect(next).rejects.toThrow('The page was left.');
});

test('a write that waits for another person is an error with the approval, and the same key has the result later', async () => {
  const program = gateway.given.program();
  await gateway.given.programRecord(program, { approvals: { closingAccounts: true } });
  const { tillgate, account } = await bank(program);
  const key = unique('key');
  const error: unknown = await tillgate.accounts
    .close(account, { reason: 'Test' }, { key })
    .catch((one: unknown) => one);
  expect(error).toBeInstanceOf(ApprovalRequired);
  const approvalId = String((error as ApprovalRequired).details['approvalId']);
  const other = await gateway.caller({ program, subject: 'somebody-else' });
  await new Tillgate({ url: gateway.url, token: other }).approvals.approve(approvalId);
  expect(await tillgate.accounts.close(account, { reason: 'Test' }, { key })).toMatchObject({ status: 'CLOSED' });
});
