import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { KeyRing } from '../../../src/platform/crypto/key-ring.js';
import { run, tillgate, type CommandLine } from '../../../test/cli/command-line.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { leastBeneficiary } from '../../../test/support/given.js';
import { freshDatabase, type FreshDatabase } from '../../../test/support/postgres.js';
import { until } from '../../../test/support/until.js';

const RING = KeyRing.generate();

interface ReceivedRequest {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let database: FreshDatabase;
let folder: string;
let gateway: TestGateway;
beforeAll(async () => {
  database = await freshDatabase();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-listen-'));
  gateway = await startTestGateway({ databaseUrl: database.url, fieldKeys: RING });
});
afterAll(async () => {
  await gateway.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

let server: Server;
let received: ReceivedRequest[];
let answers: number[];
let address: string;
beforeEach(async () => {
  [received, answers] = [[], []];
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      response.writeHead(answers.shift() ?? 204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://localhost:${(server.address() as AddressInfo).port}/hook`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const env = () => ({ DATABASE_URL: database.url, DATA_DIR: folder, FIELD_KEYS: RING });

async function listening(program: string, ...more: string[]): Promise<CommandLine & { readonly secret: string }> {
  const command = tillgate(['listen', '--forward', address, '--program', program, ...more], env());
  const printed = await command.printed(/Press Ctrl-C/);
  return { ...command, secret: /whsec_\S+/.exec(printed)?.[0] ?? '' };
}

async function stopped({ child, ended }: CommandLine) {
  child.kill('SIGINT');
  return ended;
}

test('the events of a program come in order, signed, with a line about each', async () => {
  const { program, account, caller } = await gateway.given.account();
  const { rest } = gateway.as(caller);
  const path = `/accounts/${account}/beneficiaries`;
  await rest.post(path, leastBeneficiary());
  await gateway.feedReady();
  const command = await listening(program);
  answers = [204, 500];
  const { beneficiaryId } = (await rest.post(path, leastBeneficiary())).body;
  await rest.patch(`${path}/${beneficiaryId}`, { sharePercentage: 7 });
  await rest.delete(`${path}/${beneficiaryId}`);
  const others = await gateway.given.account();
  await gateway.as(others.caller).rest.post(`/accounts/${others.account}/beneficiaries`, leastBeneficiary());
  await until(() => Promise.resolve(received.length === 3));

  const verifier = new Webhook(command.secret);
  const events = received.map(({ headers, body }) => verifier.verify(body, headers as Record<string, string>));
  expect(events).toMatchObject([
    { type: 'beneficiary.added', timestamp: expect.any(String), data: { accountId: account, beneficiaryId } },
    { type: 'beneficiary.updated', data: { sharePercentage: 7 } },
    { type: 'beneficiary.deleted' },
  ]);
  expect(Object.keys(events[0] as object)).toEqual(['type', 'timestamp', 'data']);
  await command.printed(/beneficiary\.deleted.* ms/);
  const { status, stdout, stderr } = await stopped(command);
  expect([status, stderr]).toEqual([130, '']);
  const ids = received.map(({ headers }) => headers['webhook-id']);
  expect(stdout.split('\n').slice(2)).toEqual([
    expect.stringMatching(
      new RegExp(String.raw`^\d{4}-\d\d-\d\dT\S+Z {2}beneficiary\.added {2}${ids[0]} {2}204 {2}\d+ ms$`),
    ),
    expect.stringMatching(new RegExp(String.raw`beneficiary\.updated {2}${ids[1]} {2}500 {2}\d+ ms$`)),
    expect.stringMatching(new RegExp(String.raw`beneficiary\.deleted {2}${ids[2]} {2}204 {2}\d+ ms$`)),
    '',
  ]);
});

test('only the types and the account that are asked for come, and the secret stays the same', async () => {
  const { program, account, caller, owners } = await gateway.given.account();
  const other = await gateway.given.account({ program, owners });
  const command = await listening(program, '--types', 'beneficiary.deleted,beneficiary.added', '--account', account);
  const { rest } = gateway.as(caller);
  await rest.post(`/accounts/${other.account}/beneficiaries`, leastBeneficiary());
  const { beneficiaryId } = (await rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary())).body;
  await rest.patch(`/accounts/${account}/beneficiaries/${beneficiaryId}`, { sharePercentage: 7 });
  await rest.delete(`/accounts/${account}/beneficiaries/${beneficiaryId}`);
  await command.printed(/beneficiary\.deleted/);
  await stopped(command);
  expect(received.map(({ body }) => JSON.parse(body).type)).toEqual(['beneficiary.added', 'beneficiary.deleted']);
  const again = await listening(program);
  await stopped(again);
  expect(again.secret).toBe(command.secret);
});

test('a receiver that is not there is told in the line of the event', async () => {
  const { program, account, caller } = await gateway.given.account();
  const command = await listening(program);
  server.close();
  server.closeAllConnections();
  await gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
  await command.printed(/beneficiary\.added.* ms\n/);
  const { stdout } = await stopped(command);
  expect(stdout).toMatch(/beneficiary\.added {2}evt_\d+ {2}CONNECTION_FAILED {2}\d+ ms\n/);
});

test.each([
  ['the address of another machine', ['--forward', 'https://quill.example/hook'], '--forward must be'],
  ['a private address', ['--forward', 'http://10.1.2.3:3000/hook'], '--forward must be'],
  ['no address', ['--forward', 'quill'], '--forward must be'],
  ['an unknown type', ['--types', 'card.quill'], '--types must be'],
  ['an account that is none', ['--account', 'qui ll'], '--account must be'],
])('%s is refused', async (_what, args, message) => {
  const given = ['listen', '--program', 'demo', '--forward', address, ...args];
  const { status, stdout, stderr } = await run(given, env());
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toContain('quill');
});
