import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post } from '../transaction/support/ledger.js';
import { fundedAccount, newHold } from './support/holds.js';

interface HoldList {
  readonly nodes: readonly { readonly holdId: string }[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const balances = (posted: string, available: string, held: string) => ({
  posted,
  available,
  held,
  overdraftLimit: '0.00',
});

test('a hold lowers what is available, and its capture what is posted', async () => {
  const { holding } = await fundedAccount(gateway);
  const input = newHold();
  const { data } = await holding.place(input);
  expect(data.hold).toMatchObject({
    ...input,
    capturedAmount: '0.00',
    heldAmount: '75.00',
    status: 'ACTIVE',
    endedAt: null,
  });
  const held = await holding.seen();
  expect(held.balances).toEqual(balances('1000.00', '925.00', '75.00'));
  expect(held.availableBalance).toBe('925.00');

  const captured = await holding.capture(input.holdId);
  expect(captured.data.hold).toMatchObject({
    capturedAmount: '75.00',
    heldAmount: '0.00',
    status: 'CAPTURED',
    captures: 1,
  });
  const after = await holding.seen();
  expect(after.balances).toEqual(balances('925.00', '925.00', '0.00'));
  expect(after.transactions.nodes.slice(0, 2)).toEqual([
    {
      transactionId: `${input.holdId}~1`,
      referenceTransactionId: input.holdId,
      amount: '75.00',
      availableBalance: '925.00',
      debitCreditMemo: 'DEBIT',
      status: 'POSTED',
      category: 'OTHER',
      transactionType: 'PAYMENT',
    },
    {
      transactionId: input.holdId,
      referenceTransactionId: null,
      amount: '75.00',
      availableBalance: '1000.00',
      debitCreditMemo: 'DEBIT',
      status: 'PENDING',
      category: 'OTHER',
      transactionType: 'PAYMENT',
    },
  ]);
});

test('a capture of a part releases the rest, and the history tells so', async () => {
  const { holding } = await fundedAccount(gateway);
  const holdId = await holding.placed();
  const { data } = await holding.capture(holdId, { amount: '48.2' });
  expect(data.hold).toMatchObject({ capturedAmount: '48.20', heldAmount: '0.00', status: 'CAPTURED' });
  const seen = await holding.seen();
  expect(seen.balances).toEqual(balances('951.80', '951.80', '0.00'));
  expect(seen.transactions.nodes[0]).toMatchObject({
    transactionId: `${holdId}~end`,
    referenceTransactionId: holdId,
    amount: '26.80',
    debitCreditMemo: 'MEMO',
    status: 'MEMO',
    transactionType: 'HOLD_RELEASED',
    availableBalance: '951.80',
  });
  expect(seen.transactions.nodes[1]).toMatchObject({ transactionId: `${holdId}~1`, amount: '48.20', status: 'POSTED' });
});

test('a hold is captured in parts while the rest is kept, and ends with the last part', async () => {
  const { holding } = await fundedAccount(gateway);
  const holdId = await holding.placed();
  await holding.capture(holdId, { amount: '25', keepRest: true });
  const between = await holding.seen();
  expect(between.balances).toEqual(balances('975.00', '925.00', '50.00'));
  expect(between.holds.nodes).toMatchObject([{ holdId, status: 'ACTIVE', heldAmount: '50.00' }]);
  const last = await holding.capture(holdId, { amount: '50.00', keepRest: true });
  expect(last.data.hold).toMatchObject({ status: 'CAPTURED', captures: 2, capturedAmount: '75.00' });
  const { balances: after, transactions } = await holding.seen();
  expect(after).toEqual(balances('925.00', '925.00', '0.00'));
  expect(transactions.nodes.map(({ transactionId }) => transactionId).slice(0, 3)).toEqual([
    `${holdId}~2`,
    `${holdId}~1`,
    holdId,
  ]);
});

test('a released hold gives back what it kept back', async () => {
  const { holding } = await fundedAccount(gateway);
  const holdId = await holding.placed();
  await holding.capture(holdId, { amount: '25', keepRest: true });
  const { data } = await holding.release(holdId);
  expect(data.hold).toMatchObject({ status: 'RELEASED', capturedAmount: '25.00', heldAmount: '0.00' });
  expect(data.hold.endedAt).not.toBeNull();
  const seen = await holding.seen();
  expect(seen.balances).toEqual(balances('975.00', '975.00', '0.00'));
  expect(seen.transactions.nodes[0]).toMatchObject({
    amount: '50.00',
    status: 'MEMO',
    transactionType: 'HOLD_RELEASED',
  });
});

test('a hold of a card is an authorisation of the card in the history', async () => {
  const { account, owners, caller, holding } = await fundedAccount(gateway);
  const card = newCard(account, owners[0] as string);
  await gateway.as(caller).rest.post('/cards/v1/cards', card);
  const holdId = await holding.placed({ cardId: card.cardId });
  await holding.capture(holdId);
  const { transactions } = await holding.seen();
  expect(transactions.nodes.slice(0, 2)).toMatchObject([
    { transactionId: `${holdId}~1`, status: 'POSTED', category: 'CARD', transactionType: 'PURCHASE' },
    { transactionId: holdId, status: 'AUTHORIZATION', category: 'CARD', transactionType: 'PURCHASE' },
  ]);
});

test('a hold is the same over REST, with amounts as numbers, and is read where Location points', async () => {
  const { account, caller } = await fundedAccount(gateway);
  const me = gateway.as(caller);
  const { rest } = me;
  const { amount: _, ...details } = newHold({ holdId: `a/b?c-${unique('h')}` });
  const placed = await rest.post(`/accounts/${account}/holds`, { ...details, amount: 75 });
  expect([placed.status, placed.text]).toEqual([201, expect.stringContaining('"amount":75.00')]);
  expect(placed.body).toMatchObject({
    ...details,
    accountId: account,
    status: 'ACTIVE',
    heldAmount: 75,
    cardId: '',
    endedAt: '',
  });
  const location = placed.headers.location as string;
  expect((await rest.get(location)).text).toBe(placed.text);
  const captured = await rest.post(`${location}/capture`, { amount: 12.5, keepRest: true });
  expect([captured.status, captured.body]).toMatchObject([
    200,
    { capturedAmount: 12.5, heldAmount: 62.5, captures: 1 },
  ]);
  const released = await rest.post(`${location}/release`, undefined);
  expect([released.status, released.body.status]).toEqual([200, 'RELEASED']);
  const { data } = await me.graphql(
    'query ($a: ID!, $h: ID!) { account(accountId: $a) { hold(holdId: $h) { status capturedAmount } } }',
    {
      a: account,
      h: details.holdId,
    },
  );
  expect(data.account.hold).toEqual({ status: 'RELEASED', capturedAmount: '12.50' });
});

test('the same hold again is given back as it stands, and holds nothing more', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  const input = newHold();
  await holding.place(input);
  await holding.capture(input.holdId, { amount: '25', keepRest: true });
  const before = await holding.seen();
  const again = await holding.place({ ...input, amount: '75.0' });
  expect(again.data.hold).toMatchObject({ status: 'ACTIVE', capturedAmount: '25.00', heldAmount: '50.00' });
  const rest = await gateway.as(caller).rest.post(`/accounts/${account}/holds`, { ...input, amount: 75 });
  expect([rest.status, rest.body.heldAmount]).toEqual([201, 50]);
  expect(await holding.seen()).toEqual(before);
});

test('a retry under its key gets the first answer, over either API', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  const [input, key, captureKey] = [newHold({ amount: '75.50' }), unique('key'), unique('key')];
  const first = await holding.place(input, keyed(key));
  await holding.capture(input.holdId, { amount: '25.50', keepRest: true }, keyed(captureKey));
  const retry = await gateway
    .as(caller)
    .rest.post(`/accounts/${account}/holds`, { ...input, amount: 75.5 }, keyed(key));
  expect([retry.status, retry.headers['idempotent-replayed'], retry.body.heldAmount]).toEqual([201, 'true', 75.5]);
  expect(first.data.hold.heldAmount).toBe('75.50');
  const captured = await gateway
    .as(caller)
    .rest.post(
      `/accounts/${account}/holds/${input.holdId}/capture`,
      { amount: 25.5, keepRest: true },
      keyed(captureKey),
    );
  expect([captured.headers['idempotent-replayed'], captured.body.captures]).toEqual(['true', 1]);
  expect((await holding.seen()).balances).toEqual(balances('974.50', '924.50', '50.00'));
});

