import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { accountRecord } from '../../../test/cli/importing.js';
import { tillgate, type CommandLine } from '../../../test/cli/command-line.js';
import { directly, freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { until } from '../../../test/support/until.js';

let database: FreshDatabase;
let folder: string;
let sql: pg.Pool;
let token: string;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-requests-'));
  sql = new pg.Pool({ connectionString: directly(database.url), max: 2 });
  const issuer = await DevIssuer.open(folder);
  const scope = 'operations accounts.read';
  token = await issuer.sign({ program: 'p', clientId: 'core', subject: 'core-7', scope, ttlSeconds: 3600 });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: folder, DEMO_DATA: 'false' });

async function serving(): Promise<CommandLine & { readonly url: string }> {
  const command = tillgate(['serve'], { ...env(), PORT: '0', LOG_LEVEL: 'silent' });
  const [url = ''] = /^http\S+$/m.exec(await command.printed(/^http\S+$/m)) ?? [];
  return { ...command, url };
}

async function post(url: string, path: string, id: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': id },
    body: JSON.stringify(body),
  });
}

/** Makes somebody who can own accounts. */
async function owner(url: string, id: string): Promise<string> {
  const response = await post(url, '/customers', id, { name: { first: 'Ada', last: 'Reyes' } });
  return ((await response.json()) as { customerId: string }).customerId;
}

/** Opens an account with this id, in a request with this id. */
async function open(url: string, customerId: string, id: string): Promise<number> {
  return (await post(url, '/accounts', id, accountRecord([customerId], { accountId: id }))).status;
}

const column = async (text: string): Promise<string[]> => {
  const { rows } = await sql.query<{ id: string }>(text);
  return rows.map(({ id }) => id).toSorted();
};
const inLog = () => column('SELECT request_id AS id FROM api_request');
const accounts = () => column('SELECT account_id AS id FROM account');

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

test('a process that is killed loses the last requests of its log alone, and none of what they did; one that stops loses none', async () => {
  const [written, last, stopped] = [named('written', 20), named('last', 5), named('stopped', 5)];
  const killed = await serving();
  const customer = await owner(killed.url, 'owner-1');
  for (const id of written) expect([id, await open(killed.url, customer, id)]).toEqual([id, 201]);
  await until(async () => (await inLog()).length > written.length);
  await Promise.all(last.map(id => open(killed.url, customer, id)));
  killed.child.kill('SIGKILL');
  await killed.ended;

  const next = await serving();
  expect(await accounts()).toEqual([...written, ...last].toSorted());
  expect(await inLog()).toEqual(expect.arrayContaining(written));
  await Promise.all(stopped.map(id => open(next.url, customer, id)));
  next.child.kill('SIGTERM');
  await next.ended;
  expect(await inLog()).toEqual(expect.arrayContaining(stopped));
});

test('`requests tail` prints a line for each request from now on, and for refused ones alone if asked', async () => {
  const { url, child, ended } = await serving();
  const tails = ['all', 'refused'].map(which =>
    tillgate(['requests', 'tail', '--program', 'p', ...(which === 'refused' ? ['--refused'] : [])], env()),
  );
  await Promise.all(tails.map(tail => tail.printed(/Press Ctrl-C/)));
  const customer = await owner(url, 'owner-2');
  await open(url, customer, 'tail-1');
  // The account is there.
  await open(url, customer, 'tail-1');
  const printed = await Promise.all(tails.map(tail => tail.printed(/^.*Z {2}core .* 409 .* tail-1$/m)));
  const linesOf = (text: string): string[] => text.split('\n').filter(line => line.endsWith('tail-1'));
  expect(printed.map(text => linesOf(text).length)).toEqual([2, 1]);
  expect(linesOf(printed[0] ?? '')[0]).toMatch(/^\S+Z {2}core {2}POST \/accounts {2}201 {2}\d+ ms {2}tail-1$/);
  expect(printed.join('')).not.toMatch(/written|CHECKING/);
  for (const tail of tails) tail.child.kill('SIGINT');
  expect((await Promise.all(tails.map(tail => tail.ended))).map(({ status }) => status)).toEqual([130, 130]);
  child.kill('SIGTERM');
  await ended;
});
