import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type GraphqlAnswer, type TestGateway } from '../../support/gateway.js';
import { directly } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { entries, posting } from '../../transaction/support/ledger.js';
import { graphqlSettings } from './settings.js';

let gateway: TestGateway;
beforeAll(async () => {
  // Nothing but the time of an operation may end a wait for a lock here.
  gateway = await startTestGateway(graphqlSettings({ GRAPHQL_TIMEOUT_MS: '1000' }), url => {
    // Poolers take no options.
    const patient = new URL(directly(url));
    patient.searchParams.set('options', '-c lock_timeout=0 -c statement_timeout=0');
    return patient.toString();
  });
});
afterAll(() => gateway.stop());

/** Resolves once nothing of the gateway runs in the database or waits there. */
function untilQuiet(): Promise<void> {
  const busy = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'tillgate' AND state <> 'idle'`;
  return until(async () => (await gateway.sql.query(busy)).rows.length === 0);
}

/** Asks until the answer comes in time, which on a busy machine it may not do at once. */
async function patiently(ask: () => Promise<GraphqlAnswer>): Promise<GraphqlAnswer> {
  for (;;) {
    const answer = await ask();
    if (answer.errors?.[0]?.extensions.code !== 'TIMED_OUT') return answer;
  }
}

const FILTERED =
  'query ($id: ID!) { account(accountId: $id) { transactions(filter: { search: "x" }) { nodes { amount } } } }';
const PAGE = 'query ($id: ID!) { account(accountId: $id) { transactions { nodes { amount } } } }';
const ADD = `mutation ($id: ID!, $input: BeneficiaryInput!) {
  one: addBeneficiary(input: { accountId: $id, beneficiary: $input }) { beneficiary { beneficiaryId } } two: addBeneficiary(input: { accountId: $id, beneficiary: $input }) { beneficiary { beneficiaryId } } }`;
const INPUT = {
  name: { first: 'Ada', last: 'Quill' },
  beneficiaryType: 'PRIMARY',
  relationship: 'CHILD',
  sharePercentage: 100,
};

const TIMED_OUT = {
  status: 503,
  data: undefined,
  errors: [
    {
      message: expect.stringContaining('took too long'),
      extensions: { code: 'TIMED_OUT', requestId: expect.anything() },
    },
  ],
};

test.each([1, 4])('a query that takes too long is refused, and its statement is cancelled: use %i', async uses => {
  const { caller, account } = await gateway.given.account();
  const query = `${FILTERED} # ${uses}`;
  for (let use = 1; use < uses; use++) {
    expect((await patiently(() => gateway.as(caller).graphql(query, { id: account }))).errors).toBeUndefined();
  }
  const unlock = await gateway.lockTable('transaction');
  try {
    const answer = await gateway.as(caller).graphql(query, { id: account });
    expect(answer).toMatchObject(TIMED_OUT);
    expect(answer.headers['retry-after']).toBe('1');
    await untilQuiet();
  } finally {
    await unlock();
  }
});

test('a read that other requests may share goes on, and they get their answer', async () => {
  const given = await gateway.given.account();
  const { caller, account } = given;
  const transactions = entries(1);
  await patiently(() => posting(gateway, given, transactions));
  const unlock = await gateway.lockTable('transaction');
  let asked: Promise<GraphqlAnswer>;
  let before: number[] | null;
  do {
    asked = gateway.as(caller).graphql(PAGE, { id: account });
    before = await Promise.race([gateway.waiting(), asked.then(() => null)]);
  } while (before === null);
  expect(await asked).toMatchObject(TIMED_OUT);
  expect(await gateway.waiting()).toEqual(expect.arrayContaining(before));
  await unlock();
  await untilQuiet();
  expect((await patiently(() => gateway.as(caller).graphql(PAGE, { id: account }))).errors).toBeUndefined();
});

test('a command that takes too long changes nothing afterwards, and can be sent again', async () => {
  const { caller, account } = await gateway.given.account();
  const headers = keyed(unique('key'));
  const unlock = await gateway.lockAccount(account);
  const late = await gateway.as(caller).graphql(ADD, { id: account, input: INPUT }, { headers });
  expect(late).toMatchObject(TIMED_OUT);
  // The account's lock is held all the time: the command gives up, and does not get through.
  await untilQuiet();
  await unlock();
  const beneficiaries = async (): Promise<number> => {
    const { rows } = await gateway.sql.query('SELECT FROM beneficiary WHERE account_id = $1', [account]);
    return rows.length;
  };
  expect(await beneficiaries()).toBe(0);
  const again = await patiently(() => gateway.as(caller).graphql(ADD, { id: account, input: INPUT }, { headers }));
  expect(again.errors).toBeUndefined();
  expect(await beneficiaries()).toBe(2);
});

test('requests that ran out of time leave the pool as large as it was, and the log without errors', async () => {
  const { caller, account } = await gateway.given.account();
  const unlock = await gateway.lockTable('transaction');
  const answers = await Promise.all(
    Array.from({ length: 25 }, () => gateway.as(caller).graphql(FILTERED, { id: account })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
  await unlock();
  await untilQuiet();
  const after = await Promise.all(
    Array.from({ length: 25 }, () => patiently(() => gateway.as(caller).graphql('{ accounts { totalCount } }'))),
  );
  expect(after.map(({ errors }) => errors)).toEqual(after.map(() => undefined));
  expect(gateway.log.filter(line => line.includes('"level":"error"'))).toEqual([]);
});
