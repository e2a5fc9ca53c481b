import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newCard } from '../support/card.js';
import { restCode } from '../support/answers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { entry, post } from '../transaction/support/ledger.js';
import { make, pairOf, seenBy, transferOf, type Pair } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const FIELDS = `perTransfer perDay remainingToday per30Days remaining30Days transfersPerDay transfersToday: todayTransferCount cardHoldsPerDay
  remainingCardHoldsToday`;
const LIMITS = `query ($a: ID!) { account(accountId: $a) { transferLimits { ${FIELDS} } } }`;
const SET = `mutation ($a: ID!, $p: TransferLimitsPatch!, $d: Boolean) { setTransferLimits(input: { accountId: $a, patch: $p, dryRun: $d }) { limits { ${FIELDS} } } }`;

const NONE = {
  perTransfer: null,
  perDay: null,
  remainingToday: null,
  per30Days: null,
  remaining30Days: null,
  transfersPerDay: null,
  transfersToday: 0,
  cardHoldsPerDay: null,
  remainingCardHoldsToday: null,
};

/** Two accounts of a program with limits for dollars, and for yen. */
async function given(limits: object, changes: Parameters<typeof pairOf>[1] = {}): Promise<Pair> {
  const pair = await pairOf(gateway, changes);
  const yen = { currency: 'JPY', perTransfer: '1' };
  await gateway.given.programRecord(pair.program, { transfers: { limits: [yen, { currency: 'USD', ...limits }] } });
  return pair;
}

async function limitsOf({ caller, from }: Pair) {
  const { data } = await gateway.as(caller).graphql(LIMITS, { a: from.account });
  return data.account.transferLimits as Record<string, unknown>;
}

async function set({ caller, from }: Pair, patch: object, dryRun = false) {
  const { data, errors } = await gateway.as(caller).graphql(SET, { a: from.account, p: patch, d: dryRun });
  return {
    code: restCode(errors?.[0]?.extensions.code) ?? null,
    limits: data?.setTransferLimits?.limits ?? null,
    errors,
  };
}

describe.each(['GraphQL', 'REST'] as const)('over %s', api => {
  test.each([
    ['perTransfer', { perTransfer: '99.99' }, [], 'at most 99.99 USD'],
    ['perDay', { perDay: '150' }, ['100'], '50.00 USD are left today'],
    ['per30Days', { per30Days: '150.01' }, ['100'], '50.01 USD are left today'],
    ['transfersPerDay', { transfersPerDay: 2 }, ['1', '2'], '0 are left today'],
  ])('a transfer beyond %s is refused, and says what remains', async (_, limits, before, words) => {
    const pair = await given(limits);
    for (const amount of before) {
      expect((await make(gateway, api, pair.caller, transferOf(pair, { amount }))).code).toBeNull();
    }
    const balance = (await seenBy(gateway, pair.from)).availableBalance;
    const input = transferOf(pair, { amount: '100' });
    const refused = await make(gateway, api, pair.caller, input);
    expect([refused.code, refused.pointers]).toEqual(['limit_exceeded', ['/amount']]);
    expect((await seenBy(gateway, pair.from)).availableBalance).toBe(balance);
    const { body } = await gateway.as(pair.caller).rest.post('/transfers', { ...input, amount: 100 });
    expect(body.errors[0].detail).toMatch(words);
    expect(body.status).toBe(409);
  });
});

test('an amount that is within every limit by a cent goes through, and the limits show what is left', async () => {
  const pair = await given({ perTransfer: '100', perDay: '150', per30Days: '200', transfersPerDay: 3 });
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '100' }))).code).toBeNull();
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '50' }))).code).toBeNull();
  expect(await limitsOf(pair)).toEqual({
    ...NONE,
    perTransfer: '100.00',
    perDay: '150.00',
    remainingToday: '0.00',
    per30Days: '200.00',
    remaining30Days: '50.00',
    transfersPerDay: 3,
    transfersToday: 2,
  });
  const beyond = await gateway.as(pair.caller).rest.post('/transfers', { ...transferOf(pair), amount: 100.01 });
  // Everything that is exceeded is named at once.
  expect(beyond.body.errors.map(({ code }: { code: string }) => code)).toEqual([
    'per_transfer',
    'per_day',
    'per_30_days',
  ]);
  const shown = await gateway.as(pair.caller).rest.get(`/accounts/${pair.from.account}/transfer-limits`);
  expect(shown.body).toEqual({
    accountId: pair.from.account,
    currency: 'USD',
    perTransfer: 100,
    perDay: 150,
    remainingToday: 0,
    per30Days: 200,
    remaining30Days: 50,
    transfersPerDay: 3,
    transfersToday: 2,
  });
});

