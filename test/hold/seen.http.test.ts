import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { POSTED, Stream, transactionIds } from '../platform/graphql/subscriptions/listening.js';
import { newCard } from '../support/card.js';
import { contentsOf } from '../support/contents.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { entry, post } from '../transaction/support/ledger.js';
import { fundedAccount, inSeconds, newHold } from './support/holds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

test('a subscriber gets every row that holds add to the history, in ledger order', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  await gateway.feedReady();
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  const captured = await holding.placed();
  const expiring = await holding.placed({ expiresAt: inSeconds(0.5) });
  await holding.capture(captured, { amount: '25' });
  await until(async () => transactionIds(stream).length === 5);
  expect(transactionIds(stream)).toEqual(
    (await holding.seen()).transactions.nodes
      .map(({ transactionId }) => transactionId)
      .toReversed()
      .slice(1),
  );
  expect(new Set(transactionIds(stream))).toEqual(
    new Set([captured, expiring, `${captured}~1`, `${captured}~end`, `${expiring}~end`]),
  );
  stream.close();
});

test('the feed tells what was placed, captured, released and expired, and nothing of a hold that is placed again', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  const input = newHold();
  await holding.place(input);
  await holding.place(input);
  await holding.capture(input.holdId, { amount: '25', keepRest: true });
  await holding.release(input.holdId);
  const expiring = await holding.placed({ expiresAt: inSeconds(0.3), amount: '1' });
  await until(async () => (await holding.seen()).holds.nodes[0]?.status === 'EXPIRED');
  await gateway.feedReady();
  const types = 'hold.placed,hold.captured,hold.released,hold.expired';
  const { body } = await gateway.as(caller).rest.get(`/events?accountId=${account}&types=${types}`);
  const told = body.events.map(({ type, data }: { type: string; data: Record<string, string> }) =>
    [type, data['holdId'], data['amount'], data['heldAmount'], data['status'], data['transactionId']].join(' '),
  );
  const { holdId } = input;
  expect(told).toEqual([
    `hold.placed ${holdId} 75.00 75.00 ACTIVE ${holdId}`,
    `hold.captured ${holdId} 25.00 50.00 ACTIVE ${holdId}~1`,
    `hold.released ${holdId} 50.00 0.00 RELEASED ${holdId}~end`,
    `hold.placed ${expiring} 1.00 1.00 ACTIVE ${expiring}`,
    `hold.expired ${expiring} 1.00 0.00 EXPIRED ${expiring}~end`,
  ]);
  expect(body.events[0].data).not.toHaveProperty('description');
});

test('why a purchase by card was refused is one event of the card for each key, and ten of one code an hour', async () => {
  const { account, caller, owners, holding } = await fundedAccount(gateway);
  const { rest } = gateway.as(caller);
  const card = newCard(account, owners[0] as string);
  await rest.post('/cards/v1/cards', card);
  const { cardId, last4 } = card;
  const toldOf = async () => {
    await gateway.feedReady();
    const { body } = await rest.get(`/events?accountId=${account}&types=card.purchase_refused&limit=100`);
    return body.events.map(({ data }: { data: object }) => data);
  };
  const freeze = 'mutation ($a: ID!, $c: ID!) { freezeCard(input: { accountId: $a, cardId: $c }) { card { status } } }';
  await gateway.as(caller).graphql(freeze, { a: account, c: cardId });
  const path = `/accounts/${account}/holds`;
  const purchase = { ...newHold({ cardId }), amount: 75 };
  const key = keyed(unique('key'));
  for (const [times, replayed] of [undefined, 'true'].entries()) {
    const { status, body, headers } = await rest.post(path, purchase, key);
    expect([times, status, body.code, headers['idempotent-replayed']]).toEqual([times, 409, 'card_state', replayed]);
  }
  // Neither without a key, nor as a dry run, nor without the card.
  await rest.post(path, purchase);
  await rest.post(`${path}?dryRun=true`, purchase, keyed(unique('key')));
  await rest.post(path, { ...purchase, cardId: 'nobodys' }, keyed(unique('key')));
  const refused = { accountId: account, cardId, currency: 'USD', last4, status: 'FROZEN', amount: '75.00' };
  expect(await toldOf()).toEqual([
    { ...refused, sequence: expect.any(Number), holdId: purchase.holdId, code: 'card_state' },
  ]);
  for (let time = 0; time < 12; time++) await holding.place(newHold({ cardId }), keyed(unique('key')));
  await rest.post(`/accounts/${account}/restrict`, { reason: 'A court order.' }, keyed(unique('key')));
  await holding.place(newHold({ cardId, amount: '80' }), keyed(unique('key')));
  const told = await toldOf();
  expect(told).toHaveLength(11);
  expect(told.at(-2)).toMatchObject({ code: 'card_state', furtherRecorded: false });
  expect(told.at(-1)).toMatchObject({ ...refused, amount: '80.00', code: 'account_restricted' });
  const { rows } = await gateway.sql.query('SELECT count(*)::int AS holds FROM hold WHERE account_id = $1', [account]);
  expect(rows).toEqual([{ holds: 0 }]);
  const chain = 'query ($a: ID!) { account(accountId: $a) { eventChain { intact } } }';
  expect((await gateway.as(caller).graphql(chain, { a: account })).data.account.eventChain.intact).toBe(true);
});

test('a dry run answers what would be done, and changes nothing in any table', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  const holdId = await holding.placed();
  await gateway.feedReady();
  const before = await contentsOf(gateway.sql);
  const { rest } = gateway.as(caller);
  const [path, key] = [`/accounts/${account}/holds`, keyed(unique('key'))];
  const placed = await rest.post(`${path}?dryRun=true`, { ...newHold(), amount: 75 }, key);
  const captured = await rest.post(`${path}/${holdId}/capture?dryRun=true`, { amount: 25 }, key);
  const released = await rest.post(`${path}/${holdId}/release?dryRun=true`, undefined, key);
  const beyond = await rest.post(`${path}/${holdId}/capture?dryRun=true`, { amount: 76 }, key);
  expect([placed, captured, released].map(({ status, body }) => [status, body.status])).toEqual([
    [201, 'ACTIVE'],
    [200, 'CAPTURED'],
    [200, 'RELEASED'],
  ]);
  expect([beyond.status, beyond.body.code]).toEqual([409, 'hold_exceeded']);
  expect(await contentsOf(gateway.sql)).toEqual(before);
});

test('a file of booked transactions has captures, and neither holds nor their ends', async () => {
  const { account, caller, holding } = await fundedAccount(gateway);
  await post(gateway, { account, caller }, [entry({ amount: '1', postedTimestamp: inSeconds(0) })]);
  const holdId = await holding.placed();
  await holding.capture(holdId, { amount: '25.50' });
  const [from, to] = [inSeconds(-2 * 86_400), inSeconds(86_400)].map(instant => instant.slice(0, 10));
  const { text } = await gateway
    .as(caller)
    .rest.get(`/accounts/${account}/transactions?format=csv&startTime=${from}&endTime=${to}`);
  expect(text).toContain(`${holdId}~1`);
  expect(text).not.toContain(`${holdId}~end`);
  expect(text.match(new RegExp(holdId, 'g'))).toHaveLength(1);
});
