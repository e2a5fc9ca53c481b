import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newCard } from '../../../test/support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { restCode } from '../../../test/support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type WriteApi = 'rest' | 'graphql';
const APIS = ['rest', 'graphql'] as const;

const HOLD = 'made: hold { holdId status amount capturedAmount heldAmount cardId description }';
const TRANSACTION =
  'made: transaction { transactionId referenceTransactionId amount status category transactionType description memo }';
/** The field and what is selected of it, by the route. */
const FIELDS: Record<string, readonly [field: string, type: string, selection: string]> = {
  'card-authorization': ['simulateCardAuthorization', 'SimulatedAuthorizationInput', HOLD],
  'card-capture': ['simulateCardCapture', 'SimulatedCaptureInput', HOLD],
  'card-reversal': ['simulateCardReversal', 'SimulatedHoldInput', HOLD],
  'hold-expiry': ['simulateHoldExpiry', 'SimulatedHoldInput', HOLD],
  'card-refund': ['simulateCardRefund', 'SimulatedRefundInput', TRANSACTION],
  'ach-return': ['simulateAchReturn', 'SimulatedReturnInput', TRANSACTION],
  'ach-debit': ['simulateAchDebit', 'SimulatedPaymentInput', TRANSACTION],
  'ach-credit': ['simulateAchCredit', 'SimulatedPaymentInput', TRANSACTION],
};
const SEEN = `query ($id: ID!) { account(accountId: $id) {
  balances { posted available held }
  holds(first: 10) { nodes { holdId status heldAmount } }
  transactions(first: 20) { nodes { transactionId referenceTransactionId amount debitCreditMemo: direction status transactionType } } } }`;

interface Entry {
  readonly transactionId: string;
  readonly referenceTransactionId: string | null;
  readonly amount: string;
  readonly debitCreditMemo: string;
  readonly status: string;
  readonly transactionType: string;
}
interface Outcome {
  readonly code: string | null;
  readonly pointers: readonly string[];
  readonly made: Record<string, unknown> & { readonly holdId: string; readonly transactionId: string };
}

/** An account with an active card, and what its readers see. */
async function given() {
  const of = await gateway.given.account();
  const client = gateway.as(of.caller);
  const { body: card } = await client.rest.post(
    '/cards/v1/cards',
    newCard(of.account, of.owners[0] as string, { status: 'Active' }),
  );
  await gateway.feedReady();
  const { data: start } = await client.graphql('{ feedCursor }');
  return {
    ...of,
    client,
    card: card.cardId as string,
    /** Over REST amounts are numbers. */
    simulate: async (api: WriteApi, kind: string, wish: object = {}, headers = {}): Promise<Outcome> => {
      const input = { accountId: of.account, ...wish };
      if (api === 'rest') {
        const { status, body } = await client.rest.post(`/simulate/${kind}`, input, headers);
        const pointers = (body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer);
        return { code: status < 300 ? null : body.code, pointers, made: body.depositTransaction ?? body };
      }
      const [field, type, selection] = FIELDS[kind] as (typeof FIELDS)[string];
      const texts = 'amount' in input ? { ...input, amount: String(input.amount) } : input;
      const query = `mutation ($input: ${type}!) { payload: ${field}(input: $input) { ${selection} } }`;
      const { data, errors } = await client.graphql(query, { input: texts }, { headers });
      const problems = errors?.[0]?.extensions.errors ?? [];
      const pointers = problems.map(({ pointer }: { pointer: string }) => pointer.replace(/^\/input/, ''));
      return { code: restCode(errors?.[0]?.extensions.code) ?? null, pointers, made: data?.payload?.made };
    },
    seen: async () => {
      await gateway.feedReady();
      const { data } = await client.graphql(SEEN, { id: of.account });
      const { balances, holds, transactions } = data.account;
      const { body } = await client.rest.get(`/events?after=${start.feedCursor}&accountId=${of.account}`);
      return {
        balances: `${balances.posted} ${balances.available} ${balances.held}`,
        holds: holds.nodes.map(({ status, heldAmount }: Record<string, string>) => `${status} ${heldAmount}`),
        history: (transactions.nodes as Entry[]).toReversed(),
        events: body.events.map(({ type }: { type: string }) => type),
      };
    },
  };
}

const words = ({ amount, debitCreditMemo, status, transactionType }: Entry) =>
  `${amount} ${debitCreditMemo} ${status} ${transactionType}`;