test('money that comes in does not count, and what is reversed counts no longer', async () => {
  const pair = await given({ perDay: '250' });
  const input = transferOf(pair);
  await make(gateway, 'REST', pair.caller, input);
  expect((await make(gateway, 'REST', pair.caller, transferOf({ from: pair.to, to: pair.from }))).code).toBeNull();
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '1' }))).code).toBe('limit_exceeded');
  const path = `/transfers/${input.transferId}/reverse`;
  expect((await gateway.as(pair.caller).rest.post(path, { reason: 'Twice' })).status).toBe(200);
  expect(await limitsOf(pair)).toMatchObject({ remainingToday: '250.00', transfersToday: 0 });
});

test("a day is that of the account's zone, and 30 days are today and the 29 before", async () => {
  const pair = await given({ perDay: '100', per30Days: '1000' }, { from: { timeZone: 'Pacific/Kiritimati' } });
  await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '60' }));
  const move = (to: string) =>
    gateway.sql.query(
      `UPDATE transfer SET made_at = (date_trunc('day', now() AT TIME ZONE 'Pacific/Kiritimati') ${to}) AT TIME ZONE 'Pacific/Kiritimati'
       WHERE account_id = $1`,
      [pair.from.account],
    );
  await move('');
  expect(await limitsOf(pair)).toMatchObject({ remainingToday: '40.00', transfersToday: 1, remaining30Days: '940.00' });
  await move(`- interval '1 millisecond'`);
  expect(await limitsOf(pair)).toMatchObject({
    remainingToday: '100.00',
    transfersToday: 0,
    remaining30Days: '940.00',
  });
  await move(`- interval '29 days'`);
  expect(await limitsOf(pair)).toMatchObject({ remaining30Days: '940.00' });
  await move(`- interval '29 days' - interval '1 millisecond'`);
  expect(await limitsOf(pair)).toMatchObject({ remaining30Days: '1000.00' });
});

test('an operator sets limits of one account in place of those of the program, and gives them up again', async () => {
  const pair = await given({ perTransfer: '100', perDay: '200' });
  expect((await set(pair, { perTransfer: '500', transfersPerDay: 5 })).limits).toMatchObject({
    perTransfer: '500.00',
    perDay: '200.00',
    transfersPerDay: 5,
  });
  expect((await make(gateway, 'GraphQL', pair.caller, transferOf(pair, { amount: '150' }))).code).toBeNull();
  expect((await set(pair, { perTransfer: null })).limits).toMatchObject({ perTransfer: '100.00', transfersPerDay: 5 });
  expect((await make(gateway, 'GraphQL', pair.caller, transferOf(pair, { amount: '100.01' }))).code).toBe(
    'limit_exceeded',
  );
  await gateway.feedReady();
  const events = await gateway.as(pair.caller).rest.get(`/events?accountId=${pair.from.account}&limit=100`);
  const changed = (events.body.events as { type: string; data: { changed?: string[] } }[]).filter(
    ({ type }) => type === 'transfer_limits.changed',
  );
  expect(changed.map(({ data }) => data.changed)).toEqual([['perTransfer', 'transfersPerDay'], ['perTransfer']]);
});

test('a limit of zero lets nothing out', async () => {
  const pair = await given({ perDay: '0' });
  expect((await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '0.01' }))).code).toBe('limit_exceeded');
});

