import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, posting, refusal } from '../transaction/support/ledger.js';
import { TRANSFER, make, pairOf, seenBy, transferOf, type Api } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const APIS = ['GraphQL', 'REST'] as const satisfies readonly Api[];

describe.each(APIS)('over %s', api => {
  test('a transfer is a debit and a credit of one moment, linked both ways', async () => {
    const pair = await pairOf(gateway, { to: { timeZone: 'Asia/Tokyo' } });
    const input = transferOf(pair);
    const { code, transfer } = await make(gateway, api, pair.caller, input);
    expect(code).toBeNull();
    const { amount, ...others } = input;
    expect(transfer).toMatchObject({ ...others, currency: 'USD', status: 'MADE' });
    expect(Number(transfer?.amount)).toBe(Number(amount));
    const [out, into] = [`${input.transferId}~out`, `${input.transferId}~in`];
    const [from, to] = await Promise.all([seenBy(gateway, pair.from), seenBy(gateway, pair.to)]);
    const shared = { amount, category: 'TRANSFER', status: 'POSTED', reference: input.transferId };
    expect(from.transactions.nodes[0]).toMatchObject({
      ...shared,
      transactionId: out,
      referenceTransactionId: into,
      description: 'Rent for April',
      debitCreditMemo: 'DEBIT',
      transactionType: 'TRANSFEROUT',
      availableBalance: '750.00',
    });
    expect(to.transactions.nodes[0]).toMatchObject({
      ...shared,
      transactionId: into,
      referenceTransactionId: out,
      memo: 'With thanks',
      debitCreditMemo: 'CREDIT',
      transactionType: 'TRANSFERIN',
      availableBalance: '250.00',
    });
    expect([from.availableBalance, to.availableBalance]).toEqual(['750.00', '250.00']);
    expect(from.transactions.nodes[0]?.['postedTimestamp']).toBe(to.transactions.nodes[0]?.['postedTimestamp']);
    expect(from.transfers).toEqual(to.transfers);
    expect(from.transfers).toMatchObject({ totalCount: 1, nodes: [{ ...input, madeAt: transfer?.madeAt }] });
  });

  test('the same transfer again moves nothing more, other content is refused', async () => {
    const pair = await pairOf(gateway);
    const input = transferOf(pair, { memo: '' });
    const first = await make(gateway, api, pair.caller, input);
    const again = await make(gateway, api, pair.caller, { ...input, amount: '250' });
    expect(again.transfer).toEqual(first.transfer);
    const third = await gateway.given.account({ program: pair.program });
    for (const other of [
      { ...input, amount: '250.01' },
      { ...input, memo: 'Another' },
      { ...input, toAccountId: third.account },
      { ...input, fromAccountId: third.account },
      transferOf({ from: pair.to, to: pair.from }, { transferId: input.transferId }),
    ]) {
      expect(await make(gateway, api, pair.caller, other)).toMatchObject({ code: 'transfer_mismatch', transfer: null });
    }
    expect((await seenBy(gateway, pair.from)).availableBalance).toBe('750.00');
    expect((await seenBy(gateway, third)).transfers.totalCount).toBe(0);
  });

  test('a key carries out a transfer once, and its answer comes back', async () => {
    const pair = await pairOf(gateway);
    const headers = keyed(unique('key'));
    const input = transferOf(pair);
    const first = await make(gateway, api, pair.caller, input, { headers });
    const again = await make(gateway, api, pair.caller, input, { headers });
    expect([first.replayed, again.replayed]).toEqual([false, true]);
    expect(again.transfer).toEqual(first.transfer);
    const other = await make(gateway, api, pair.caller, { ...input, amount: '1' }, { headers });
    expect(other.code).toBe('idempotency_key_reused');
    expect((await seenBy(gateway, pair.from)).availableBalance).toBe('750.00');
  });

  test('a dry run has the answer and writes nothing', async () => {
    const pair = await pairOf(gateway);
    const input = transferOf(pair);
    const before = await gateway.rows();
    const { transfer } = await make(gateway, api, pair.caller, input, { dryRun: true });
    expect(transfer).toMatchObject({ transferId: input.transferId, status: 'MADE' });
    expect(await gateway.rows()).toEqual(before);
    expect((await seenBy(gateway, pair.from)).transfers.totalCount).toBe(0);
  });
});

test('a key that came over REST is known over GraphQL', async () => {
  const pair = await pairOf(gateway);
  const headers = keyed(unique('key'));
  const input = transferOf(pair, { reference: null });
  const first = await make(gateway, 'REST', pair.caller, input, { headers });
  const again = await make(gateway, 'GraphQL', pair.caller, input, { headers });
  expect([first.status, again.replayed]).toEqual([201, true]);
});

