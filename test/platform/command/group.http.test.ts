import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CommitCutter, type CutPoint } from '../../support/commit-cutter.js';
import { testUnless } from '../../support/unless.js';
import { differsOnCitus } from '../../support/citus-differences.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { entry, expectSound, post as postEntries } from '../../transaction/support/ledger.js';

let gateway: TestGateway;
let cutter: CommitCutter;
/** The statement with the events of accounts: jobs commit as well, and what was denied is recorded. */
const COMMAND = 'account_events_add';
beforeAll(async () => {
  gateway = await startTestGateway({}, async url => {
    const address = new URL(url);
    const port = Number(address.port);
    cutter = await CommitCutter.start(() => port);
    address.port = String(cutter.port);
    return address.href;
  });
});
afterAll(async () => {
  await gateway.stop();
  await cutter.stop();
});

const accounts = (count: number): Promise<GivenAccount[]> =>
  Promise.all(Array.from({ length: count }, () => gateway.given.account()));

const add = ({ account, caller }: GivenAccount, headers = {}) =>
  gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), headers);

async function counts(given: readonly GivenAccount[]): Promise<number[]> {
  const { rows } = await gateway.sql.query<{ id: string; n: number }>(
    'SELECT account_id AS id, count(*)::int AS n FROM beneficiary WHERE account_id = ANY($1) GROUP BY 1',
    [given.map(({ account }) => account)],
  );
  const found = new Map(rows.map(({ id, n }) => [id, n]));
  return given.map(({ account }) => found.get(account) ?? 0);
}

test('many at once on many accounts are each done once, with one event each', async () => {
  const given = await accounts(60);
  const answers = await Promise.all(given.map(one => add(one, keyed(unique('key')))));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect(new Set(await counts(given))).toEqual(new Set([1]));
  const { rows } = await gateway.sql.query(
    `SELECT account_id, count(*)::int AS n FROM event WHERE account_id = ANY($1) GROUP BY account_id`,
    [given.map(({ account }) => account)],
  );
  expect(rows.map(({ n }) => n)).toEqual(given.map(() => 1));
});

testUnless(differsOnCitus('groups'))('many at once share transactions', async () => {
  const given = await accounts(100);
  await Promise.all(given.map(one => add(one)));
  const { rows } = await gateway.sql.query(
    `SELECT count(*)::int AS n FROM beneficiary WHERE account_id = ANY($1) GROUP BY xmin::text`,
    [given.map(({ account }) => account)],
  );
  const sizes = rows.map(({ n }) => n as number);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(100);
  expect(sizes.length).toBeLessThan(50);
});

testUnless(differsOnCitus('groups'))(
  'many at once on one account share transactions, and each is decided by what those before it left',
  async () => {
    const program = gateway.given.program();
    const [from, ...others] = (await Promise.all(
      Array.from({ length: 6 }, () => gateway.given.account({ program })),
    )) as [GivenAccount, ...GivenAccount[]];
    await gateway.given.programRecord(program, { checkFunds: true });
    await postEntries(gateway, from, [entry({ amount: '30' })]);
    const send = (index: number) =>
      gateway.as(from.caller).rest.post(
        '/transfers',
        {
          transferId: unique('transfer'),
          fromAccountId: from.account,
          toAccountId: others[index % others.length]?.account,
          amount: 1,
        },
        keyed(unique('key')),
      );
    const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => send(index)));
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 201), ...Array.from({ length: 10 }, () => 409)]);
    for (const one of [from, ...others]) await expectSound(gateway, one.account);
    const { rows } = await gateway.sql.query<{ n: number; transactions: number }>(
      'SELECT count(DISTINCT transfer_id)::int AS n, count(DISTINCT xmin::text)::int AS transactions FROM transfer WHERE from_account_id = $1',
      [from.account],
    );
    expect(rows[0]?.n).toBe(30);
    expect(rows[0]?.transactions).toBeLessThan(20);
  },
);

