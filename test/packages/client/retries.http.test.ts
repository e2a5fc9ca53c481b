import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  IdempotencyKeyReused,
  NoAnswer,
  OutcomeUnknown,
  RateLimited,
  Tillgate,
  TillgateError,
  Unauthenticated,
  clientCredentials,
} from '../../../packages/client/src/index.js';
import { FaultProxy, type Fault } from '../../examples/fault-proxy.js';
import { namesOf } from '../../examples/listed.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { entry } from '../../transaction/support/ledger.js';
import { inputsOf } from '../../support/postings.js';

let gateway: TestGateway;
const proxies: FaultProxy[] = [];
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.stop();
});
afterAll(() => gateway.stop());

const ADA = {
  name: { first: 'Ada', last: 'Once' },
  beneficiaryType: 'PRIMARY',
  relationship: 'CHILD',
  sharePercentage: 100,
} as const;

test.each([Number.NaN, Infinity, -1, 0, 2 ** 31, '500'])(
  'a time that is none is refused, and nothing is sent: %s',
  async ms => {
    const { account, proxy, tillgate } = await through([]);
    const timeoutMs = ms as number;
    for (const settings of [{ timeoutMs }, { attemptTimeoutMs: timeoutMs }]) {
      expect(() => new Tillgate({ url: proxy.url, token: 't', ...settings })).toThrow(TypeError);
    }
    await expect(tillgate.accounts.get(account, { timeoutMs })).rejects.toThrow(/^timeoutMs must be a number above 0/);
    await expect(tillgate.beneficiaries.add(account, ADA, { timeoutMs })).rejects.toThrow(TypeError);
    expect(proxy.writes).toEqual([]);
  },
);

async function through(faults: readonly Fault[], settings: { attemptTimeoutMs?: number; timeoutMs?: number } = {}) {
  const given = await gateway.given.account();
  const proxy = await FaultProxy.start(gateway.url, faults);
  proxies.push(proxy);
  return { ...given, proxy, tillgate: new Tillgate({ url: proxy.url, token: () => given.caller, ...settings }) };
}

const unavailable = { status: 503, code: 'unavailable' };
const FAULTS: readonly (readonly Fault[])[] = [
  ['answer lost'],
  ['answer cut'],
  ['connection reset', 'answer lost'],
  ['error page'],
  ['token spoilt'],
  ['answer lost', 'token spoilt'],
  [unavailable, 'answer lost'],
  [{ status: 429, code: 'rate_limited' }],
  [{ status: 409, code: 'idempotency_in_progress' }],
];
const named = (fault: Fault) => (typeof fault === 'string' ? fault : `${fault.status} ${fault.code}`);

test.each(FAULTS.map(faults => ({ faults, named: faults.map(named).join(', ') })))(
  'a write is done once through: $named',
  async ({ faults }) => {
    const { tillgate, proxy, account, caller } = await through(faults);
    await tillgate.beneficiaries.add(account, ADA);
    expect(await namesOf(gateway, caller, account)).toEqual(['Ada Once']);
    expect(proxy.writes).toHaveLength(faults.length + 1);
    expect(new Set(proxy.writes.map(({ key, body }) => `${key} ${body}`)).size).toBe(1);
    expect(proxy.writes[0]?.key).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/);
  },
);

test('a write whose answer never comes is done once', async () => {
  const { tillgate, account, caller } = await through(['answer held'], { attemptTimeoutMs: 2000 });
  await tillgate.beneficiaries.add(account, ADA);
  expect(await namesOf(gateway, caller, account)).toEqual(['Ada Once']);
});

test('a mutation of GraphQL is done once, also where the refusal that passes comes with status 200', async () => {
  const { tillgate, proxy, account } = await through(['answer cut', { status: 200, code: 'idempotency_in_progress' }]);
  const [posted] = await tillgate.transactions.post(account, inputsOf([entry({ amount: '5.00' })]));
  expect(posted).toMatchObject({ balanceAfter: '5.00' });
  expect(new Set(proxy.writes.map(({ key }) => key)).size).toBe(1);
  expect(proxy.writes).toHaveLength(3);
});

test('each call has a key of its own, unless the caller gives one', async () => {
  const { tillgate, proxy, account } = await through([]);
  const first = await tillgate.beneficiaries.add(account, ADA);
  const second = await tillgate.beneficiaries.add(account, ADA, { key: 'order-17' });
  const again = await tillgate.beneficiaries.add(account, ADA, { key: 'order-17' });
  expect([second.beneficiaryId === first.beneficiaryId, again.beneficiaryId]).toEqual([false, second.beneficiaryId]);
  expect(new Set(proxy.writes.map(({ key }) => key)).size).toBe(2);
  await expect(
    tillgate.beneficiaries.add(account, { ...ADA, sharePercentage: 1 }, { key: 'order-17' }),
  ).rejects.toThrow(IdempotencyKeyReused);
});