test('each mutation says whether it was done before, also one of several in an operation', async () => {
  const { account, caller } = await fundedAccount(gateway);
  const PLACE = `mutation ($a: ID!, $input: HoldInput!) {
    placeHold(input: { accountId: $a, hold: $input }) { replayed hold { holdId } } }`;
  const PLACE_TWO = `mutation ($a: ID!, $one: HoldInput!, $two: HoldInput!) {
    one: placeHold(input: { accountId: $a, hold: $one }) { replayed hold { holdId } }
    two: placeHold(input: { accountId: $a, hold: $two }) { replayed hold { holdId } } }`;
  const send = async (query: string, variables: object, headers = {}) => {
    const answer = await gateway.as(caller).graphql(query, { a: account, ...variables }, { headers });
    const replays = Object.values(answer.data as Record<string, { replayed: boolean } | null>);
    return [...replays.map(one => one?.replayed), answer.headers['idempotent-replayed']];
  };

  const [input, key] = [newHold(), keyed(unique('key'))];
  expect(await send(PLACE, { input }, key)).toEqual([false, undefined]);
  expect(await send(PLACE, { input }, key)).toEqual([true, 'true']);
  // Without a key, and under another one, the hold is there already, and is found anew.
  expect(await send(PLACE, { input })).toEqual([false, undefined]);
  expect(await send(PLACE, { input }, keyed(unique('key')))).toEqual([false, undefined]);
  const [other, restKey] = [newHold(), keyed(unique('key'))];
  await gateway.as(caller).rest.post(`/accounts/${account}/holds`, { ...other, amount: 75 }, restKey);
  expect(await send(PLACE, { input: other }, restKey)).toEqual([true, 'true']);

  const [one, two, both] = [newHold(), newHold(), keyed(unique('key'))];
  expect(await send(PLACE_TWO, { one, two: { ...two, amount: '-1' } }, both)).toEqual([false, undefined, undefined]);
  expect(await send(PLACE_TWO, { one, two }, both)).toEqual([true, false, undefined]);
  expect(await send(PLACE_TWO, { one, two }, both)).toEqual([true, true, 'true']);
});