test('an account that PostgreSQL could not even be asked for is refused beside others, and again under the same key', async () => {
  const [first, ...others] = (await accounts(4)) as [GivenAccount, ...GivenAccount[]];
  const nobodys = { ...first, account: '%00' };
  const key = keyed(unique('key'));
  const [refused, ...done] = await Promise.all([add(nobodys, key), ...others.map(one => add(one))]);
  expect(done.map(({ status }) => status)).toEqual([201, 201, 201]);
  const again = await add(nobodys, key);
  expect([refused, again].map(({ body }) => body.code)).toEqual(['account_not_found', 'account_not_found']);
  expect(again.headers['idempotent-replayed']).toBe('true');
});

test('one that is refused, one that is replayed and one that belongs to somebody else spoil nothing for the others', async () => {
  const given = await accounts(12);
  const [full, replayed, foreign, ...others] = given as [GivenAccount, GivenAccount, GivenAccount, ...GivenAccount[]];
  await Promise.all(Array.from({ length: 100 }, () => add(full)));
  const headers = keyed(unique('key'));
  const first = await add(replayed, headers);
  const stranger = await gateway.caller({ program: unique('program') });
  const answers = await Promise.all([
    add(full, keyed(unique('key'))),
    add(replayed, headers),
    add({ ...foreign, caller: stranger }, keyed(unique('key'))),
    ...others.map(one => add(one)),
  ]);
  expect(answers.slice(0, 3).map(({ status, headers: said }) => [status, said['idempotent-replayed']])).toEqual([
    [409, undefined],
    [201, 'true'],
    [404, undefined],
  ]);
  expect(answers[1]?.text).toBe(first.text);
  expect(await counts(given)).toEqual([100, 1, 0, ...others.map(() => 1)]);
});

test('an account that somebody else holds keeps nobody waiting but its own commands', async () => {
  const given = await accounts(8);
  const [held, ...free] = given as [GivenAccount, ...GivenAccount[]];
  const unlock = await gateway.lockAccount(held.account);
  const waiting = add(held);
  await gateway.waiting();
  const others = await Promise.all(free.map(one => add(one)));
  expect(new Set(others.map(({ status }) => status))).toEqual(new Set([201]));
  await unlock();
  expect((await waiting).status).toBe(201);
});

test.each<CutPoint>(['before', 'after'])(
  'a COMMIT that is lost (%s it arrives) does nothing twice, with or without a key',
  async cut => {
    const given = await accounts(16);
    const keys = given.map((_, index) => (index % 2 ? keyed(unique('key')) : {}));
    const isCut = cutter.cutNext(cut, 10_000, COMMAND);
    const answers = await Promise.all(given.map((one, index) => add(one, keys[index])));
    expect(await isCut).toBe(true);
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toContain(503);
    expect(statuses.filter(status => status !== 201 && status !== 503)).toEqual([]);
    const written = await counts(given);
    statuses.forEach((status, index) => {
      if (status === 201) expect(written[index]).toBe(1);
      else expect(written[index]).toBeLessThanOrEqual(1);
    });
    // A client with a key finds out by a retry.
    const again = given.filter((_, index) => index % 2);
    const retried = await Promise.all(again.map(one => add(one, keys[given.indexOf(one)])));
    expect(new Set(retried.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(await counts(again))).toEqual(new Set([1]));
  },
);

test.each<CutPoint>(['before', 'after'])(
  'a COMMIT that is lost (%s it arrives) of many on one account does nothing twice',
  async cut => {
    const [one] = (await accounts(1)) as [GivenAccount];
    const keys = Array.from({ length: 16 }, () => keyed(unique('key')));
    const isCut = cutter.cutNext(cut, 10_000, COMMAND);
    const answers = await Promise.all(keys.map(key => add(one, key)));
    expect(await isCut).toBe(true);
    expect(answers.map(({ status }) => status)).toContain(503);
    const retried = await Promise.all(keys.map(key => add(one, key)));
    expect(new Set(retried.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await counts([one])).toEqual([16]);
  },
);