test('a write of which nobody knows the outcome says so, with the key that finds it out', async () => {
  const slow = await through(['answer held', 'answer held'], { timeoutMs: 1500 });
  const error: unknown = await slow.tillgate.beneficiaries.add(slow.account, ADA).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  const { key } = error as OutcomeUnknown;
  const direct = new Tillgate({ url: gateway.url, token: slow.caller });
  await direct.beneficiaries.add(slow.account, ADA, { key });
  expect(await namesOf(gateway, slow.caller, slow.account)).toEqual(['Ada Once']);
});

test('what the gateway asks for is waited for, and more than there is time for is told at once', async () => {
  const { tillgate, proxy, account } = await through([{ status: 429, code: 'rate_limited', retryAfter: '1' }]);
  await tillgate.beneficiaries.add(account, ADA);
  const [first, second] = proxy.writes;
  // A timer may be a millisecond early.
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThanOrEqual(999);
  const later = await through([{ status: 429, code: 'rate_limited', retryAfter: '3600' }]);
  await expect(later.tillgate.beneficiaries.add(later.account, ADA)).rejects.toThrow(RateLimited);
});

test('one new token is got for all requests whose token was refused, and a second refusal is final', async () => {
  const given = await gateway.given.account();
  let asked = 0;
  const tokens = ['not-a-token', given.caller];
  const tillgate = new Tillgate({ url: gateway.url, token: async () => tokens[Math.min(asked++, 1)] ?? '' });
  const seen = await Promise.all(Array.from({ length: 5 }, () => tillgate.accounts.get(given.account)));
  expect(seen.map(({ accountId }) => accountId)).toEqual(Array.from({ length: 5 }, () => given.account));
  expect(asked).toBe(2);
  let inVain = 0;
  const refused = new Tillgate({ url: gateway.url, token: () => `not-a-token-${inVain++}` });
  await expect(refused.accounts.get(given.account)).rejects.toThrow(Unauthenticated);
  expect(inVain).toBe(2);
  await expect(new Tillgate({ url: gateway.url, token: 'not-a-token' }).accounts.get(given.account)).rejects.toThrow(
    Unauthenticated,
  );
});

test('a token that expires is renewed before it does', async () => {
  const given = await gateway.given.account();
  const short = await gateway.caller({ program: given.program, ttlSeconds: 2 });
  const tokens = [short, given.caller];
  let asked = 0;
  const tillgate = new Tillgate({ url: gateway.url, token: () => tokens[asked++] ?? '' });
  await tillgate.accounts.get(given.account);
  // Half of its life.
  await new Promise(resolve => setTimeout(resolve, 1100));
  await tillgate.accounts.get(given.account);
  expect(asked).toBe(2);
});

test('client credentials are exchanged for a token, and wrong ones are told of', async () => {
  const { account } = await gateway.given.account({ program: 'demo' });
  const issuer = { tokenUrl: `${gateway.url}/oauth/token`, clientId: 'demo' };
  const token = clientCredentials({ ...issuer, clientSecret: 'demo-secret', scope: 'accounts.read' });
  const tillgate = new Tillgate({ url: gateway.url, token });
  expect(await tillgate.accounts.get(account)).toMatchObject({ accountId: account });
  const wrong = new Tillgate({ url: gateway.url, token: clientCredentials({ ...issuer, clientSecret: 'wrong' }) });
  await expect(wrong.accounts.get(account)).rejects.toMatchObject({ code: 'no_token', status: 401 });
});

test('a call ends at once when its signal is aborted, also while it waits for its next attempt', async () => {
  const { tillgate, proxy, account } = await through([{ status: 503, code: 'unavailable', retryAfter: '30' }]);
  const stop = new AbortController();
  const adding = tillgate.beneficiaries.add(account, ADA, { signal: stop.signal });
  adding.catch(() => undefined);
  while (proxy.writes.length === 0) await new Promise(resolve => setImmediate(resolve));
  stop.abort(new Error('The page was left.'));
  await expect(adding).rejects.toThrow('The page was left.');
  expect(proxy.writes).toHaveLength(1);
});

test('where no gateway answers, a read says so', async () => {
  const server = createServer((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>'));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const elsewhere: unknown = await new Tillgate({ url, token: 't' }).accounts.get('a').catch((error: unknown) => error);
  expect(elsewhere).toBeInstanceOf(TillgateError);
  expect(elsewhere).not.toBeInstanceOf(NoAnswer);
  await new Promise(resolve => server.close(resolve));
  const nobody = new Tillgate({ url, token: 't', timeoutMs: 500 });
  await expect(nobody.accounts.get('a')).rejects.toThrow(NoAnswer);
});
