import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { FaultProxy, type Fault } from './fault-proxy.js';
import { namesOf } from './listed.js';
import { start, type ProgramResult, type RunningProgram } from './program.js';

let gateway: TestGateway;
let folder: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  folder = await mkdtemp(join(tmpdir(), 'tillgate-orders-'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true, force: true });
});

interface FetchRun extends RunningProgram {
  readonly proxy: FaultProxy;
  readonly given: GivenAccount;
  readonly orderFile: string;
}

/** Starts the program for an account of the program `demo`, through a proxy that does this to its writes. */
async function send(
  faults: readonly Fault[],
  before?: FetchRun,
  args: readonly string[] = ['Ada', 'Once'],
): Promise<FetchRun> {
  const given = before?.given ?? (await gateway.given.account({ program: 'demo' }));
  const orderFile = before?.orderFile ?? join(folder, `${given.account}.json`);
  const proxy = await FaultProxy.start(gateway.url, faults);
  const running = start('fetch', [process.execPath, 'add-beneficiary.js', given.account, ...args], {
    TILLGATE_URL: proxy.url,
    // Only where it has to wait for an answer that does not come: elsewhere a slow machine would cost an attempt.
    ...(faults.includes('answer held') && { TILLGATE_TIMEOUT_MS: '3000' }),
    ORDER_FILE: orderFile,
  });
  return { ...running, proxy, given, orderFile };
}

/** How it ended, and who is on the account then. */
async function outcome({ ended, proxy, given }: FetchRun): Promise<ProgramResult & { names: string[] }> {
  const all = await ended;
  await proxy.stop();
  return { ...all, names: await namesOf(gateway, given.caller, given.account) };
}

const unavailable = { status: 503, code: 'unavailable', retryAfter: '1' };
const SURVIVED: readonly (readonly Fault[])[] = [
  ['pass'],
  ['answer lost'],
  ['answer cut'],
  ['answer held'],
  ['connection reset', 'answer lost', 'answer cut'],
  ['error page'],
  ['token spoilt'],
  ['answer lost', 'token spoilt'],
  [unavailable, 'answer lost', unavailable],
  [{ status: 429, code: 'rate_limited', retryAfter: '1' }],
  [{ status: 409, code: 'idempotency_in_progress', retryAfter: '1' }],
];

const named = (fault: Fault) => (typeof fault === 'string' ? fault : `${fault.status} ${fault.code}`);

test.each(SURVIVED.map(faults => ({ faults, named: faults.map(named).join(', ') })))(
  'the fetch example writes once through: $named',
  async ({ faults }) => {
    const sent = await send(faults);
    const { status, stdout, stderr, names } = await outcome(sent);
    expect([stderr, status]).toEqual(['', 0]);
    expect(names).toEqual(['Ada Once']);
    const done = faults.some(fault => typeof fault === 'string' && fault.startsWith('answer'));
    expect(stdout).toMatch(done ? /^was added before: [0-9a-f-]{36}\n/ : /^added: [0-9a-f-]{36}\n/);
    expect(stdout).toMatch(/\nAda Once, CHILD, 100 %\n$/);
    const { writes } = sent.proxy;
    expect(writes).toHaveLength(faults.filter(fault => fault !== 'pass').length + 1);
    expect(new Set(writes.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(writes[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    await expect(readFile(sent.orderFile)).rejects.toThrow('ENOENT');
  },
);

test.each([
  { retryAfter: '1', leastMs: 1000 },
  { retryAfter: new Date(Date.now() + 3_600_000).toUTCString(), leastMs: null },
])('the fetch example does not come back before Retry-After: $retryAfter', async ({ retryAfter, leastMs }) => {
  const sent = await send([{ status: 429, code: 'rate_limited', retryAfter }]);
  const { status, stderr, names } = await outcome(sent);
  const [first, second] = sent.proxy.writes;
  if (leastMs === null) {
    // An hour is more than it has, so it says so at once, and keeps the order.
    expect([status, second, names]).toEqual([1, undefined, []]);
    expect(stderr).toMatch(/^refused: rate_limited/);
    expect(JSON.parse(await readFile(sent.orderFile, 'utf8'))).toMatchObject({ key: first?.key });
  } else {
    expect([stderr, status, names]).toEqual(['', 0, ['Ada Once']]);
    // A timer may be a millisecond early.
    expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(leastMs - 1);
  }
});

test('the fetch example goes on with its order after it was killed in the middle', async () => {
  const killed = await send(['answer held']);
  for (;;) {
    const { body } = await gateway.as(killed.given.caller).rest.get(`/accounts/${killed.given.account}/beneficiaries`);
    if (body.page.totalElements === 1) break;
  }
  killed.child.kill('SIGKILL');
  expect(await outcome(killed)).toMatchObject({ status: null, names: ['Ada Once'] });

  // Even where it is told something else: what was begun comes first.
  const again = await send([], killed, ['Ben', 'Other']);
  const { status, stdout, names } = await outcome(again);
  expect([status, names]).toEqual([0, ['Ada Once']]);
  expect(stdout).toMatch(/^was added before: /);
  expect(again.proxy.writes[0]).toMatchObject({
    key: killed.proxy.writes[0]?.key,
    body: killed.proxy.writes[0]?.body,
  });
});

test('the fetch example says that it does not know, and keeps its order, where nothing answers for long', async () => {
  const lost = await send(Array.from({ length: 6 }, () => 'answer lost' as const));
  const { status, stderr, names } = await outcome(lost);
  expect([status, names]).toEqual([1, ['Ada Once']]);
  expect(stderr).toMatch(/^The write may have been done: send it again with the same key\. It is in /);
  expect(lost.proxy.writes).toHaveLength(6);
  expect(await outcome(await send([], lost))).toMatchObject({ status: 0, names: ['Ada Once'] });
});

test('the fetch example does not repeat what was refused for good, and names every bad field', async () => {
  const sent = await send([], undefined, ['A'.repeat(101), '']);
  const { status, stderr, names } = await outcome(sent);
  expect([status, names, sent.proxy.writes.length]).toEqual([1, [], 1]);
  expect(stderr).toMatch(/^refused: rule_broken \(request [0-9a-f-]{36}\): /);
  expect(stderr).toMatch(/^ {2}\/name\/first: .+\n {2}\/name\/last: /m);
  await expect(readFile(sent.orderFile)).rejects.toThrow('ENOENT');
});

test('the fetch example gives up on a key that was used for something else', async () => {
  const sent = await send([{ status: 422, code: 'idempotency_key_reused' }]);
  const { status, stderr, names } = await outcome(sent);
  expect([status, names, sent.proxy.writes.length]).toEqual([1, [], 1]);
  expect(stderr).toMatch(/^refused: idempotency_key_reused/);
});

test('the fetch example asks for one new token and no more, and does not take its refusal for an answer to the write', async () => {
  const sent = await send(['answer lost', 'token spoilt', 'token spoilt']);
  const { status, stderr, names } = await outcome(sent);
  expect([status, names, sent.proxy.writes.length]).toEqual([1, ['Ada Once'], 3]);
  expect(stderr).toMatch(/^The write may have been done/);
  expect(await outcome(await send([], sent))).toMatchObject({ status: 0, names: ['Ada Once'] });
});