describe.each(APIS)('a purchase by card over %s', api => {
  test('is authorised, captured in parts, and refunded', async () => {
    const { simulate, seen, card } = await given();
    const { made: hold } = await simulate(api, 'card-authorization', { amount: 75, description: 'Fuel', seed: 3 });
    expect(hold).toMatchObject({ status: 'ACTIVE', cardId: card, description: 'Fuel' });
    expect(hold.holdId).toMatch(/^card-authorization~[0-9a-f]{12}$/);
    expect(await seen()).toMatchObject({ balances: '0.00 -75.00 75.00', holds: ['ACTIVE 75.00'] });

    const { holdId } = hold;
    await simulate(api, 'card-capture', { holdId, amount: 20.5, keepRest: true });
    expect(await seen()).toMatchObject({ balances: '-20.50 -75.00 54.50', holds: ['ACTIVE 54.50'] });
    await simulate(api, 'card-capture', { holdId, amount: 30 });
    const { made: refund } = await simulate(api, 'card-refund', { transactionId: `${holdId}~1`, amount: 5 });
    const after = await seen();
    expect(after.balances).toBe('-45.50 -45.50 0.00');
    expect(after.holds).toEqual(['CAPTURED 0.00']);
    expect(after.history.map(words)).toEqual([
      '75.00 DEBIT AUTHORIZATION PURCHASE',
      '20.50 DEBIT POSTED PURCHASE',
      '30.00 DEBIT POSTED PURCHASE',
      '24.50 MEMO MEMO HOLD_RELEASED',
      '5.00 CREDIT POSTED REFUND',
    ]);
    expect(refund).toMatchObject({ referenceTransactionId: `${holdId}~1`, description: 'Fuel, returned' });
    expect(after.events).toEqual(['hold.placed', 'hold.captured', 'hold.captured', 'transaction.posted']);
  });

  test('is reversed, or expires before its time', async () => {
    for (const [kind, status, type] of [
      ['card-reversal', 'RELEASED', 'hold.released'],
      ['hold-expiry', 'EXPIRED', 'hold.expired'],
    ] as const) {
      const { simulate, seen } = await given();
      const { made: hold } = await simulate(api, 'card-authorization', { amount: 10 });
      const { made: ended } = await simulate(api, kind, { holdId: hold.holdId });
      expect(ended['status']).toBe(status);
      expect(await seen()).toMatchObject({
        balances: '0.00 0.00 0.00',
        holds: [`${status} 0.00`],
        events: ['hold.placed', type],
      });
      expect((await simulate(api, kind, { holdId: hold.holdId })).code).toBe('hold_ended');
    }
  });

  test('is drawn from its seed, which an account takes once', async () => {
    const [one, other] = [await given(), await given()];
    const first = await one.simulate(api, 'card-authorization', { seed: 9 });
    const second = await other.simulate(api, 'card-authorization', { seed: 9 });
    const drawn = ({ made: { holdId, amount, description } }: Outcome) => ({ holdId, amount, description });
    expect(drawn(second)).toEqual(drawn(first));
    expect((await one.simulate(api, 'card-authorization', { seed: 9 })).code).toBe('simulation_exists');
    expect((await one.seen()).holds).toHaveLength(1);
  });

  test('happens once under one idempotency key', async () => {
    const { simulate, seen } = await given();
    const key = keyed(unique('key'));
    const first = await simulate(api, 'card-authorization', {}, key);
    const retry = await simulate(api, 'card-authorization', {}, key);
    expect(retry.made.holdId).toBe(first.made.holdId);
    expect((await seen()).holds).toHaveLength(1);
  });

  test('is refused without an active card, above the hold, and for what is no purchase', async () => {
    const { account, simulate, card, client, seen } = await given();
    const { made: hold } = await simulate(api, 'card-authorization', { amount: 10 });
    const { holdId } = hold;
    expect((await simulate(api, 'card-capture', { holdId, amount: 10.01 })).code).toBe('hold_exceeded');
    expect((await simulate(api, 'card-capture', { holdId: 'none' })).code).toBe('hold_not_found');
    expect((await simulate(api, 'card-authorization', { cardId: 'none' })).code).toBe('card_not_found');
    const past = new Date(Date.now() - 1000).toISOString();
    expect(await simulate(api, 'card-authorization', { expiresAt: past })).toMatchObject({
      code: 'rule_broken',
      pointers: ['/expiresAt'],
    });
    const { made: credit } = await simulate(api, 'ach-credit', { amount: 1 });
    for (const transactionId of ['none', holdId, credit.transactionId]) {
      expect(await simulate(api, 'card-refund', { transactionId })).toMatchObject({
        code: 'rule_broken',
        pointers: ['/transactionId'],
      });
    }
    await client.graphql(
      `mutation { freezeCard(input: { accountId: "${account}", cardId: "${card}" }) { card { status } } }`,
    );
    expect((await simulate(api, 'card-authorization', { cardId: card })).code).toBe('card_state');
    expect((await simulate(api, 'card-authorization')).code).toBe('card_not_found');
    expect((await seen()).events).toEqual(['hold.placed', 'transaction.posted', 'card.frozen']);
  });
});

