import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { restartServer } from '../../installed/citus.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { describeUnless } from '../../support/unless.js';
import { UNLESS_RESTARTS_ON_CITUS } from '../../support/citus-differences.js';
import type { GivenAccount } from '../../support/given.js';
import { entry } from '../../transaction/support/ledger.js';
import { until } from '../../support/until.js';
import { nodesOf } from '../../support/server-nodes.js';
import { restCode } from '../../support/answers.js';
import { inputsOf } from '../../support/postings.js';

const WRITERS = 12;
/** So long clients write before an operation and behind it. */
const AROUND_MS = 1000;
const RETRY_MS = 100;
/** So many writes are at most sent again behind an operation. */
const ASKED_AGAIN = 2000;
/** The share of writes that move money between two accounts, which are on two nodes as often as not. */
const TRANSFERS = 0.4;
const POST = `mutation ($id: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $id, transactions: $transactions }) { transactions { transactionId availableBalance: balanceAfter } } }`;
const TRANSFER = `mutation ($input: TransferInput!) { transfer: createTransfer(input: { transfer: $input }) { transfer { transferId fromTransactionId toTransactionId } } }`;

interface Write {
  readonly key: string;
  readonly caller: string;
  readonly query: string;
  readonly variables: object;
  /** What was answered. */
  readonly data: object;
}

