import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

/** Every payment: its route, its field, and what is posted. */
const PAYMENTS = [
  ['ach-credit', 'simulateAchCredit', { debitCreditMemo: 'CREDIT', category: 'ACH', transactionType: 'DIRECTDEPOSIT' }],
  ['ach-debit', 'simulateAchDebit', { debitCreditMemo: 'DEBIT', category: 'ACH', transactionType: 'DIRECTDEBIT' }],
  ['wire', 'simulateWire', { debitCreditMemo: 'CREDIT', category: 'WIRE', transactionType: 'INCOMINGWIRE' }],
  ['interest', 'simulateInterest', { debitCreditMemo: 'CREDIT', category: 'OTHER', transactionType: 'INTEREST' }],
  ['monthly-fee', 'simulateMonthlyFee', { debitCreditMemo: 'DEBIT', category: 'OTHER', transactionType: 'FEE' }],
] as const;

const FIELDS =
  'transactionId amount availableBalance: balanceAfter debitCreditMemo: direction category transactionType status description';
const HISTORY = `query ($id: ID!) { account(accountId: $id) { availableBalance transactions(first: 10) { nodes { ${FIELDS} } } } }`;

async function given() {
  const of = await gateway.given.account();
  const client = gateway.as(of.caller);
  const { data: cursor } = await client.graphql('{ feedCursor }');
  return {
    ...of,
    client,
    /** What readers of the history and of the balance see, and the events since. */
    seen: async () => {
      await gateway.feedReady();
      const { data } = await client.graphql(HISTORY, { id: of.account });
      const { body } = await client.rest.get(`/events?after=${cursor.feedCursor}`);
      return {
        balance: data.account.availableBalance,
        history: data.account.transactions.nodes,
        events: body.events.map(({ type, data: facts }: { type: string; data: { transactionIds?: string[] } }) => [
          type,
          facts.transactionIds,
        ]),
      };
    },
  };
}

describe.each(PAYMENTS)('%s', (route, field, posted) => {
  test('is in the history, in the balance and among the events, alike over GraphQL and REST', async () => {
    for (const api of ['rest', 'graphql'] as const) {
      const { account, client, seen } = await given();
      const wish = { accountId: account, amount: 12.5, description: 'Made to happen', seed: 7 };
      const made =
        api === 'rest'
          ? (await client.rest.post(`/simulate/${route}`, wish)).body.depositTransaction
          : (
              await client.graphql(
                `mutation ($input: SimulatedPaymentInput!) { made: ${field}(input: $input) { transaction { ${FIELDS} } } }`,
                { input: { ...wish, amount: '12.50' } },
              )
            ).data.made.transaction;
      const sign = posted.debitCreditMemo === 'CREDIT' ? '' : '-';
      const entry = { ...posted, status: 'POSTED', description: 'Made to happen', amount: '12.50' };
      const transactionId = made.transactionId as string;
      expect(transactionId).toMatch(new RegExp(`^${route}~[0-9a-f]{12}$`));
      expect(await seen()).toEqual({
        balance: `${sign}12.50`,
        history: [{ ...entry, transactionId, availableBalance: `${sign}12.50` }],
        events: [['transaction.posted', [transactionId]]],
      });
    }
  });

  test('is made from its seed where nothing is said: the same seed gives the same in another account', async () => {
    const [one, other] = [await given(), await given()];
    const made = await Promise.all(
      [one, other].map(async ({ account, client }) => {
        const { status, body } = await client.rest.post(`/simulate/${route}`, { accountId: account, seed: 2026 });
        const { transactionId, amount, description, reference } = body.depositTransaction;
        return { status, transactionId, amount, description, reference };
      }),
    );
    expect(made[0]).toEqual(made[1]);
    expect(made[0]).toMatchObject({ status: 201, description: expect.stringMatching(/.+/) });
    expect(Number(made[0]?.amount)).toBeGreaterThan(0);
  });
});

test('without a seed each simulation is another one, and the same ones of a program come again in a new database', async () => {
  const program = unique('program');
  const story = async (on: TestGateway) => {
    const { account, caller } = await on.given.account({ program });
    const ids: unknown[] = [];
    for (const [route] of PAYMENTS) {
      const { body } = await on.as(caller).rest.post(`/simulate/${route}`, { accountId: account });
      const { transactionId, amount, description } = body.depositTransaction;
      ids.push([transactionId, amount, description]);
    }
    return ids;
  };
  const again = await startTestGateway({});
  try {
    const first = await story(gateway);
    expect(await story(again)).toEqual(first);
    expect(await story(gateway)).not.toEqual(first);
  } finally {
    await again.stop();
  }
});

