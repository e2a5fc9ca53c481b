import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { formsOf, issue, post, statementsOf } from './issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const UPDATE = `mutation ($id: ID!, $zone: String) { updateAccount(input: { accountId: $id, patch: { timeZone: $zone } }) { account { timeZone } } }`;

/** Changes the zone over REST or GraphQL. */
async function move({ account, caller }: GivenAccount, timeZone: string, by: 'rest' | 'graphql'): Promise<unknown> {
  const me = gateway.as(caller);
  if (by === 'rest') return (await me.rest.patch(`/accounts/${account}`, { timeZone })).body.timeZone;
  return (await me.graphql(UPDATE, { id: account, zone: timeZone })).data.updateAccount.account.timeZone;
}

test('a zone that the database lacks is refused, whatever brings it', async () => {
  const of = await gateway.given.account();
  const me = gateway.as(of.caller);
  const timeZone = 'US/Pacific-New';
  const opening = {
    accountId: unique('acc'),
    accountType: 'SAVINGS',
    currency: 'USD',
    timeZone,
    interestBearing: true,
  };
  const opened = { ...opening, openedOn: '2026-01-02', owners: of.owners };
  const refusal = { code: 'rule_broken', errors: [{ pointer: '/timeZone', code: 'time_zone' }] };
  expect((await me.rest.post('/accounts', opened)).body).toMatchObject(refusal);
  expect((await me.rest.patch(`/accounts/${of.account}`, { timeZone })).body).toMatchObject(refusal);
  const { errors } = await me.graphql(UPDATE, { id: of.account, zone: timeZone });
  expect(errors?.[0]?.extensions).toMatchObject({
    code: 'RULE_BROKEN',
    errors: [{ pointer: '/input/patch/timeZone', code: 'time_zone' }],
  });
  expect((await me.rest.get(`/accounts/${of.account}`)).body.timeZone).toBe('America/New_York');
});

test.each(['rest', 'graphql'] as const)(
  'a zone is changed over %s with an event, and local times on record stay',
  async by => {
    const of = await gateway.given.account({ timeZone: 'America/New_York' });
    const [id] = await post(gateway, of, [{ at: '2025-06-02T03:30:00.000Z', amount: '1.00' }]);
    expect(await move(of, 'Asia/Tokyo', by)).toBe('Asia/Tokyo');
    const me = gateway.as(of.caller);
    const path = `/accounts/${of.account}/transactions`;
    const [{ depositTransaction }] = (await me.rest.get(path)).body.transactions;
    expect(depositTransaction).toMatchObject({ transactionId: id, postedTime: '2025-06-01T23:30:00' });
    // Days are of the new zone, in which it was 12:30 on the second.
    const on = async (day: string) => (await me.rest.get(`${path}?startTime=${day}&endTime=${day}`)).body.page;
    expect([(await on('2025-06-01')).totalElements, (await on('2025-06-02')).totalElements]).toEqual([0, 1]);
    const { body } = await me.rest.get(`/accounts/${of.account}`);
    expect(body.timeZone).toBe('Asia/Tokyo');
    const { rows } = await gateway.sql.query(
      `SELECT data FROM event WHERE account_id = $1 AND action = 'account.update'`,
      [of.account],
    );
    expect(rows.map(({ data }) => data)).toMatchObject([{ changed: ['timeZone'], timeZone: 'Asia/Tokyo' }]);
  },
);

test.each([
  ['America/New_York', 'America/Los_Angeles'],
  ['America/Los_Angeles', 'America/New_York'],
  ['Pacific/Auckland', 'Pacific/Honolulu'],
])('after a move from %s to %s each entry is on one statement, and on one form', async (before, after) => {
  const of = await gateway.given.account({ timeZone: before });
  const entries = Array.from({ length: 60 }, (_, hour) => ({
    at: new Date(Date.parse('2024-12-30T12:00:00Z') + hour * 3_600_000).toISOString(),
    amount: '1.00',
    type: 'INTEREST',
  }));
  await post(gateway, of, entries);
  await issue(gateway, 'close', '2024-12', of.program);
  await issue(gateway, '1099', '2024', of.program);
  await move(of, after, 'rest');
  await issue(gateway, 'close', '2025-01', of.program);
  await issue(gateway, '1099', '2024', of.program);
  await issue(gateway, '1099', '2025', of.program);
  const [december, january] = (await statementsOf(gateway, of.account)).map(({ content }) => content);
  expect(january?.openingBalance).toBe(december?.closingBalance);
  expect(january?.closingBalance).toBe('60.00');
  expect((december?.entries.length ?? 0) + (january?.entries.length ?? 0)).toBe(60);
  const forms = (await formsOf(gateway, of.account)).map(({ content }) => Number(content.boxes[1]));
  expect(forms).toHaveLength(2);
  expect(forms.reduce((sum, amount) => sum + amount, 0)).toBe(60);
});