test('both chains have an event of the transfer with the same id', async () => {
  const pair = await pairOf(gateway);
  const { transferId } = transferOf(pair);
  await make(gateway, 'REST', pair.caller, transferOf(pair, { transferId }), { headers: keyed(unique('key')) });
  await gateway.feedReady();
  const { body } = await gateway.as(pair.caller).rest.get('/events?limit=100');
  const made = (body.events as { type: string; data: Record<string, unknown> }[]).filter(
    ({ type }) => type === 'transfer.made',
  );
  const shared = { transferId, fromAccountId: pair.from.account, toAccountId: pair.to.account, amount: '250.00' };
  const outgoingFirst = made.map(({ data }) => data).toSorted((a, b) => Number(b['seq']) - Number(a['seq']));
  expect(outgoingFirst).toEqual([
    expect.objectContaining({ ...shared, accountId: pair.from.account, transactionId: `${transferId}~out`, seq: 2 }),
    expect.objectContaining({ ...shared, accountId: pair.to.account, transactionId: `${transferId}~in`, seq: 1 }),
  ]);
});

test('a transfer is found by its id, by its node and in both lists', async () => {
  const pair = await pairOf(gateway);
  const ids: string[] = [];
  for (let n = 1; n <= 3; n += 1) {
    const { transfer } = await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: String(n) }));
    ids.unshift(transfer?.transferId ?? '');
  }
  const [newest] = ids as [string];
  const { rest } = gateway.as(pair.caller);
  const first = await rest.get(`/accounts/${pair.to.account}/transfers?limit=2`);
  expect(first.body).toMatchObject({ page: { nextOffset: 2, totalElements: 3 } });
  const second = await rest.get(first.body.links.next.href);
  const listed = [...first.body.transfers, ...second.body.transfers] as { transferId: string }[];
  expect(listed.map(({ transferId }) => transferId)).toEqual(ids);
  expect((await rest.get(`/transfers/${newest}`)).body).toEqual(listed[0]);

  const query = `query ($t: ID!) { transfer(transferId: $t) { id ${TRANSFER} fromAccount { accountId } toAccount { accountId }
    fromTransaction { transactionId amount } toTransaction { transactionId amount } } }`;
  const { data } = await gateway.as(pair.caller).graphql(query, { t: newest });
  expect(data.transfer).toMatchObject({
    transferId: newest,
    fromAccount: { accountId: pair.from.account },
    toAccount: { accountId: pair.to.account },
    fromTransaction: { transactionId: `${newest}~out`, amount: '3.00' },
    toTransaction: { transactionId: `${newest}~in`, amount: '3.00' },
  });
  const node = await gateway
    .as(pair.caller)
    .graphql(`query ($id: ID!) { node(id: $id) { ... on Transfer { transferId } } }`, { id: data.transfer.id });
  expect(node.data.node).toEqual({ transferId: newest });
});

test('a transfer that another program has, and one that nobody has, are not found', async () => {
  const pair = await pairOf(gateway);
  const { transfer } = await make(gateway, 'GraphQL', pair.caller, transferOf(pair));
  const stranger = await gateway.given.account();
  for (const id of [transfer?.transferId ?? '', unique('tr')]) {
    const { status, body } = await gateway.as(stranger.caller).rest.get(`/transfers/${id}`);
    expect([status, body.code]).toEqual([404, 'transfer_not_found']);
    const { data } = await gateway
      .as(stranger.caller)
      .graphql(`query ($t: ID!) { transfer(transferId: $t) { transferId } }`, { t: id });
    expect(data.transfer).toBeNull();
  }
});

test('two programs may have transfers of one id', async () => {
  const [one, other] = await Promise.all([pairOf(gateway), pairOf(gateway)]);
  const transferId = unique('tr');
  for (const pair of [one, other]) {
    const made = await make(gateway, 'REST', pair.caller, transferOf(pair, { transferId }));
    expect(made.transfer?.fromAccountId).toBe(pair.from.account);
  }
});

test('a transaction of a transfer is not given back alone', async () => {
  const pair = await pairOf(gateway);
  const { transfer } = await make(gateway, 'REST', pair.caller, transferOf(pair));
  const id = transfer?.transferId ?? '';
  const refund = entry({ referenceTransactionId: `${id}~out`, amount: '1', debitCreditMemo: 'CREDIT' });
  expect(refusal(await posting(gateway, pair.from, [refund]))).toMatchObject({
    code: 'transaction_of_transfer',
    errors: ['/transactions/0/referenceTransactionId of_transfer'],
  });
  for (const [of, side] of [
    [pair.from, 'out'],
    [pair.to, 'in'],
  ] as const) {
    const path = `/accounts/${of.account}/transactions/${encodeURIComponent(`${id}~${side}`)}/reverse`;
    const { status, body } = await gateway.as(pair.caller).rest.post(path, { reason: 'A mistake' });
    expect([status, body.code]).toEqual([409, 'transaction_of_transfer']);
  }
});