test('a change that is only tried changes nothing, and a wrong one is refused', async () => {
  const pair = await given({ perDay: '200' });
  expect((await set(pair, { perDay: '1' }, true)).limits).toMatchObject({ perDay: '1.00' });
  expect(await limitsOf(pair)).toMatchObject({ perDay: '200.00' });
  expect((await set(pair, { perDay: '1.001' })).code).toBe('rule_broken');
  expect((await set(pair, { perDay: '-1' })).code).toBe('rule_broken');
  const customer = await gateway.caller({ program: pair.program, customerId: pair.from.owners[0] as string });
  expect((await set({ ...pair, caller: customer }, { perDay: '1' })).code).toBe('program_wide_only');
  const stranger = await gateway.given.account();
  expect((await set({ ...pair, caller: stranger.caller }, { perDay: '1' })).code).toBe('account_not_found');
});

test('a change waits for another person where the program says so', async () => {
  const pair = await given({ perDay: '200' });
  await gateway.given.programRecord(pair.program, { approvals: { changingTransferLimits: true } });
  const path = `/accounts/${pair.from.account}/transfer-limits`;
  const waiting = await gateway.as(pair.caller).rest.patch(path, { perDay: 900 }, keyed(unique('key')));
  expect(waiting.status).toBe(202);
  expect(await limitsOf(pair)).toMatchObject({ perDay: '200.00' });
  const approver = await gateway.caller({ program: pair.program, clientId: 'another', subject: 'another' });
  const approved = await gateway.as(approver).rest.post(`/approvals/${waiting.body.approvalId}/approve`);
  expect([approved.status, approved.body.status]).toEqual([200, 'APPROVED']);
  expect(await limitsOf(pair)).toMatchObject({ perDay: '900.00' });
});

/** A time zone in which it is this hour now. */
function zoneAtHour(hour: number): string {
  const offset = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
  return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}

describe('another time zone of an account', () => {
  const rezoned = (pair: Pair, change: object) =>
    gateway.as(pair.caller).rest.patch(`/accounts/${pair.from.account}`, change, keyed(unique('key')));

  test('does not free what the day has used of its limits, and the next day does', async () => {
    const pair = await pairOf(gateway, { from: { timeZone: zoneAtHour(12) } });
    const limits = { currency: 'USD', perDay: '300', transfersPerDay: 5, cardHoldsPerDay: '100' };
    await gateway.given.programRecord(pair.program, { transfers: { limits: [limits] } });
    const card = newCard(pair.from.account, pair.from.owners[0] as string);
    await gateway.as(pair.caller).rest.post('/cards/v1/cards', card);
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const hold = { holdId: 'h1', amount: 70, cardId: card.cardId, description: 'Shop', expiresAt };
    expect((await gateway.as(pair.caller).rest.post(`/accounts/${pair.from.account}/holds`, hold)).status).toBe(201);
    expect((await make(gateway, 'REST', pair.caller, transferOf(pair))).code).toBeNull();
    await gateway.sql.query(`UPDATE transfer SET made_at = made_at - interval '6 hours' WHERE account_id = $1`, [
      pair.from.account,
    ]);
    await gateway.sql.query(`UPDATE hold SET placed_at = placed_at - interval '6 hours' WHERE account_id = $1`, [
      pair.from.account,
    ]);
    const used = { remainingToday: '50.00', transfersToday: 1, remainingCardHoldsToday: '30.00' };
    expect(await limitsOf(pair)).toMatchObject(used);
    // There the day began after the transfer, and it comes back to where it was.
    for (const timeZone of [zoneAtHour(3), zoneAtHour(12), zoneAtHour(4)]) {
      expect((await rezoned(pair, { timeZone })).status).toBe(200);
      expect((await rezoned(pair, { interestBearing: timeZone === zoneAtHour(3) })).status).toBe(200);
      expect(await limitsOf(pair)).toMatchObject(used);
      const beyond = await make(gateway, 'REST', pair.caller, transferOf(pair, { amount: '50.01' }));
      expect(beyond.code).toBe('limit_exceeded');
    }
    await gateway.sql.query(
      `UPDATE account SET limit_day_from = limit_day_from - interval '13 hours' WHERE account_id = $1`,
      [pair.from.account],
    );
    const free = { remainingToday: '300.00', transfersToday: 0, remainingCardHoldsToday: '100.00' };
    expect(await limitsOf(pair)).toMatchObject(free);
  });

  test('waits for another person where limits wait, and other changes do not', async () => {
    const pair = await given({ perDay: '200' });
    await gateway.given.programRecord(pair.program, { approvals: { changingTransferLimits: true } });
    expect((await rezoned(pair, { accountType: 'SAVINGS' })).status).toBe(200);
    const waiting = await rezoned(pair, { timeZone: 'Pacific/Auckland' });
    expect(waiting.status).toBe(202);
    const approver = gateway.as(await gateway.caller({ program: pair.program, clientId: 'b', subject: 'b' }));
    const path = `/approvals/${waiting.body.approvalId}`;
    expect((await approver.rest.get(path)).body.changes).toEqual([
      { field: 'timeZone', before: 'America/New_York', after: 'Pacific/Auckland' },
    ]);
    expect((await approver.rest.post(`${path}/approve`)).body.status).toBe('APPROVED');
    const { body } = await gateway.as(pair.caller).rest.get(`/accounts/${pair.from.account}`);
    expect(body.timeZone).toBe('Pacific/Auckland');
    expect((await rezoned(pair, { timeZone: 'Pacific/Auckland', interestBearing: true })).status).toBe(200);
  });
});

