import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { pointerWithin } from '../support/answers.js';
import { startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post, problems } from '../transaction/support/ledger.js';
import { fundedAccount, inSeconds, newHold, type Hold } from './support/holds.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

type FundedAccount = Awaited<ReturnType<typeof fundedAccount>>;

/**
 * What a write over REST and GraphQL is refused with; nothing may be different afterwards. `at` is where GraphQL takes
 * what REST has as the body.
 */
async function refusals(
  of: FundedAccount,
  graphql: () => Promise<{ errors?: unknown }>,
  at: string,
  path: string,
  body: object,
): Promise<unknown> {
  const before = await stateOf(of);
  const over = await graphql();
  const rest = await gateway.as(of.caller).rest.post(`/accounts/${of.account}/holds${path}`, body);
  expect(await stateOf(of)).toEqual(before);
  const [error] = (over.errors ?? []) as { extensions: Parameters<typeof problems>[0] }[];
  const overGraphql = error && problems(error.extensions);
  const overRest = problems(rest.body);
  const withoutInput = overGraphql?.errors.map(text => pointerWithin(at, text));
  expect({ ...overGraphql, errors: withoutInput }).toEqual(overRest);
  return { status: rest.status, ...overRest };
}

async function stateOf({ account, holding }: FundedAccount): Promise<unknown> {
  const { rows } = await gateway.sql.query('SELECT count(*)::int AS events FROM event WHERE account_id = $1', [
    account,
  ]);
  return [await holding.seen(), rows];
}

const placing = (of: FundedAccount, input: { amount: string }) =>
  refusals(of, () => of.holding.place(input), '/input/hold', '', { ...input, amount: Number(input.amount) });
const capturing = (of: FundedAccount, holdId: string, amount?: string) =>
  refusals(of, () => of.holding.capture(holdId, { amount }), '/input', `/${encodeURIComponent(holdId)}/capture`, {
    ...(amount !== undefined && { amount: Number(amount) }),
  });
const releasing = (of: FundedAccount, holdId: string) =>
  refusals(of, () => of.holding.release(holdId), '/input', `/${encodeURIComponent(holdId)}/release`, {});

const refused = (status: number, code: string, ...errors: string[]) => ({ status, code, errors });

test.each([
  ['nothing', '0', ['/amount range']],
  ['less than nothing', '-1', ['/amount range']],
  ['more digits than the currency has', '1.001', ['/amount currency_digits']],
  ['more than an amount can be', '10000000000000.01', ['/amount range']],
])('a hold of %s is refused', async (_, amount, errors) => {
  const of = await fundedAccount(gateway);
  expect(await placing(of, newHold({ amount }))).toEqual(refused(422, 'rule_broken', ...errors));
});

test('a hold in a currency without decimals has none', async () => {
  const of = await fundedAccount(gateway, { currency: 'JPY' });
  expect(await placing(of, newHold({ amount: '1.5' }))).toEqual(refused(422, 'rule_broken', '/amount currency_digits'));
  expect((await of.holding.place(newHold({ amount: '15' }))).data.hold.heldAmount).toBe('15');
});

test.each([
  ['in the past', -1],
  ['more than a year ahead', 366 * 86_400],
])('a hold that ends %s is refused, with every bad field', async (_, seconds) => {
  const of = await fundedAccount(gateway);
  const input = newHold({ amount: '0', expiresAt: inSeconds(seconds) });
  expect(await placing(of, input)).toEqual(refused(422, 'rule_broken', '/amount range', '/expiresAt range'));
});

test('an id leaves room for the numbers of captures, and texts have their limits', async () => {
  const of = await fundedAccount(gateway);
  const input = newHold({ holdId: 'x'.repeat(57), description: '', reference: 'r'.repeat(65) });
  const graphql = await of.holding.place(input);
  const fields = ['/holdId format', '/description text', '/reference text'];
  expect(problems(graphql.errors?.[0].extensions as never)).toEqual({
    code: 'rule_broken',
    errors: fields.map(field => `/input/hold${field}`),
  });
  const rest = await gateway.as(of.caller).rest.post(`/accounts/${of.account}/holds`, { ...input, amount: 75 });
  expect([rest.status, problems(rest.body)]).toEqual([422, { code: 'rule_broken', errors: fields }]);
  expect(await of.holding.placed({ holdId: 'x'.repeat(56) })).toHaveLength(56);
});

test.each(['amount', 'description', 'expiresAt', 'reference'] as const)(
  'a hold with a known id and another %s is refused',
  async field => {
    const of = await fundedAccount(gateway);
    const input = newHold();
    await of.holding.place(input);
    const others = { amount: '75.01', description: 'other', expiresAt: inSeconds(1000), reference: 'other' };
    expect(await placing(of, { ...input, [field]: others[field] })).toEqual(refused(409, 'hold_exists'));
  },
);