test('holds are listed newest first, by page and by status, alike over GraphQL and REST', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) ids.unshift(await holding.placed({ amount: '1' }));
  await holding.release(ids[1] as string);
  const me = gateway.as(caller);
  const { rest } = me;
  const query = `query ($a: ID!, $after: String, $filter: HoldFilter) { account(accountId: $a) {
    holds(first: 2, after: $after, filter: $filter) { nodes { holdId } totalCount pageInfo { hasNextPage endCursor } } } }`;
  const pageAfter = async (cursor: string | null): Promise<HoldList> => {
    const { data } = await me.graphql<{ account: { holds: HoldList } }>(query, { a: account, after: cursor });
    return data.account.holds;
  };
  const listed: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 3; page++) {
    const { nodes, totalCount, pageInfo } = await pageAfter(after);
    expect([totalCount, pageInfo.hasNextPage]).toEqual([5, page < 2]);
    listed.push(...nodes.map(({ holdId }) => holdId));
    after = pageInfo.endCursor;
  }
  expect(listed).toEqual(ids);
  const { data } = await me.graphql(query, { a: account, filter: { statuses: 'RELEASED' } });
  expect(data.account.holds).toMatchObject({ nodes: [{ holdId: ids[1] }], totalCount: 1 });

  const first = await rest.get(`/accounts/${account}/holds?limit=3&status=ACTIVE`);
  expect(first.body).toMatchObject({ page: { nextOffset: 3, totalElements: 4 } });
  const next = await rest.get(first.body.links.next.href);
  const of = (body: { holds: { holdId: string }[] }) => body.holds.map(({ holdId }) => holdId);
  expect([...of(first.body), ...of(next.body)]).toEqual(ids.filter((_, index) => index !== 1));
  expect(next.body.links).toEqual({});
});

test('a hold does not change the balances of the history, and a posting does not change holds', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  await holding.placed({ amount: '400' });
  const [posted] = await post(gateway, { account, caller }, [entry({ amount: '1', debitCreditMemo: 'DEBIT' })]);
  expect(posted?.availableBalance).toBe('999.00');
  expect((await holding.seen()).balances).toEqual(balances('999.00', '599.00', '400.00'));
});

test('a bank that records what it has done is not stopped by holds, so the available balance may be below zero', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  await holding.placed({ amount: '900' });
  await post(gateway, { account, caller }, [entry({ amount: '600', debitCreditMemo: 'DEBIT' })]);
  expect((await holding.seen()).balances).toEqual(balances('400.00', '-500.00', '900.00'));
});

test('a hold that keeps back more than there is, is refused where the program checks funds', async () => {
  const { program, account, caller, holding } = await fundedAccount(gateway);
  const beyond = () => newHold({ amount: '1000.01' });
  expect((await holding.place(beyond())).errors).toBeUndefined();
  await gateway.given.programRecord(program, { checkFunds: true });
  await holding.release((await holding.seen()).holds.nodes[0]?.holdId as string);
  const refused = await holding.place(beyond());
  expect(refused.errors?.[0].extensions.code).toBe('INSUFFICIENT_FUNDS');
  const rest = await gateway.as(caller).rest.post(`/accounts/${account}/holds`, { ...beyond(), amount: 1000.01 });
  expect([rest.status, rest.body.code]).toEqual([409, 'insufficient_funds']);
  await holding.placed({ amount: '600' });
  expect((await holding.place(newHold({ amount: '400.01' }))).errors?.[0].extensions.code).toBe('INSUFFICIENT_FUNDS');
  await holding.placed({ amount: '400' });
  await gateway.sql.query('UPDATE account SET overdraft_limit_minor = 5000 WHERE account_id = $1', [account]);
  await holding.placed({ amount: '50' });
  expect((await holding.place(newHold({ amount: '0.01' }))).errors?.[0].extensions.code).toBe('INSUFFICIENT_FUNDS');
  expect((await holding.seen()).balances).toEqual({
    ...balances('1000.00', '-50.00', '1050.00'),
    overdraftLimit: '50.00',
  });
});
