import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { freePort } from '../deploy/proxy.js';
import { Relay } from '../deploy/relay.js';
import { subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { until } from '../support/until.js';
import { postSome } from '../transaction/support/ledger.js';
import { openChromium } from '../pages/chromium.js';
import { testInChromium } from '../pages/visitor.js';
import { FaultProxy, type Fault } from './fault-proxy.js';
import { namesOf } from './listed.js';
import { start, type ProgramResult } from './program.js';

let gateway: TestGateway;
/** Where the server of the page listens, whose origin the gateway allows. */
let pagePort: number;
beforeAll(async () => {
  pagePort = await freePort();
  gateway = await startTestGateway({ demoData: true, corsOrigins: [`http://127.0.0.1:${pagePort}`] });
  const built = await start('apollo-client', ['npm', 'run', '-s', 'build'], {}).ended;
  if (built.status !== 0) throw new Error(`The example does not compile: ${built.stdout}${built.stderr}`);
});
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

test('the Apollo Client example reads, pages and writes once, and tells of refusals by their code', async () => {
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
  expect(stdout).toMatch(/^second time: refused, RULE_BROKEN; \/input\/beneficiary\/name: .+$/m);
  expect(lines.at(-1)).toBe('1 beneficiaries');
  expect(await beneficiariesOf('demo-1006')).toEqual(['Ada Ashdown']);
});

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
])('the Apollo Client example writes once through $named', async ({ account, faults }) => {
  const { status, stderr, proxy } = await run(account, faults);
  expect([stderr, status]).toEqual(['', 0]);
  expect(await beneficiariesOf(account)).toEqual(['Ada Ashdown']);
  // Both times of both orders, and an attempt for each fault. Each order has its key.
  expect(proxy.writes).toHaveLength(4 + faults.length);
  expect(new Set(proxy.writes.map(({ key }) => key)).size).toBe(2);
});

test('the Apollo Client example asks for one new token and no more, and says what was refused', async () => {
  const { stdout, proxy } = await run('demo-1002', ['token spoilt', 'token spoilt']);
  expect(stdout).toMatch(/^first time: refused, UNAUTHENTICATED\nsecond time: [0-9a-f-]{36}$/m);
  expect(proxy.writes).toHaveLength(5);
});

test('the Apollo Client example follows postings, and misses and repeats none when its connection is lost', async () => {
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
});

testInChromium('the page of the Apollo Client example lists, adds once, and follows what is posted', async () => {
  const account = 'demo-1001';
  const { child, ended } = start('apollo-client', [process.execPath, 'dist/serve.js'], {
    TILLGATE_URL: gateway.url,
    PORT: String(pagePort),
  });
  let printed = '';
  child.stdout?.on('data', (text: string) => (printed += text));
  await until(() => printed.includes('The page is at'));
  const browser = await openChromium();
  try {
    const page = await (browser as Browser).newPage();
    const complaints: string[] = [];
    page.on('console', message => complaints.push(message.text()));
    page.on('pageerror', error => complaints.push(error.message));
    await page.goto(`http://127.0.0.1:${pagePort}/?account=${account}`);
    await page.getByText('3 beneficiaries').waitFor();
    await page.getByText('owned by Maren Ashdown and Tobias Ashdown').waitFor();

    await page.getByLabel('First name').fill('Ada');
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByRole('alert').getByText('name: ').waitFor();
    await page.getByLabel('Last name').fill('Ashdown');
    // The gateway does it, and nobody hears of it until the third attempt.
    const keys: (string | undefined)[] = [];
    await page.route('**/graphql', async route => {
      const isAdding = route.request().postData()?.includes('AddBeneficiary') ?? false;
      if (isAdding) keys.push(route.request().headers()['x-idempotency-key']);
      if (isAdding && keys.length < 3) {
        await route.fetch();
        await route.abort();
      } else await route.continue();
    });
    await page.getByRole('button', { name: 'Add' }).click();
    await page.getByText('4 beneficiaries').waitFor();
    expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
    expect((await beneficiariesOf(account)).filter(name => name === 'Ada Ashdown')).toHaveLength(1);

    await subscriptions(gateway, 1);
    const before = await page.locator('output').textContent();
    await postSome(gateway, { account, caller: await gateway.caller() }, 1);
    await until(async () => (await page.locator('output').textContent()) !== before);
    const rows = page.getByRole('region', { name: 'History' }).getByRole('listitem');
    await until(async () => (await rows.count()) === 11);
    await page.getByRole('button', { name: 'Earlier' }).click();
    await until(async () => (await rows.count()) === 21);
    expect(complaints.filter(text => !text.includes('net::ERR_FAILED'))).toEqual([]);
  } finally {
    await browser?.close();
    child.kill();
    await ended;
  }
});