test('holds of cards have a limit of their own, and what is released counts no longer', async () => {
  const pair = await given({ cardHoldsPerDay: '100', perDay: '10' });
  const one = newCard(pair.from.account, pair.from.owners[0] as string);
  await gateway.as(pair.caller).rest.post('/cards/v1/cards', one);
  const card = one.cardId;
  const place = (holdId: string, amount: number, cardId: string | null) =>
    gateway.as(pair.caller).rest.post(`/accounts/${pair.from.account}/holds`, {
      holdId,
      amount,
      description: 'Shop',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...(cardId !== null && { cardId }),
    });
  expect((await place('h1', 70, card)).status).toBe(201);
  const beyond = await place('h2', 30.01, card);
  expect([beyond.body.code, beyond.body.errors[0].code]).toEqual(['limit_exceeded', 'card_holds_per_day']);
  expect(beyond.body.errors[0].detail).toMatch('30.00 USD are left today');
  // Of other holds it says nothing.
  expect((await place('h3', 500, null)).status).toBe(201);
  await gateway.as(pair.caller).rest.post(`/accounts/${pair.from.account}/holds/h1/capture`, { amount: 20 });
  expect(await limitsOf(pair)).toMatchObject({ cardHoldsPerDay: '100.00', remainingCardHoldsToday: '80.00' });
  expect((await place('h4', 80, card)).status).toBe(201);
});

test('40 connections never move more than the limit', async () => {
  const pair = await given({ perDay: '95', per30Days: '500' });
  await post(gateway, pair.from, [entry({ amount: '1000' })]);
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      make(gateway, n % 2 ? 'REST' : 'GraphQL', pair.caller, transferOf(pair, { amount: '10' })),
    ),
  );
  expect(outcomes.filter(({ code }) => code === null)).toHaveLength(9);
  expect(outcomes.filter(({ code }) => code === 'limit_exceeded')).toHaveLength(31);
  expect(await limitsOf(pair)).toMatchObject({ remainingToday: '5.00', transfersToday: 9 });
});

test('limits lead to their account where the caller may read accounts', async () => {
  const { from, program } = await given({});
  const SET_AND_READ = `mutation ($a: ID!) { setTransferLimits(input: { accountId: $a, patch: { perDay: "7.00" } }) { limits { perDay account { accountId } } } }`;
  const answers = [];
  for (const scopes of ['operations', 'operations accounts.read']) {
    const caller = await gateway.caller({ program, scopes });
    const { data, errors } = await gateway.as(caller).graphql(SET_AND_READ, { a: from.account });
    answers.push([
      data.setTransferLimits.limits,
      errors?.map(({ path, extensions }) => [path, restCode(extensions.code)]),
    ]);
  }
  expect(answers).toEqual([
    [{ perDay: '7.00', account: null }, [[['setTransferLimits', 'limits', 'account'], 'insufficient_scope']]],
    [{ perDay: '7.00', account: { accountId: from.account } }, undefined],
  ]);
});
