import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Relay } from '../deploy/relay.js';
import { subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { postSome } from '../transaction/support/ledger.js';
import { FaultProxy, type Fault } from './fault-proxy.js';
import { namesOf } from './listed.js';
import { start } from './program.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
  const built = await start(
    'client',
    ['sh', '-c', 'npm --prefix ../../packages/client run -s build && npm run -s build'],
    {},
  ).ended;
  if (built.status !== 0) throw new Error(`The example does not compile: ${built.stdout}${built.stderr}`);
});
afterAll(() => gateway.stop());

test.each<{ faults: Fault[]; named: string }>([
  { named: 'a good connection', faults: [] },
  { named: 'lost answers and a token that holds no longer', faults: ['answer lost', 'token spoilt', 'answer cut'] },
])('the example of the client writes once through $named', async ({ faults }) => {
  const { account, caller } = await gateway.given.account({ program: 'demo' });
  const proxy = await FaultProxy.start(gateway.url, faults);
  const { status, stdout, stderr } = await start('client', [process.execPath, 'dist/main.js', account], {
    TILLGATE_URL: proxy.url,
  }).ended;
  await proxy.stop();
  expect([stderr, status]).toEqual(['', 0]);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toMatch(new RegExp(`^${account}: 0\\.00 USD, owned by Ada Owner\\d+$`));
  expect(lines[1]).toBe('0 credits, 0.00 in all');
  expect(lines[2]).toMatch(/^first time: [0-9a-f-]{36}$/);
  expect(lines[3]).toBe(lines[2]?.replace('first', 'second'));
  expect(lines[4]).toMatch(/^first time: \/name\/last: /);
  expect(await namesOf(gateway, caller, account)).toEqual(['Ada Ashdown']);
  expect(proxy.writes).toHaveLength(4 + faults.length);
});

test.each<{ faults: Fault[]; named: string }>([
  { named: 'a good connection', faults: [] },
  { named: 'answers that are lost, cut and held back', faults: ['answer lost', 'answer cut', 'connection reset'] },
])('the example moves money once through $named', async ({ faults }) => {
  const from = await gateway.given.account({ program: 'demo', balanceMinor: 100_00n });
  const to = await gateway.given.account({ program: 'demo' });
  const proxy = await FaultProxy.start(gateway.url, faults);
  const command = [process.execPath, 'dist/transfer.js', from.account, to.account, '25.00'];
  const { status, stdout, stderr } = await start('client', command, { TILLGATE_URL: proxy.url }).ended;
  await proxy.stop();
  expect([stderr, status]).toEqual(['', 0]);
  expect(stdout.trimEnd().split('\n')).toEqual([
    '25.00 USD: MADE',
    '25.00 USD: MADE',
    '1.00: refused, since this order moved another amount',
    `${from.account}: -25.00, ${to.account}: 25.00`,
  ]);
  expect(proxy.writes).toHaveLength(3 + faults.length);
});

test('the example of the client follows postings, and misses and repeats none when its connection is lost', async () => {
  const given = await gateway.given.account({ program: 'demo' });
  const relay = await Relay.start(gateway.url);
  const { ended } = start('client', [process.execPath, 'dist/main.js', given.account, '4'], {
    TILLGATE_URL: `http://127.0.0.1:${relay.port}`,
  });
  await subscriptions(gateway, 1);
  const posted = await postSome(gateway, given, 1);
  relay.answers = 'lose';
  posted.push(...(await postSome(gateway, given, 2)));
  await subscriptions(gateway, 0);
  relay.answers = 'pass';
  await subscriptions(gateway, 1);
  posted.push(...(await postSome(gateway, given, 1)));
  const { status, stdout, stderr } = await ended;
  await relay.stop();
  expect([stderr, status]).toEqual(['', 0]);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .slice(6)
      .map(line => line.split(':')[0]),
  ).toEqual(posted);
});
