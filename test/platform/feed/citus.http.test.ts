import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { FEED_ADVANCE } from '../../../migrations/citus/feed.js';
import { UNLESS_RESTARTS_ON_CITUS } from '../../support/citus-differences.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary, type GivenAccount } from '../../support/given.js';
import { nodesOf } from '../../support/server-nodes.js';
import { describeUnless } from '../../support/unless.js';
import { until } from '../../support/until.js';

describeUnless(UNLESS_RESTARTS_ON_CITUS, 'the feed on Citus', () => {
  let gateway: TestGateway;
  let worker: pg.Client;
  let coordinator: pg.Client;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await coordinator?.end().catch(() => undefined);
    await worker?.end();
    await gateway.stop();
  });

  const nodeOf = async ({ account }: GivenAccount): Promise<number> => {
    const { rows } = await gateway.sql.query<{ port: number }>(
      `SELECT nodeport AS port FROM pg_dist_shard_placement WHERE shardid = get_shard_id_for_distribution_column('account', $1::text)`,
      [account],
    );
    return rows[0]?.port as number;
  };

  test('an event is given its place when its node commits after the session on the coordinator has ended', async () => {
    const [server = '', ...workers] = nodesOf(process.env['TILLGATE_TEST_SERVER'] ?? '');
    if (workers.length < 2) return;
    const of = await gateway.given.account();
    const port = await nodeOf(of);
    let other = await gateway.given.account();
    while ((await nodeOf(other)) === port) other = await gateway.given.account();
    const { rows } = await gateway.sql.query<{ name: string }>('SELECT current_database() AS name');
    const at = (url: string): string => Object.assign(new URL(url), { pathname: rows[0]?.name }).href;
    worker = new pg.Client({ connectionString: at(Object.assign(new URL(server), { port }).href) });
    await worker.connect();
    const { name } = rows[0] as { name: string };
    // From now on a commit of a new session of the node waits for a standby that is not there.
    await worker.query('SET citus.enable_ddl_propagation = off');
    await worker.query(`ALTER DATABASE ${name} SET synchronous_commit = on`);
    await worker.query(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
    await worker.query('SELECT pg_reload_conf()');
    try {
      coordinator = new pg.Client({ connectionString: at(server) });
      coordinator.on('error', () => undefined);
      await coordinator.connect();
      const { rows: sessions } = await coordinator.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await coordinator.query('BEGIN');
      await coordinator.query(
        `SELECT record_account_event($1, 'client', 'subject', 'request', 'late.event', NULL, $2, '{}')`,
        [of.program, of.account],
      );
      const committing = coordinator.query('COMMIT').catch(() => undefined);
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event = 'SyncRep'`;
      await until(async () => (await worker.query(waiting, [name])).rows.length > 0);
      // The coordinator crashes with it, and all sessions end. What it wrote of its sequence is on the disk.
      await gateway.sql.query('CHECKPOINT');
      process.kill(sessions[0]?.pid as number, 'SIGKILL');
      await committing;
      const answers = () =>
        gateway.sql.query('SELECT 1').then(
          () => true,
          () => false,
        );
      await until(answers);
      // Numbers after it are found, so its own is missing, and nothing runs on the coordinator that could bring it.
      for (let n = 0; n < 5; n += 1) {
        const path = `/accounts/${other.account}/beneficiaries`;
        const headers = keyed(unique('key'));
        const post = () => gateway.as(other.caller).rest.post(path, leastBeneficiary(), headers);
        await until(async () => (await post()).status === 201);
        await gateway.sql.query('SELECT feed_advance(1000)');
      }
    } finally {
      await worker.query('ALTER SYSTEM RESET synchronous_standby_names');
      await worker.query('SELECT pg_reload_conf()');
    }
    const id = `SELECT id FROM account_event WHERE account_id = $1 AND action = 'late.event'`;
    await until(async () => (await gateway.sql.query(id, [of.account])).rows.length > 0);
    const { rows: events } = await gateway.sql.query<{ id: string }>(id, [of.account]);
    expect(events).toHaveLength(1);
    await until(
      async () =>
        (
          await gateway.sql.query('SELECT FROM feed WHERE event_id = $1 AND account_id = $2', [
            events[0]?.id,
            of.account,
          ])
        ).rows.length > 0,
    );
  });
});

test('a coordinator that took over behind its nodes gives no number of an event again, and the feed no position', async () => {
  const gateway = await startTestGateway({});
  try {
    const { account, caller } = await gateway.given.account();
    const add = () => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
    for (let n = 0; n < 3; n += 1) expect((await add()).status).toBe(201);
    await gateway.feedReady();
    const numbers = async () =>
      (await gateway.sql.query<{ id: string }>('SELECT id FROM account_event ORDER BY id')).rows.map(({ id }) => id);
    const before = await numbers();
    await gateway.sql.query(FEED_ADVANCE);
    // As on a standby that lacks the last minutes: its sequence and its history are older.
    await gateway.sql.query(`SELECT setval('event_id_seq', 1)`);
    await gateway.sql.query(`UPDATE feed_state SET history = 'another server/1'`);
    await gateway.sql.query('SELECT feed_advance(1000)');
    expect((await add()).status).toBe(201);
    const after = await numbers();
    expect(new Set(after).size).toBe(before.length + 1);
    expect(Number(after.at(-1))).toBeGreaterThan(Number(before.at(-1)));
  } finally {
    await gateway.stop();
  }
});

/** Stands for what Citus has: it asks this server, and a worker whose answers are in a table. */
const NODES = `
  CREATE TABLE worker_answer (oldest text, new text);
  INSERT INTO worker_answer VALUES ('100', '150');
  CREATE FUNCTION run_command_on_all_nodes(command text) RETURNS TABLE (nodeid int, success boolean, result text) LANGUAGE plpgsql AS $$
    BEGIN
      nodeid := 1; success := true; EXECUTE command INTO result; RETURN NEXT;
      nodeid := 2; success := (SELECT count(*) > 0 FROM worker_answer);
      SELECT CASE WHEN success THEN to_json(w)::text ELSE 'could not connect' END INTO result FROM (SELECT 1) one LEFT JOIN worker_answer w ON true;
      RETURN NEXT;
    END $$`;

test('a number that is missing is given up when each node has ended its transactions of then, and not before', async () => {
  const gateway = await startTestGateway({});
  try {
    const { account, caller } = await gateway.given.account();
    await gateway.feedReady();
    await gateway.sql.query(NODES);
    await gateway.sql.query(FEED_ADVANCE);
    const isMissing = async (): Promise<boolean> => {
      await gateway.sql.query('SELECT feed_advance(1000)');
      const { rows } = await gateway.sql.query<{ is: boolean }>(
        `SELECT missing + newly_missing <> '{}' AS is FROM feed_state`,
      );
      return rows[0]?.is ?? false;
    };
    const stays = async (): Promise<void> => {
      for (let n = 0; n < 5; n += 1) expect(await isMissing()).toBe(true);
    };
    await gateway.sql.query(`SELECT nextval('event_id_seq')`);
    const added = await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
    expect(added.status).toBe(201);
    // The nodes are asked once what ran here before has ended, other tests' transactions included.
    const asked = `SELECT nodes_before->>'2' AS id FROM feed_state`;
    await until(async () => {
      expect(await isMissing()).toBe(true);
      return (await gateway.sql.query<{ id: string | null }>(asked)).rows[0]?.id === '150';
    });
    await stays();
    // It begins others, and one of then goes on.
    await gateway.sql.query(`UPDATE worker_answer SET oldest = '149', new = '200'`);
    await stays();
    await gateway.sql.query('DELETE FROM worker_answer');
    await stays();
    await gateway.sql.query(`INSERT INTO worker_answer VALUES ('150', '201')`);
    await until(async () => !(await isMissing()));
  } finally {
    await gateway.stop();
  }
});
