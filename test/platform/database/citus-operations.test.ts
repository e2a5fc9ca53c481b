import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { restartServer } from '../../installed/citus.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { describeUnless } from '../../support/unless.js';
import { UNLESS_ON_CITUS, UNLESS_RESTARTS_ON_CITUS } from '../../support/citus-differences.js';
import type { GivenAccount } from '../../support/given.js';
import { entry } from '../../transaction/support/ledger.js';
import { until } from '../../support/until.js';
import { nodesOf } from '../../support/server-nodes.js';

const WRITERS = 12;
/** So long clients write before an operation and behind it. */
const AROUND_MS = 1000;
const RETRY_MS = 100;
const POST = `mutation ($id: ID!, $transactions: [TransactionInput!]!) {
  postTransactions(accountId: $id, transactions: $transactions) { transactionId availableBalance } }`;

describeUnless(UNLESS_ON_CITUS, 'keyed writes of twelve clients are done exactly once while', () => {
  let gateway: TestGateway;
  let accounts: GivenAccount[];
  const [, ...workers] = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '').map(url => Number(new URL(url).port));
  /** The ids of acknowledged transactions, by account. */
  const acknowledged = new Map<string, string[]>();

  beforeAll(async () => {
    gateway = await startTestGateway();
    const program = unique('program');
    accounts = [];
    for (let n = 0; n < WRITERS; n += 1) accounts.push(await gateway.given.account({ program }));
  }, 120_000);
  afterAll(() => gateway.stop());

  /** Posts until it is acknowledged, with one key. */
  async function post({ account, caller }: GivenAccount): Promise<void> {
    const headers = keyed(unique('key'));
    const transaction = entry();
    for (;;) {
      const { status, data } = await gateway
        .as(caller)
        .graphql(POST, { id: account, transactions: [transaction] }, { headers });
      const [posted] = (data?.['postTransactions'] ?? []) as { readonly transactionId: string }[];
      if (status === 200 && posted) {
        acknowledged.set(account, [...(acknowledged.get(account) ?? []), posted.transactionId]);
        return;
      }
      await sleep(RETRY_MS);
    }
  }

  async function whileWriting(operation: () => Promise<unknown>): Promise<void> {
    let isOver = false;
    // Each writer has an account that it shares with the next one.
    const writers = accounts.map(async (own, n) => {
      while (!isOver) await post(Math.random() < 0.5 ? own : (accounts[(n + 1) % WRITERS] as GivenAccount));
    });
    const count = () => [...acknowledged.values()].reduce((sum, ids) => sum + ids.length, 0);
    const before = count();
    try {
      await sleep(AROUND_MS);
      await operation();
      await sleep(AROUND_MS);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
    expect(count()).toBeGreaterThan(before + WRITERS);
  }

  /**
   * The accounts whose ledger or events are not what was acknowledged, or do not add up; once all events are in the
   * feed.
   */
  async function wrong(): Promise<string[]> {
    const problems: string[] = [];
    await until(async () => {
      const { rows: events } = await gateway.sql.query<{ id: string }>('SELECT id FROM account_event');
      const { rows: fed } = await gateway.sql.query<{ id: string }>('SELECT event_id AS id FROM feed');
      const ids = new Set(fed.map(({ id }) => id));
      return events.every(({ id }) => ids.has(id));
    });
    for (const { account } of accounts) {
      const { rows } = await gateway.sql.query<{ id: string; seq: string; balance: string; moved: string }>(
        `SELECT transaction_id AS id, seq, balance_minor AS balance, amount_minor AS moved FROM transaction WHERE account_id = $1 ORDER BY seq`,
        [account],
      );
      const told = acknowledged.get(account) ?? [];
      if (JSON.stringify(rows.map(({ id }) => id).toSorted()) !== JSON.stringify(told.toSorted())) {
        problems.push(`${account} has ${rows.length} transactions, and ${told.length} were acknowledged`);
      }
      let running = 0n;
      rows.forEach(({ seq, balance, moved }, index) => {
        running += BigInt(moved);
        if (BigInt(seq) !== BigInt(index + 1) || BigInt(balance) !== running) {
          problems.push(`${account} has a wrong balance at ${seq}`);
        }
      });
      const { rows: state } = await gateway.sql.query<{ seq: string; balance: string }>(
        'SELECT last_seq AS seq, balance_minor AS balance FROM account WHERE account_id = $1',
        [account],
      );
      if (state[0]?.seq !== `${rows.length}` || state[0].balance !== `${running}`) {
        problems.push(`${account} does not match its ledger`);
      }
      const { rows: events } = await gateway.sql.query<{ action: string }>(
        'SELECT action FROM account_event WHERE account_id = $1',
        [account],
      );
      if (events.filter(({ action }) => action === 'transaction.post').length !== told.length) {
        problems.push(`${account} has other events than acknowledged writes`);
      }
    }
    return problems;
  }

  async function sql<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = await gateway.sql.connect();
    try {
      await client.query(`SET statement_timeout = 0`);
      await client.query(`SET lock_timeout = 0`);
      await client.query(`SET citus.enable_unsafe_triggers = on`);
      return (await client.query<Row>(text, values)).rows;
    } finally {
      client.release(true);
    }
  }

  /** The shard of an account, the node that has it, and one that has not. */
  async function placeOf({
    account,
  }: GivenAccount): Promise<{ shard: string; port: number; group: number; other: number }> {
    const rows = await sql<{ shard: string; port: number; group: number }>(
      `SELECT p.shardid AS shard, n.nodeport AS port, n.groupid AS "group" FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
        WHERE p.shardid = get_shard_id_for_distribution_column('account', $1::text)`,
      [account],
    );
    const [place = { shard: '', port: 0, group: 0 }] = rows;
    return { ...place, other: workers.find(port => port !== place.port) ?? place.port };
  }

  const move = async (mode: string): Promise<void> => {
    const { shard, port, other } = await placeOf(accounts[0] as GivenAccount);
    await sql(`SELECT citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, '${mode}')`, [
      shard,
      port,
      other,
    ]);
  };

  const operations: Record<string, () => Promise<unknown>> = {
    'the number of shards is changed': () =>
      sql(`SELECT alter_distributed_table('account', shard_count := 12, cascade_to_colocated := true)`),
    'a shard moves while its node is read': () => move('force_logical'),
    'a shard moves while writes are blocked': () => move('block_writes'),
    'a node is drained, removed, added again and filled': async () => {
      const [, last] = workers;
      await sql(`SELECT citus_drain_node('127.0.0.1', $1, 'force_logical')`, [last]);
      await sql(`SELECT citus_remove_node('127.0.0.1', $1)`, [last]);
      await sql(`SELECT citus_add_node('127.0.0.1', $1)`, [last]);
      await sql(`SELECT rebalance_table_shards(shard_transfer_mode := 'force_logical')`);
    },
    'shards are rebalanced onto a node that had none': async () => {
      const [, last] = workers;
      await sql(`SELECT citus_drain_node('127.0.0.1', $1, 'force_logical')`, [last]);
      await sql(`SELECT citus_set_node_property('127.0.0.1', $1, 'shouldhaveshards', true)`, [last]);
      await sql('SELECT citus_rebalance_start()');
      await sql('SELECT citus_rebalance_wait()');
    },
    // Without blocking writes Citus 13.2 on PostgreSQL 15.20 does not end: what it copies lacks the key of updated
    // rows.
    'a shard is split in two': async () => {
      const { shard, group } = await placeOf(accounts[0] as GivenAccount);
      const [range] = await sql<{ middle: string; node: number }>(
        `SELECT ((s.shardminvalue::bigint + s.shardmaxvalue::bigint) / 2)::text AS middle,
          (SELECT nodeid FROM pg_dist_node WHERE groupid = $2) AS node FROM pg_dist_shard s WHERE s.shardid = $1`,
        [shard, group],
      );
      await sql(
        `SELECT citus_split_shard_by_split_points($1, ARRAY[$2::text], ARRAY[$3::int, $3::int], 'block_writes')`,
        [shard, range?.middle, range?.node],
      );
    },
    'an account gets a shard of its own': () =>
      sql(`SELECT isolate_tenant_to_new_shard('account', $1::text, 'CASCADE', shard_transfer_mode := 'block_writes')`, [
        accounts[1]?.account,
      ]),
    'a restore point is made': () => sql(`SELECT citus_create_restore_point('tried')`),
    'a table gets a column': () => sql(`ALTER TABLE account ADD COLUMN tried_column text`),
  };

  const restarts: Record<string, () => Promise<unknown>> = {
    'a node is restarted': () => restart(workers[0] as number),
    'the coordinator is restarted': async () =>
      restart(Number(new URL(process.env['TILLGATE_TEST_SERVER'] ?? '').port)),
  };

  /** Restarts a server as an administrator does, which ends its sessions. */
  async function restart(port: number): Promise<void> {
    const url = Object.assign(new URL(process.env['TILLGATE_TEST_SERVER'] ?? ''), { port: `${port}` }).href;
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory');
    await client.end();
    await restartServer(rows[0]?.data_directory as string);
  }

  test.each(UNLESS_RESTARTS_ON_CITUS === null ? Object.entries(restarts) : [])(
    '%s',
    async (_, operation) => {
      await whileWriting(operation);
      expect(await wrong()).toEqual([]);
    },
    180_000,
  );

  test.each(Object.entries(operations))(
    '%s',
    async (_, operation) => {
      if (workers.length < 2) return;
      await whileWriting(operation);
      expect(await wrong()).toEqual([]);
    },
    180_000,
  );
});