describe.each(APIS)('an ACH payment over %s', api => {
  test('is returned once, in the other direction, with the code and its reason', async () => {
    const { simulate, seen } = await given();
    const { made: debit } = await simulate(api, 'ach-debit', { amount: 40, description: 'Water' });
    const wish = { transactionId: debit.transactionId, code: 'R01' };
    const { made } = await simulate(api, 'ach-return', wish);
    expect(made).toMatchObject({
      referenceTransactionId: debit.transactionId,
      category: 'ACH',
      transactionType: 'RETURN',
    });
    expect(made).toMatchObject({ description: 'Returned: Water', memo: 'Insufficient funds' });
    expect((await simulate(api, 'ach-return', { ...wish, code: 'R29' })).code).toBe('simulation_exists');
    const after = await seen();
    expect(after.balances).toBe('0.00 0.00 0.00');
    expect(after.history.map(words)).toEqual(['40.00 DEBIT POSTED DIRECTDEBIT', '40.00 CREDIT POSTED RETURN']);
    expect(after.events).toEqual(['transaction.posted', 'transaction.posted']);
  });

  test('that was received can be returned as well, and nothing else can', async () => {
    const { simulate, seen } = await given();
    const { made: credit } = await simulate(api, 'ach-credit', { amount: 7 });
    const { made: back } = await simulate(api, 'ach-return', { transactionId: credit.transactionId, code: 'R23' });
    expect((await seen()).balances).toBe('0.00 0.00 0.00');
    for (const transactionId of [back.transactionId, 'none']) {
      expect(await simulate(api, 'ach-return', { transactionId, code: 'R01' })).toMatchObject({
        code: 'rule_broken',
        pointers: ['/transactionId'],
      });
    }
    expect((await seen()).history).toHaveLength(2);
  });
});

test('what comes back has as much of the description as there is room for, and no half of a character', async () => {
  const { simulate } = await given();
  const description = `${'x'.repeat(498)}😀`;
  const { made: debit } = await simulate('graphql', 'ach-debit', { amount: 40, description });
  const { made: back } = await simulate('graphql', 'ach-return', { transactionId: debit.transactionId, code: 'R01' });
  expect(back.description).toBe(`Returned: ${'x'.repeat(490)}`);
  const bought = `${'x'.repeat(489)}😀${'y'.repeat(9)}`;
  const { made: hold } = await simulate('graphql', 'card-authorization', { amount: 10, description: bought });
  await simulate('graphql', 'card-capture', { holdId: hold.holdId });
  const { made: refund } = await simulate('graphql', 'card-refund', { transactionId: `${hold.holdId}~1` });
  expect(refund.description).toBe(`${'x'.repeat(489)}, returned`);
});

test('holds expire as the clock passes their end, and not before', async () => {
  const { simulate, seen, client } = await given();
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  await simulate('rest', 'card-authorization', { amount: 10, expiresAt });
  await simulate('rest', 'card-authorization', { amount: 20 });
  await client.rest.post('/simulate/clock', { forward: 'P2D' });
  expect((await seen()).holds).toEqual(['ACTIVE 20.00', 'ACTIVE 10.00']);
  await client.rest.post('/simulate/clock', { forward: 'P2D' });
  const after = await seen();
  expect(after.holds).toEqual(['ACTIVE 20.00', 'EXPIRED 0.00']);
  expect(after.balances).toBe('0.00 -20.00 20.00');
  expect(after.events.at(-1)).toBe('hold.expired');
});

test('a hold that expires during a jump ended at its own time, and not at the end of the jump', async () => {
  const { simulate, client, account } = await given();
  const expiresAt = new Date(Date.now() + 3 * 86_400_000).toISOString();
  const { made: hold } = await simulate('rest', 'card-authorization', { amount: 10, expiresAt });
  await client.rest.post('/simulate/clock', { forward: 'P40D' });
  const { body } = await client.rest.get(`/accounts/${account}/holds/${hold.holdId}`);
  expect(body).toMatchObject({ status: 'EXPIRED', endedAt: expiresAt });
  const history = await client.rest.get(`/accounts/${account}/transactions`);
  const end = history.body.transactions.find(
    ({ depositTransaction }: { depositTransaction: { transactionId: string } }) =>
      depositTransaction.transactionId === `${hold.holdId}~end`,
  );
  expect(end.depositTransaction.transactionTimestamp).toBe(expiresAt);
});

test('a purchase is never refunded beyond its amount, in parts and at the same time', async () => {
  const { simulate, seen } = await given();
  const { made: hold } = await simulate('rest', 'card-authorization', { amount: 50 });
  await simulate('rest', 'card-capture', { holdId: hold.holdId });
  const refund = (more: object) => simulate('rest', 'card-refund', { transactionId: `${hold.holdId}~1`, ...more });
  expect(await refund({ amount: 50.01 })).toMatchObject({ code: 'beyond_transaction', pointers: ['/amount'] });
  expect((await refund({ amount: 20 })).made).toMatchObject({ amount: 20 });
  const both = await Promise.all([refund({ amount: 30 }), refund({ amount: 30 })]);
  expect(both.filter(({ code }) => code === 'beyond_transaction')).toHaveLength(1);
  expect(await refund({})).toMatchObject({ code: 'beyond_transaction' });
  expect((await seen()).balances).toBe('0.00 0.00 0.00');
});

test('a refund without an amount is what is left of the purchase', async () => {
  const { simulate, seen } = await given();
  const { made: hold } = await simulate('rest', 'card-authorization', { amount: 50 });
  await simulate('rest', 'card-capture', { holdId: hold.holdId });
  for (const more of [{ amount: 20 }, {}]) {
    await simulate('rest', 'card-refund', { transactionId: `${hold.holdId}~1`, ...more });
  }
  expect((await seen()).balances).toBe('0.00 0.00 0.00');
});