describeUnless(UNLESS_RESTARTS_ON_CITUS, 'keyed writes of twelve clients are done exactly once while', () => {
  let gateway: TestGateway;
  let accounts: GivenAccount[];
  const [, ...workers] = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '').map(url => Number(new URL(url).port));
  /** The ids of acknowledged transactions, by account. */
  const acknowledged = new Map<string, string[]>();
  const writes: Write[] = [];
  let checked = 0;
  /** How often no answer told what was done, by the code. */
  const unsure = new Map<string, number>();

  beforeAll(async () => {
    gateway = await startTestGateway();
    const program = unique('program');
    accounts = [];
    for (let n = 0; n < WRITERS; n += 1) accounts.push(await gateway.given.account({ program }));
    // No transfer is refused for want of money.
    for (const of of accounts) await post(of, entry({ amount: '1000000' }));
  });
  afterAll(() => gateway.stop());

  /** Sends a write until it is acknowledged, with one key. */
  async function send(caller: string, query: string, variables: object): Promise<Record<string, unknown>> {
    const key = unique('key');
    for (;;) {
      const { status, data, errors } = await gateway.as(caller).graphql(query, variables, { headers: keyed(key) });
      if (status === 200 && data && Object.values(data).every(value => value !== null)) {
        writes.push({ key, caller, query, variables, data });
        return data as Record<string, unknown>;
      }
      const code = restCode(errors?.[0].extensions.code) ?? `${status}`;
      unsure.set(code, (unsure.get(code) ?? 0) + 1);
      await sleep(RETRY_MS);
    }
  }

  function note(account: string, transactionId: string): void {
    acknowledged.set(account, [...(acknowledged.get(account) ?? []), transactionId]);
  }

  async function post({ account, caller }: GivenAccount, transaction = entry()): Promise<void> {
    const data = await send(caller, POST, { id: account, transactions: inputsOf([transaction]) });
    const { transactions } = data['postAccountTransactions'] as { transactions: readonly { transactionId: string }[] };
    const [posted] = transactions;
    note(account, posted?.transactionId ?? '');
  }

  async function transfer(from: GivenAccount, to: GivenAccount): Promise<void> {
    const input = {
      fromAccountId: from.account,
      toAccountId: to.account,
      transferId: unique('transfer'),
      amount: '0.05',
    };
    const data = await send(from.caller, TRANSFER, { input });
    const { transfer: made } = data['transfer'] as {
      transfer: { readonly fromTransactionId: string; readonly toTransactionId: string };
    };
    note(from.account, made.fromTransactionId);
    note(to.account, made.toTransactionId);
  }

  /** Gives what was written meanwhile, in words. */
  async function whileWriting(operation: () => Promise<unknown>): Promise<string> {
    let isOver = false;
    // Each writer has an account that it shares with the next one.
    const writers = accounts.map(async (own, n) => {
      const next = accounts[(n + 1) % WRITERS] as GivenAccount;
      while (!isOver) {
        const [one, other] = Math.random() < 0.5 ? [own, next] : [next, own];
        await (Math.random() < TRANSFERS ? transfer(one, other) : post(one));
      }
    });
    const before = writes.length;
    unsure.clear();
    try {
      await sleep(AROUND_MS);
      await operation();
      await sleep(AROUND_MS);
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
    expect(writes.length).toBeGreaterThan(before + WRITERS);
    const done = writes.slice(before);
    const transfers = done.filter(({ query }) => query === TRANSFER).length;
    return `${done.length} writes, ${transfers} of them transfers; sent again for ${JSON.stringify(Object.fromEntries(unsure))}`;
  }

  /**
   * Sends writes that were acknowledged since the last check again, evenly chosen where they are many: each key gives
   * what it gave, and nothing is done twice.
   */
  async function replaysThatDiffer(): Promise<string[]> {
    const found: string[] = [];
    const since = writes.slice(checked);
    const step = Math.ceil(since.length / ASKED_AGAIN);
    const left = since.filter((_, n) => n % step === 0).values();
    checked = writes.length;
    const ask = async () => {
      for (const { key, caller, query, variables, data } of left) {
        const again = await gateway.as(caller).graphql(query, variables, { headers: keyed(key) });
        const isReplayed = again.headers['idempotent-replayed'] === 'true';
        const isAlike = isReplayed && JSON.stringify(again.data) === JSON.stringify(data);
        if (!isAlike) found.push(`${key} gives another answer`);
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, ask));
    return found;
  }

  /**
   * The accounts whose ledger or events are not what was acknowledged, or do not add up; once all events are in the
   * feed.
   */
  async function wrong(): Promise<string[]> {
    const problems = await replaysThatDiffer();
    await until(async () => {
      const { rows: events } = await gateway.sql.query<{ id: string }>('SELECT id FROM account_event');
      const { rows: fed } = await gateway.sql.query<{ id: string }>('SELECT event_id AS id FROM feed');
      const ids = new Set(fed.map(({ id }) => id));
      return events.every(({ id }) => ids.has(id));
    });
    for (const { account } of accounts) {
      const { rows } = await gateway.sql.query<{ id: string; seq: string; balance: string; moved: string }>(
        `SELECT transaction_id AS id, seq, balance_minor AS balance,
          CASE debit_credit_memo WHEN 'CREDIT' THEN amount_minor ELSE -amount_minor END AS moved FROM transaction WHERE account_id = $1 ORDER BY seq`,
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
      const moves = events.filter(({ action }) => action === 'transaction.post' || action === 'transfer.make');
      if (moves.length !== told.length) {
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
  async function placeOf({ account }: GivenAccount): Promise<{ shard: string; port: number; other: number }> {
    const rows = await sql<{ shard: string; port: number }>(
      `SELECT p.shardid AS shard, n.nodeport AS port FROM pg_dist_placement p JOIN pg_dist_node n USING (groupid)
        WHERE p.shardid = get_shard_id_for_distribution_column('account', $1::text)`,
      [account],
    );
    const [place = { shard: '', port: 0 }] = rows;
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

  const split = async (mode: string, isElsewhere: boolean): Promise<void> => {
    const { shard, port, other } = await placeOf(accounts[0] as GivenAccount);
    const [range] = await sql<{ middle: string; node: number }>(
      `SELECT ((s.shardminvalue::bigint + s.shardmaxvalue::bigint) / 2)::text AS middle,
        (SELECT nodeid FROM pg_dist_node WHERE nodeport = $2) AS node FROM pg_dist_shard s WHERE s.shardid = $1`,
      [shard, isElsewhere ? other : port],
    );
    await sql(`SELECT citus_split_shard_by_split_points($1, ARRAY[$2::text], ARRAY[$3::int, $3::int], '${mode}')`, [
      shard,
      range?.middle,
      range?.node,
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
    'a shard is split in two while writes are blocked': () => split('block_writes', false),
    // Citus 13.2 does not end a split onto the same node without blocking writes while rows of the shard are updated.
    'a shard is split onto another node': () => split('force_logical', true),
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

  test.each(Object.entries({ ...restarts, ...operations }))('%s', async (name, operation) => {
    expect(workers).toHaveLength(2);
    const written = await whileWriting(operation);
    expect(await wrong()).toEqual([]);
    process.stdout.write(`${name}: nothing is wrong after ${written}\n`);
  });
});