test('a hold with the id of a transaction is refused', async () => {
  const of = await fundedAccount(gateway);
  const transactionId = unique('t');
  await post(gateway, of, [entry({ transactionId })]);
  expect(await placing(of, newHold({ holdId: transactionId }))).toEqual(refused(409, 'hold_exists'));
});

test.each([
  ['RESTRICTED', 'account_restricted'],
  ['CLOSED', 'account_closed'],
])('an account that is %s gets no hold', async (status, code) => {
  const of = await fundedAccount(gateway);
  await gateway.sql.query('UPDATE account SET status = $2 WHERE account_id = $1', [of.account, status]);
  expect(await placing(of, newHold())).toEqual(refused(409, code));
});

test('a hold of an account that was restricted later can still be captured and released', async () => {
  const of = await fundedAccount(gateway);
  const [first, second] = [await of.holding.placed(), await of.holding.placed()];
  await gateway.sql.query(`UPDATE account SET status = 'RESTRICTED' WHERE account_id = $1`, [of.account]);
  expect((await of.holding.capture(first)).data.hold.status).toBe('CAPTURED');
  expect((await of.holding.release(second)).data.hold.status).toBe('RELEASED');
});

test('a hold names a card of the account that is active', async () => {
  const of = await fundedAccount(gateway);
  const card = newCard(of.account, of.owners[0] as string, { status: 'Inactive' });
  const other = await fundedAccount(gateway, { program: of.program });
  const theirs = newCard(other.account, other.owners[0] as string);
  for (const one of [card, theirs]) await gateway.as(of.caller).rest.post('/cards/v1/cards', one);
  expect(await placing(of, newHold({ cardId: 'none' }))).toEqual(refused(404, 'card_not_found'));
  expect(await placing(of, newHold({ cardId: theirs.cardId }))).toEqual(refused(404, 'card_not_found'));
  expect(await placing(of, newHold({ cardId: card.cardId }))).toEqual(refused(409, 'card_state'));
});

test.each([
  ['more than remains', '50.01', 409, 'hold_exceeded', []],
  ['nothing', '0', 422, 'rule_broken', ['/amount range']],
  ['less than nothing', '-1', 422, 'rule_broken', ['/amount range']],
  ['in other digits', '1.001', 422, 'rule_broken', ['/amount currency_digits']],
])('a capture of %s is refused', async (_, amount, status, code, errors) => {
  const of = await fundedAccount(gateway);
  const holdId = await of.holding.placed();
  await of.holding.capture(holdId, { amount: '25', keepRest: true });
  expect(await capturing(of, holdId, amount)).toEqual(refused(status, code, ...errors));
});

test.each<['captured' | 'released', (of: FundedAccount, id: string) => Promise<{ data: { hold: Hold } }>]>([
  ['captured', (of, id) => of.holding.capture(id)],
  ['released', (of, id) => of.holding.release(id)],
])('a hold that was %s has ended', async (_, end) => {
  const of = await fundedAccount(gateway);
  const holdId = await of.holding.placed();
  await end(of, holdId);
  expect(await capturing(of, holdId)).toEqual(refused(409, 'hold_ended'));
  expect(await capturing(of, holdId, '1')).toEqual(refused(409, 'hold_ended'));
  expect(await releasing(of, holdId)).toEqual(refused(409, 'hold_ended'));
});

test('a hold that the account does not have is not found, nor is one of another account', async () => {
  const [of, other] = [await fundedAccount(gateway), await fundedAccount(gateway)];
  const theirs = await other.holding.placed();
  for (const id of [theirs, 'none', 'a\u0000b', 'x'.repeat(1000)]) {
    expect(await capturing(of, id)).toEqual(refused(404, 'hold_not_found'));
    expect(await releasing(of, id)).toEqual(refused(404, 'hold_not_found'));
    const { rest } = gateway.as(of.caller);
    expect((await rest.get(`/accounts/${of.account}/holds/${encodeURIComponent(id)}`)).body.code).toBe(
      'hold_not_found',
    );
  }
  const stranger = { ...of, account: other.account, holding: of.holding };
  const { rest } = gateway.as(stranger.caller);
  expect((await rest.get(`/accounts/${other.account}/holds`)).body.code).toBe('account_not_found');
  expect((await rest.post(`/accounts/${other.account}/holds/${theirs}/release`, {})).body.code).toBe(
    'account_not_found',
  );
});

test('the database refuses what no hold may be', async () => {
  const of = await fundedAccount(gateway);
  await of.holding.placed();
  const breaking = [
    'UPDATE hold SET captured_minor = amount_minor + 1 WHERE account_id = $1',
    'UPDATE hold SET amount_minor = 0, captured_minor = 0 WHERE account_id = $1',
    `UPDATE hold SET status = 'RELEASED' WHERE account_id = $1`,
    'UPDATE account SET held_minor = -1 WHERE account_id = $1',
  ];
  for (const statement of breaking) {
    await expect(gateway.sql.query(statement, [of.account])).rejects.toMatchObject({ code: '23514' });
  }
});
