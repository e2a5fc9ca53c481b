import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Relay } from '../deploy/relay.js';
import { subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { postSome } from '../transaction/support/ledger.js';
import { FaultProxy, type Fault } from './fault-proxy.js';
import { namesOf } from './listed.js';
import { start, type ProgramResult } from './program.js';

const TIMEOUT_MS = 60_000;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ demoData: true });
  const built = await start('apollo-client', ['npm', 'run', '-s', 'build'], {}).ended;
  if (built.status !== 0) throw new Error(`The example does not compile: ${built.stdout}${built.stderr}`);
}, TIMEOUT_MS);
afterAll(() => gateway.stop());

/** Runs the example on an account of the demo data, through a proxy that does this to its writes. */
async function run(account: string, faults: readonly Fault[]): Promise<ProgramResult & { proxy: FaultProxy }> {
  const proxy = await FaultProxy.start(gateway.url, faults);
  const ended = await start('apollo-client', [process.execPath, 'dist/main.js', account], { TILLGATE_URL: proxy.url })
    .ended;
  await proxy.stop();
  return { ...ended, proxy };
}

async function beneficiariesOf(account: string): Promise<string[]> {
  return namesOf(gateway, await gateway.caller(), account);
}

test(
  'the Apollo Client example reads, pages and writes once, and tells of refusals by their code',
  async () => {
    const { status, stdout, stderr } = await run('demo-1006', []);
    expect([stderr, status]).toEqual(['', 0]);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^demo-1006: \d+\.\d{3} KWD, owned by نورة الدريعي$/);
    const [, pages = '0'] = /of (\d+) transactions/.exec(stdout) ?? [];
    expect(lines[1]).toMatch(new RegExp(`^50 of ${pages} transactions, back to demo-1006-20\\d{4}-[\\w-]+$`));
    expect(stdout).toContain(`${pages} of ${pages} transactions, back to demo-1006-202501-salary\n`);
    const [first, second] = [...stdout.matchAll(/^(?:first|second) time: ([0-9a-f-]{36})$/gm)].map(([, id]) => id);
    expect(first).toBeDefined();
    expect(second).toBe(first);
    expect(stdout).toMatch(/^second time: refused, rule_broken; \/input\/name\/last: .+$/m);
    expect(lines.at(-1)).toBe('1 beneficiaries');
    expect(await beneficiariesOf('demo-1006')).toEqual(['Ada Ashdown']);
  },
  TIMEOUT_MS,
);

test.each<{ account: string; faults: Fault[]; named: string }>([
  { named: 'lost answers', account: 'demo-1009', faults: ['answer lost', 'answer cut'] },
  { named: 'a token that holds no longer', account: 'demo-1010', faults: ['token spoilt'] },
  { named: 'an error page', account: 'demo-1012', faults: ['error page', 'connection reset'] },
  {
    named: 'refusals that pass',
    account: 'demo-1013',
    faults: [
      { status: 503, code: 'overloaded', retryAfter: '1' },
      { status: 503, code: 'unavailable', retryAfter: '1' },
      { status: 200, code: 'idempotency_in_progress', retryAfter: '1' },
    ],
  },
])(
  'the Apollo Client example writes once through $named',
  async ({ account, faults }) => {
    const { status, stderr, proxy } = await run(account, faults);
    expect([stderr, status]).toEqual(['', 0]);
    expect(await beneficiariesOf(account)).toEqual(['Ada Ashdown']);
    // Both times of both orders, and an attempt for each fault. Each order has its key.
    expect(proxy.writes).toHaveLength(4 + faults.length);
    expect(new Set(proxy.writes.map(({ key }) => key)).size).toBe(2);
  },
  TIMEOUT_MS,
);

test('the Apollo Client example asks for one new token and no more, and says what was refused', async () => {
  const { stdout, proxy } = await run('demo-1002', ['token spoilt', 'token spoilt']);
  expect(stdout).toMatch(/^first time: refused, unauthenticated\nsecond time: [0-9a-f-]{36}$/m);
  expect(proxy.writes).toHaveLength(5);
});

test(
  'the Apollo Client example follows postings, and misses and repeats none when its connection is lost',
  async () => {
    const { account, caller } = { account: 'demo-1003', caller: await gateway.caller() };
    const relay = await Relay.start(gateway.url);
    const { child, ended } = start('apollo-client', [process.execPath, 'dist/live.js', account, '6'], {
      TILLGATE_URL: `http://127.0.0.1:${relay.port}`,
    });
    let printed = '';
    child.stdout?.on('data', (text: string) => (printed += text));
    await subscriptions(gateway, 1);
    // It has had no item yet.
    relay.answers = 'lose';
    const posted = await postSome(gateway, { account, caller }, 2);
    await subscriptions(gateway, 0);
    relay.answers = 'pass';
    await until(() => printed.includes(posted[1] as string));
    relay.answers = 'lose';
    posted.push(...(await postSome(gateway, { account, caller }, 2)));
    await subscriptions(gateway, 0);
    relay.answers = 'pass';
    await subscriptions(gateway, 1);
    posted.push(...(await postSome(gateway, { account, caller }, 2)));
    const { status, stdout, stderr } = await ended;
    await relay.stop();
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.match(/^[^:]+(?=: )/gm)).toEqual(posted);
  },
  TIMEOUT_MS,
);
