import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { leastBeneficiary } from '../support/given.js';
import { until } from '../support/until.js';
import { start, type RunningProgram } from './program.js';

let gateway: TestGateway;
beforeAll(async () => {
  const built = await start('webhooks', ['npm', '--prefix', '../../packages/client', 'run', '-s', 'build'], {}).ended;
  if (built.status !== 0) throw new Error(`The client does not compile: ${built.stdout}${built.stderr}`);
  const webhooks = { ...readConfig({}).webhooks, allowLoopback: true, retrySeconds: [0.1, 0.1, 0.1, 0.1, 0.1] };
  gateway = await startTestGateway({ webhooks });
});
afterAll(() => gateway.stop());

interface Receiver extends RunningProgram {
  /** What it has printed after its address. */
  readonly lines: () => string[];
}

let receiver: Receiver | undefined;
afterEach(async () => {
  receiver?.child.kill();
  expect(await receiver?.ended).toMatchObject({ status: 0, stderr: '' });
  receiver = undefined;
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function receiving(program: string, key: string, port: number): Promise<Receiver> {
  const running = start('webhooks', [process.execPath, program], { WEBHOOK_KEY: key, PORT: String(port) });
  let stdout = '';
  running.child.stdout?.on('data', (text: string) => (stdout += text));
  await until(() => Promise.resolve(stdout.startsWith(`listening on http://127.0.0.1:${port}\n`)));
  receiver = { ...running, lines: () => stdout.split('\n').slice(1, -1) };
  return receiver;
}

describe.each([
  ['receiver.js', 'V1'],
  ['receiver.js', 'V1A'],
  ['receiver-with-client.js', 'V1'],
  ['receiver-with-client.js', 'V1A'],
  ['receiver-with-package.js', 'V1'],
])('%s with %s', (program, signing) => {
  test('takes every event of its endpoint once, also while the secret is rotated', async () => {
    const of = await gateway.given.account();
    const { rest } = gateway.as(of.caller);
    const path = `/accounts/${of.account}/beneficiaries`;
    const port = await freePort();
    const endpoint = { url: `http://127.0.0.1:${port}/hook`, types: ['beneficiary.added'], signing };
    const { endpointId, secret, publicKey } = (await rest.post('/webhook-endpoints', endpoint)).body;
    const { lines } = await receiving(program, secret || publicKey, port);
    const { beneficiaryId } = (await rest.post(path, leastBeneficiary())).body;
    await until(() => Promise.resolve(lines().length === 1));
    expect(lines()[0]).toMatch(
      new RegExp(`^\\d{4}-\\S+Z {2}beneficiary\\.added {2}evt_\\d+ {2}\\{.*"beneficiaryId":"${beneficiaryId}"`),
    );
    await rest.post(`/webhook-endpoints/${endpointId}/rotate-secret`);
    await rest.post(path, leastBeneficiary());
    await until(() => Promise.resolve(lines().length === 2));
    expect(lines()[1]).toContain('beneficiary.added');
    const [newest] = (await rest.get(`/webhook-endpoints/${endpointId}/deliveries`)).body.webhookDeliveries;
    const delivery = `/webhook-deliveries/${newest.deliveryId}`;
    await until(async () => (await rest.get(delivery)).body.status === 'DELIVERED');
    await rest.post(`${delivery}/resend`);
    await until(() => Promise.resolve(lines().length === 3));
    expect(lines()[2]).toBe(`again: ${newest.webhookId}`);
  });
});

describe.each(['receiver.js', 'receiver-with-client.js', 'receiver-with-package.js'])('%s believes', program => {
  const bytes = randomBytes(32);
  const secret = `whsec_${bytes.toString('base64')}`;
  const body = '{"type":"card.frozen","timestamp":"2026-03-31T18:05:00.000Z","data":{}}';

  async function sent(changes: Readonly<Record<string, string | null>>, sentBody = body): Promise<number[]> {
    const port = await freePort();
    await receiving(program, secret, port);
    const seconds = changes['webhook-timestamp'] ?? String(Math.floor(Date.now() / 1000));
    const hmac = createHmac('sha256', bytes).update(`evt_1.${seconds}.${body}`).digest('base64');
    const right = { 'webhook-id': 'evt_1', 'webhook-timestamp': seconds, 'webhook-signature': `v1,${hmac}` };
    const headers = Object.entries({ ...right, ...changes }).filter(
      (header): header is [string, string] => header[1] !== null,
    );
    const post = () => fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: sentBody, headers });
    const statuses = [(await post()).status, (await post()).status];
    await until(() => Promise.resolve(receiver?.lines().length === 2));
    return statuses;
  }

  const hourAgo = () => String(Math.floor(Date.now() / 1000) - 3600);
  const inAnHour = () => String(Math.floor(Date.now() / 1000) + 3600);

  test('what is signed, and answers a repetition alike', async () => {
    expect(await sent({})).toEqual([204, 204]);
    expect(receiver?.lines()).toEqual([expect.stringContaining('card.frozen'), 'again: evt_1']);
  });

  test('no changed body', async () => {
    expect(await sent({}, body.replace('frozen', 'closed'))).toEqual([400, 400]);
  });

  test.each<[string, () => Record<string, string | null>]>([
    ['no signature of somebody else', () => ({ 'webhook-signature': `v1,${randomBytes(32).toString('base64')}` })],
    ['no short signature', () => ({ 'webhook-signature': 'v1,AAAA' })],
    ['no signature of another kind', () => ({ 'webhook-signature': `v1a,${randomBytes(64).toString('base64')}` })],
    ['no request without a signature', () => ({ 'webhook-signature': null })],
    ['no other id', () => ({ 'webhook-id': 'evt_2' })],
    ['no old request', () => ({ 'webhook-timestamp': hourAgo() })],
    ['no request of the future', () => ({ 'webhook-timestamp': inAnHour() })],
    ['no timestamp that is none', () => ({ 'webhook-timestamp': 'now' })],
  ])('%s', async (_what, changes) => {
    expect(await sent(changes())).toEqual([400, 400]);
    expect(receiver?.lines()).toEqual([expect.stringMatching(/^refused: /), expect.stringMatching(/^refused: /)]);
  });
});
