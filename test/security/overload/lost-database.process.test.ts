import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { openDatabase } from '../../../src/platform/database/orm.js';
import { PostgresPrograms } from '../../../lib/embedded-postgres/postgres-programs.js';
import { startTestGateway } from '../../support/gateway.js';
import { until } from '../../support/until.js';

test('a database that stops and starts again under requests costs 503s, and no restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-lost-'));
  const postgres = await startEmbeddedPostgres(folder, { program: 'Tillgate', parameters: { fsync: 'off' } });
  const url = postgres.url('postgres');
  const cluster = join(folder, 'postgres');
  const programs = await PostgresPrograms.find(folder, cluster, 'Tillgate');
  const gateway = await startTestGateway({ databaseUrl: url });
  const { caller, account } = await gateway.given.account();
  const statuses: number[] = [];
  let asking = true;
  const ask = async (): Promise<void> => {
    while (asking) statuses.push((await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries`)).status);
  };
  const asked = Promise.all(Array.from({ length: 8 }, ask));
  await until(() => statuses.includes(200));
  // Whatever is connected, as an operator would.
  await programs.run('pg_ctl', ['stop', '-D', cluster, '-m', 'fast', '-w']);
  await until(() => statuses.includes(503));
  expect((await gateway.as(null).rest.get('/livez')).status).toBe(200);
  expect((await gateway.as(null).rest.get('/readyz')).status).toBe(503);
  const settings = `-p ${new URL(url).port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='' -c fsync=off`;
  await programs.run('pg_ctl', ['start', '-D', cluster, '-w', '-l', join(folder, 'postgres.log'), '-o', settings]);
  await gateway.ready();
  const from = statuses.length;
  await until(() => statuses.slice(from).filter(status => status === 200).length >= 20);
  asking = false;
  await asked;
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  await gateway.stop();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

test('a database that refuses every connection is asked a few times, however many want to', async () => {
  let knocks = 0;
  const server = createServer((socket: Socket) => {
    knocks += 1;
    socket.on('error', () => undefined).destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const database = await openDatabase({
    url: `postgres://nobody@127.0.0.1:${port}/none`,
    poolSize: 4,
    entities: [],
    applicationName: 'test',
  });
  const ask = () =>
    database.query({ name: 'one', text: 'select 1' }).then(
      () => 'answered',
      () => 'failed',
    );
  const answers = await Promise.all(Array.from({ length: 500 }, ask));
  await database.close();
  server.close();
  expect(new Set(answers)).toEqual(new Set(['failed']));
  // The places of the pool are tried together, and once more after each pause; without a pause each request would
  // knock.
  expect(knocks).toBeLessThan(50);
});
