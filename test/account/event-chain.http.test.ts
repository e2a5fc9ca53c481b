import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';

/** The most events of an account that one answer verifies. */
const MAX_LINKS = 1000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const CHAIN = `query ($id: ID!) { account(accountId: $id) { eventChain { events checked intact brokenAt lastHash } } }`;

interface Chain {
  readonly events: number;
  readonly checked: number;
  readonly intact: boolean;
  readonly brokenAt: number | null;
  readonly lastHash: string | null;
}

/** The chain of an account, which is the same over both APIs. */
async function chainOf({ account, caller }: GivenAccount): Promise<Chain> {
  const me = gateway.as(caller);
  const { data } = await me.graphql<{ account: { eventChain: Chain } }>(CHAIN, { id: account });
  const chain = data.account.eventChain;
  const { body } = await me.rest.get(`/accounts/${account}/event-chain`);
  expect(body).toEqual({ ...chain, brokenAt: chain.brokenAt ?? '', lastHash: chain.lastHash ?? '' });
  return chain;
}

/** An account in which so many things were done. */
async function accountWith(events: number): Promise<GivenAccount> {
  const of = await gateway.given.account();
  const { rest } = gateway.as(of.caller);
  for (let n = 0; n < events; n++) await rest.post(`/accounts/${of.account}/beneficiaries`, leastBeneficiary());
  return of;
}

test('an account without events has an intact chain of none', async () => {
  const chain = await chainOf(await accountWith(0));
  expect(chain).toEqual({ events: 0, checked: 0, intact: true, brokenAt: null, lastHash: null });
});

test('what was done in an account is counted and verified, and the last hash is that of its last event', async () => {
  const of = await accountWith(3);
  const { data } = await gateway
    .as(of.caller)
    .graphql(
      'query ($id: ID!) { events(first: 1, filter: { accountId: $id }) { nodes { audit { chainSeq hash } } } }',
      {
        id: of.account,
      },
    );
  const { hash } = data.events.nodes[0].audit;
  expect(await chainOf(of)).toEqual({ events: 3, checked: 3, intact: true, brokenAt: null, lastHash: hash });
});

test.each([
  ['changed', `UPDATE account_event SET subject = 'somebody' WHERE chain_seq = 2`, 4, 2],
  ['changed at the end', `UPDATE account_event SET data = '{}' WHERE chain_seq = 4`, 4, 4],
  ['removed', `DELETE FROM account_event WHERE chain_seq = 2`, 3, 3],
  ['removed at the beginning', `DELETE FROM account_event WHERE chain_seq < 3`, 2, 3],
])('an event that was %s breaks the chain', async (_what, change, checked, brokenAt) => {
  const of = await accountWith(4);
  await gateway.tamper(`${change} AND account_id = '${of.account}'`);
  expect(await chainOf(of)).toMatchObject({ events: 4, checked, intact: false, brokenAt });
});

test('of a long chain the newest thousand links are verified', async () => {
  const of = await accountWith(1);
  await gateway.sql.query(
    `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
     SELECT $1, 'bulk', 'bulk', 'bulk', 'account.update', $2, 'account/' || $2, '{}' FROM generate_series(1, $3::int)`,
    [of.program, of.account, MAX_LINKS + 9],
  );
  const whole = { events: MAX_LINKS + 10, checked: MAX_LINKS, intact: true, brokenAt: null };
  expect(await chainOf(of)).toMatchObject(whole);
  const change = (seq: number) =>
    gateway.tamper(
      `UPDATE account_event SET subject = 'somebody' WHERE account_id = '${of.account}' AND chain_seq = ${seq}`,
    );
  // The eleventh is verified by the hash of the tenth, which is not verified itself.
  await change(10);
  expect(await chainOf(of)).toMatchObject(whole);
  await change(11);
  expect(await chainOf(of)).toMatchObject({ intact: false, brokenAt: 11 });
});

test('it costs as much as a hundred records', async () => {
  const me = gateway.as(await gateway.caller());
  const { errors } = await me.graphql('{ accounts(first: 10) { nodes { eventChain { intact } } } }');
  expect(errors?.[0].extensions).toMatchObject({ code: 'QUERY_TOO_COSTLY', cost: 1 + 10 * (1 + 100) });
});