test('a seed that was used for the account is refused, and nothing is written', async () => {
  const { account, client, seen } = await given();
  const first = await client.rest.post('/simulate/wire', { accountId: account, seed: 1 });
  expect(first.status).toBe(201);
  const rest = await client.rest.post('/simulate/wire', { accountId: account, seed: 1 }, keyed('again'));
  expect(rest).toMatchObject({ status: 409, body: { code: 'simulation_exists' } });
  const replayed = await client.rest.post('/simulate/wire', { accountId: account, seed: 1 }, keyed('again'));
  expect(replayed).toMatchObject({ status: 409, body: { code: 'simulation_exists' } });
  expect((await seen()).history).toHaveLength(1);
});

test('under one idempotency key it happens once, whichever API the retry comes over', async () => {
  const { account, client, seen } = await given();
  const key = keyed(unique('key'));
  const first = await client.rest.post('/simulate/ach-credit', { accountId: account, amount: 5 }, key);
  const retry = await client.rest.post('/simulate/ach-credit', { accountId: account, amount: 5 }, key);
  expect(retry.headers['idempotent-replayed']).toBe('true');
  expect(retry.body).toEqual(first.body);
  const other = await client.graphql(
    'mutation ($id: ID!) { simulateAchCredit(input: { accountId: $id, amount: "5" }) { transaction { transactionId } } }',
    { id: account },
    { headers: key },
  );
  expect(other.data.simulateAchCredit.transaction.transactionId).toBe(first.body.depositTransaction.transactionId);
  const changed = await client.rest.post('/simulate/ach-credit', { accountId: account, amount: 6 }, key);
  expect(changed).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  expect((await seen()).history).toHaveLength(1);
});

test('amounts are made in the size and with the digits of the currency', async () => {
  for (const [currency, form] of [
    ['JPY', /^\d{4,}$/],
    ['KWD', /^\d+\.\d{3}$/],
    ['USD', /^\d+\.\d\d$/],
  ] as const) {
    const { account, caller } = await gateway.given.account({ currency });
    const { data } = await gateway
      .as(caller)
      .graphql('mutation ($id: ID!) { simulateAchCredit(input: { accountId: $id }) { transaction { amount } } }', {
        id: account,
      });
    expect(data.simulateAchCredit.transaction.amount).toMatch(form);
  }
});

describe('is refused', () => {
  const SIMULATE =
    'mutation ($input: SimulatedPaymentInput!) { simulateWire(input: $input) { transaction { transactionId } } }';

  test.each([
    ['an amount below zero', { amount: -1 }, '/amount', 'range'],
    ['more digits than the currency has', { amount: 1.005 }, '/amount', 'currency_digits'],
    ['a seed below zero', { seed: -1 }, '/seed', 'range'],
    ['a description that is too long', { description: 'x'.repeat(501) }, '/description', 'text'],
  ])('%s', async (_what, wish, pointer, code) => {
    const { account, client, seen } = await given();
    const rest = await client.rest.post('/simulate/wire', { accountId: account, ...wish });
    expect(rest).toMatchObject({ status: 422, body: { errors: [{ pointer, code }] } });
    const input = { accountId: account, ...wish, ...('amount' in wish && { amount: String(wish.amount) }) };
    const { errors } = await client.graphql(SIMULATE, { input });
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'RULE_BROKEN',
      errors: [{ pointer: `/input${pointer}`, code }],
    });
    expect((await seen()).history).toEqual([]);
  });

  test('the account of another program, and one that does not exist, and the attempt is on record', async () => {
    const { account } = await gateway.given.account();
    const { caller } = await gateway.given.account();
    for (const accountId of [account, 'nobodys', '\u0000']) {
      const rest = await gateway.as(caller).rest.post('/simulate/wire', { accountId });
      expect([rest.status, rest.body.code]).toEqual(
        accountId === '\u0000' ? [422, 'rule_broken'] : [404, 'account_not_found'],
      );
    }
    const { errors } = await gateway.as(caller).graphql(SIMULATE, { input: { accountId: account } });
    expect(errors?.[0]?.extensions.code).toBe('ACCOUNT_NOT_FOUND');
    await gateway.recorded();
    const { rows } = await gateway.sql.query(
      `SELECT count(*)::int AS count FROM event WHERE action = 'sandbox.simulate'`,
    );
    expect(rows[0].count).toBeGreaterThanOrEqual(2);
  });

  test('a closed account', async () => {
    const { account, caller } = await gateway.given.account({ status: 'CLOSED' });
    const rest = await gateway.as(caller).rest.post('/simulate/wire', { accountId: account });
    expect(rest).toMatchObject({ status: 409, body: { code: 'account_closed' } });
  });
});
