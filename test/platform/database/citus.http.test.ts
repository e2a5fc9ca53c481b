import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { BY_ACCOUNT, BY_COLUMN } from '../../../migrations/citus/tables.js';
import { checkCitus } from '../../../src/platform/database/citus/check.js';
import { openDatabase } from '../../../src/platform/database/orm.js';
import type { UnfitDatabase } from '../../../src/platform/database/unfit-database.js';
import { newCard } from '../../support/card.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { describeUnless } from '../../support/unless.js';
import { UNLESS_ON_CITUS } from '../../support/citus-differences.js';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { entry } from '../../transaction/support/ledger.js';
import { nodesOf } from '../../support/server-nodes.js';
import { inputsOf } from '../../support/postings.js';

/** So often a request is repeated until nothing else happened meanwhile: events get their places in between. */
const TRIES = 40;

describeUnless(UNLESS_ON_CITUS, 'on Citus', () => {
  let gateway: TestGateway;
  let nodes: pg.Pool[] = [];
  let given: GivenAccount;
  let other: GivenAccount;
  beforeAll(async () => {
    gateway = await startTestGateway();
    given = await gateway.given.account();
    other = await gateway.given.account({ program: given.program });
    const { rows } = await gateway.sql.query<{ name: string }>('SELECT current_database() AS name');
    nodes = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '').map(url => {
      const connectionString = Object.assign(new URL(url), { pathname: rows[0]?.name }).href;
      return new pg.Pool({ connectionString, max: 1 });
    });
    await gateway.as(given.caller).rest.post(`/accounts/${given.account}/beneficiaries`, leastBeneficiary());
  });
  afterAll(async () => {
    await Promise.all(nodes.map(node => node.end()));
    await gateway.stop();
  });

  /** The statements that Citus planned and sent, by its counters on all nodes. */
  async function counted(what: string): Promise<number> {
    const counts = await Promise.all(
      nodes.map(async node => {
        const { rows } = await node.query<{ n: string }>(
          `SELECT ${what} AS n FROM citus_stat_counters WHERE name = current_database()`,
        );
        return Number(rows[0]?.n ?? 0);
      }),
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  const ofSeveralShards = (): Promise<number> => counted('query_execution_multi_shard');

  /** The transactions that were prepared on nodes, as far as Citus has not forgotten them. */
  async function prepared(): Promise<string[]> {
    const { rows } = await gateway.sql.query<{ gid: string }>('SELECT gid FROM pg_dist_transaction');
    return rows.map(({ gid }) => gid);
  }

  async function leastSeveral(request: () => Promise<{ readonly status: number }>): Promise<number> {
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > 0; tries += 1) {
      const before = await ofSeveralShards();
      const { status } = await request();
      expect(status).toBeLessThan(300);
      least = Math.min(least, (await ofSeveralShards()) - before);
    }
    return least;
  }

  test('the tables of accounts are distributed, and kept together', async () => {
    const { rows } = await gateway.sql.query<{ name: string; place: number }>(
      `SELECT logicalrelid::text AS name, colocationid AS place FROM pg_dist_partition WHERE partmethod = 'h'`,
    );
    const placeOf = new Map(rows.map(({ name, place }) => [name.replaceAll('"', ''), place]));
    expect([...placeOf.keys()].toSorted()).toEqual([...BY_ACCOUNT, ...Object.keys(BY_COLUMN)].toSorted());
    expect(new Set(BY_ACCOUNT.map(name => placeOf.get(name))).size).toBe(1);
  });

  test('accounts and cards of one person are made at once, and none is refused since others are made', async () => {
    const program = gateway.given.program();
    const { rest } = gateway.as(await gateway.caller({ program }));
    const { customer } = await gateway.given.customer({ program });
    const accounts = Array.from({ length: 24 }, () => unique('acc'));
    const least = { accountType: 'CHECKING', currency: 'USD', timeZone: 'UTC', interestBearing: false };
    const opened = accounts.map(accountId => rest.post('/accounts', { ...least, accountId, owners: [customer] }));
    const added = async (accountId: string) => rest.post('/cards/v1/cards', newCard(accountId, customer));
    const statuses = [...(await Promise.all(opened)), ...(await Promise.all(accounts.map(added)))].map(
      ({ status }) => status,
    );
    expect([...new Set(statuses)]).toEqual([201]);
  });

  test('a worker in place of the coordinator, and tables that are not distributed, are refused by name', async () => {
    const [coordinator = '', worker] = nodes.map(({ options }) => options.connectionString as string);
    const problemAt = async (url: string): Promise<unknown> => {
      const database = await openDatabase({ url, poolSize: 1, entities: [], applicationName: 'test' });
      const problem = await checkCitus(database, ['account']).then(
        () => null,
        (error: unknown) => (error as UnfitDatabase).problems,
      );
      await database.close();
      return problem;
    };
    expect(await problemAt(coordinator)).toBeNull();
    if (worker) {
      expect(await problemAt(worker)).toEqual([
        'DATABASE_URL leads to a worker of a Citus cluster. Set it to the address of the coordinator.',
      ]);
    }
    const name = `plain_${unique('n').replace('-', '_')}`;
    await gateway.sql.query(`CREATE DATABASE ${name}`);
    try {
      const url = Object.assign(new URL(coordinator), { pathname: name }).href;
      expect(await problemAt(url)).toBeNull();
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('CREATE EXTENSION citus');
      await client.end();
      expect(await problemAt(url)).toEqual([
        'DATABASE_URL has the extension citus, and its tables are not distributed. Run: tillgate migrate',
      ]);
    } finally {
      await gateway.sql.query(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  test('a list of all accounts of a program is about several shards, and is counted', async () => {
    const before = await ofSeveralShards();
    const { errors } = await gateway.as(given.caller).graphql('{ accounts(first: 5) { nodes { accountId } } }');
    expect(errors).toBeUndefined();
    expect(await ofSeveralShards()).toBeGreaterThan(before);
  });

  test.each([
    ['an account', (id: string) => `/accounts/${id}`],
    ['beneficiaries', (id: string) => `/accounts/${id}/beneficiaries`],
    ['a history', (id: string) => `/accounts/${id}/transactions`],
    ['statements', (id: string) => `/accounts/${id}/statements`],
  ])('a read of %s is about one shard', async (_, path) => {
    expect(await leastSeveral(() => gateway.as(given.caller).rest.get(path(given.account)))).toBe(0);
  });

  test('a shard that has moved is read and written where it is now', async () => {
    const [, from, to] = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '').map(url => Number(new URL(url).port));
    if (!from || !to) return;
    const { rest } = gateway.as(other.caller);
    const path = `/accounts/${other.account}/beneficiaries`;
    const add = async () => {
      const { status, body } = await rest.post(path, leastBeneficiary(), keyed(unique('key')));
      expect(status).toBe(201);
      return body.beneficiaryId as string;
    };
    const ids = async (): Promise<string[]> => {
      const { body } = await rest.get(`${path}?limit=100`);
      return body.accountBeneficiaries.map(({ beneficiaryId }: { readonly beneficiaryId: string }) => beneficiaryId);
    };
    const added = [await add()];
    const { rows } = await gateway.sql.query<{ shard: string; port: number }>(
      `SELECT shardid AS shard, nodeport AS port FROM pg_dist_shard_placement WHERE shardid = get_shard_id_for_distribution_column('account', $1::text)`,
      [other.account],
    );
    const [{ shard, port } = { shard: '', port: 0 }] = rows;
    const target = port === from ? to : from;
    for (const [source, goal] of [
      [port, target],
      [target, port],
    ]) {
      await gateway.sql.query(
        `SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'block_writes')`,
        [shard, source, goal],
      );
      expect(await ids()).toEqual(expect.arrayContaining(added));
      added.push(await add());
      expect(await ids()).toEqual(expect.arrayContaining(added));
    }
  });

  test('a customer reads an account from one shard', async () => {
    const caller = await gateway.caller({ program: given.program, customerId: given.owners[0] ?? null });
    expect(await leastSeveral(() => gateway.as(caller).rest.get(`/accounts/${given.account}/beneficiaries`))).toBe(0);
  });

  test('a write about a program is committed in two phases, since it is on all nodes', async () => {
    const before = await prepared();
    const { errors } = await gateway
      .as(given.caller)
      .graphql(
        `mutation { createWebhookEndpoint(input: { endpoint: { url: "https://example.com/hook", types: ["card.frozen"] } }) { secret } }`,
      );
    expect(errors).toBeUndefined();
    expect((await prepared()).filter(gid => !before.includes(gid)).length).toBeGreaterThan(0);
  });

  test('a write on an account prepares no transaction, with a key and without', async () => {
    const before = await prepared();
    for (let n = 0; n < 5; n += 1) {
      const headers = n % 2 === 0 ? keyed(unique('key')) : {};
      const path = `/accounts/${other.account}/beneficiaries`;
      const { status } = await gateway.as(other.caller).rest.post(path, leastBeneficiary(), headers);
      expect(status).toBe(201);
    }
    expect((await prepared()).filter(gid => !before.includes(gid))).toEqual([]);
  });

  test('a posting prepares no transaction', async () => {
    const before = await prepared();
    const posted = await gateway.as(other.caller).graphql(
      `mutation ($id: ID!, $transactions: [TransactionInput!]!) {
        postAccountTransactions(input: { accountId: $id, transactions: $transactions }) { transactions { availableBalance: balanceAfter } } }`,
      { id: other.account, transactions: inputsOf([entry()]) },
    );
    expect(posted.errors).toBeUndefined();
    expect((await prepared()).filter(gid => !before.includes(gid))).toEqual([]);
  });

  test('writes on many accounts at once prepare no transaction', async () => {
    const accounts = await Promise.all(
      Array.from({ length: 12 }, () => gateway.given.account({ program: given.program })),
    );
    const before = await prepared();
    const answers = await Promise.all(
      accounts.map(({ account, caller }) =>
        gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), keyed(unique('key'))),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await prepared()).filter(gid => !before.includes(gid))).toEqual([]);
  });
});
