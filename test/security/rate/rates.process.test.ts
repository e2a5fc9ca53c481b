import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type Answer, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';

/** A window longer than any test runs. */
const LONG = { ratePerSecond: 1, rateBurst: 20 };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway(LONG);
});
afterAll(() => gateway.stop());

/** What the answer says is left, of which policy. */
function left({ headers }: Pick<Answer, 'headers'>): number {
  const [, remaining] = /^"client";r=(\d+);t=\d+$/.exec(String(headers['ratelimit'])) ?? [];
  expect(headers['ratelimit-policy']).toBe('"client";q=20;w=20');
  return Number(remaining);
}

const client = (order: { program?: string; clientId?: string; subject?: string } = {}) =>
  gateway.caller({ clientId: unique('client'), ...order });

describe('a client', () => {
  test('is served until its units are used up, then told when to come again, alike over GraphQL and REST', async () => {
    const caller = await client();
    for (let n = 19; n >= 0; n--) expect(left(await gateway.as(caller).rest.get('/nothing'))).toBe(n);
    const rest = await gateway.as(caller).rest.get('/nothing');
    const graphql = await gateway.as(caller).graphql('{ __typename }');
    expect([rest.status, rest.body.code, rest.headers['content-type']]).toEqual([
      429,
      'rate_limited',
      'application/problem+json; charset=utf-8',
    ]);
    expect([graphql.status, graphql.errors?.[0].extensions.code]).toEqual([429, 'RATE_LIMITED']);
    for (const answer of [rest, graphql]) {
      expect(left(answer)).toBe(0);
      const seconds = Number(answer.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(20);
    }
  });

  test('is one for all who use it, and another in another program', async () => {
    const clientId = unique('client');
    const first = await gateway.as(await client({ clientId, subject: 'a' })).rest.get('/nothing');
    const second = await gateway.as(await client({ clientId, subject: 'b' })).rest.get('/nothing');
    const other = await gateway.as(await client({ clientId, program: 'acme' })).rest.get('/nothing');
    expect([left(first), left(second), left(other)]).toEqual([19, 18, 19]);
  });

  test('pays for reading a new document by its length, once, whether it can be answered or not', async () => {
    const caller = await client();
    // Four units for a document, one for each 512 characters of it, and one for the operation.
    const long = `{ __typename } # ${unique('comment').padEnd(5 * 512)}`;
    expect(left(await gateway.as(caller).graphql(long))).toBe(10);
    expect(left(await gateway.as(caller).graphql(long))).toBe(9);
    expect(left(await gateway.as(caller).graphql(`{ nothing } # ${''.padEnd(2 * 512)}`))).toBe(3);
    const refused = await gateway.as(caller).graphql(`{ __typename } # ${''.padEnd(10 * 512)}`);
    expect([refused.status, left(refused)]).toEqual([429, 0]);
  });

  test('pays the same for a write over either API, and for each write of an operation', async () => {
    const { account, program } = await gateway.given.account();
    const spent = async (write: (caller: string) => Promise<Pick<Answer, 'headers'>>) =>
      20 - left(await write(await client({ program })));
    const add = (alias: string) =>
      `${alias}: addBeneficiary(input: { accountId: "${account}", beneficiary: { name: { first: "A", last: "B" }, beneficiaryType: PRIMARY, relationship: CHILD, sharePercentage: 1 } }) { beneficiary { beneficiaryId } }`;
    expect(
      await spent(caller => gateway.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary())),
    ).toBe(5);
    expect(await spent(caller => gateway.as(caller).graphql(`mutation { ${add('a')} }`))).toBe(4 + 5);
    expect(await spent(caller => gateway.as(caller).graphql(`mutation { ${add('a')} ${add('b')} }`))).toBe(4 + 10);
    const short = `{ __typename } # ${unique('short')}`;
    expect(await spent(caller => gateway.as(caller).graphql(short))).toBe(4 + 1);
    expect(await spent(caller => gateway.as(caller).graphql(short))).toBe(1);
    const upload = {
      method: 'POST',
      path: `/accounts/${account}/statements`,
      headers: { 'content-type': 'application/pdf' },
    };
    expect(await spent(caller => gateway.as(caller).raw({ ...upload, body: 'x' }))).toBe(10);
  });

  test('pays for a query as often as it is asked, compiled or not', async () => {
    const { account, program } = await gateway.given.account();
    const caller = await client({ program });
    // The document is known then.
    await gateway.as(await client({ program })).graphql(`{ account(accountId: "${account}") { accountId } }`);
    for (let n = 19; n >= 0; n--) {
      const answer = await gateway.as(caller).graphql(`{ account(accountId: "${account}") { accountId } }`);
      expect([answer.status, left(answer)]).toEqual([200, n]);
    }
    const refused = await gateway.as(caller).graphql(`{ account(accountId: "${account}") { accountId } }`);
    expect([refused.status, refused.data]).toEqual([429, undefined]);
  });

  test('who sends writes beyond its units has none of them done, and none under its idempotency key', async () => {
    const { account, program } = await gateway.given.account();
    const caller = await client({ program });
    const write = (as: string, key: string) =>
      gateway.as(as).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), keyed(key));
    for (const key of ['a', 'b', 'c', 'd']) expect((await write(caller, key)).status).toBe(201);
    const before = await gateway.rows();
    const refused = await write(caller, 'e');
    const operation = await gateway
      .as(caller)
      .graphql(
        `mutation { removeAccountOwners(input: { accountId: "${account}", customerIds: ["00000000-0000-4000-8000-000000000000"] }) { results { ownerStatus } } }`,
        {},
        { headers: keyed('f') },
      );
    expect([refused.status, operation.status]).toEqual([429, 429]);
    expect(await gateway.rows()).toEqual(before);
  });

  test('is not held up at the client that need no token', async () => {
    for (let n = 0; n < 30; n++) expect((await gateway.as(null).rest.get('/livez')).status).toBe(200);
    expect((await gateway.as(null).rest.get('/readyz')).headers['ratelimit']).toBeUndefined();
  });
});

test('a refused key works once the client has units again', async () => {
  const quick = await startTestGateway({ ratePerSecond: 1, rateBurst: 5 });
  const { account, caller } = await quick.given.account();
  const write = () => quick.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), keyed('k'));
  const other = await quick.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), keyed('j'));
  expect(other.status).toBe(201);
  let answer = await write();
  expect(answer.status).toBe(429);
  while (answer.status === 429) {
    await new Promise(resolve => setTimeout(resolve, 50));
    answer = await write();
  }
  expect([answer.status, answer.headers['idempotent-replayed']]).toEqual([201, undefined]);
  await quick.stop();
});

describe('credentials that do not hold', () => {
  const MOST = 5;
  const forged = (order = gateway) =>
    order.caller().then(token => `${token.slice(0, -8)}${token.endsWith('A') ? 'BBBBBBBB' : 'AAAAAAAA'}`);

  test('are told what is wrong so often from one address, and then only of the limit; a good one is let in all the same', async () => {
    const other = await startTestGateway({ failedAuthPerMinute: MOST });
    const known = await other.caller();
    await other.as(known).rest.get('/nothing');
    for (let n = 0; n < MOST; n++) {
      expect((await other.as(await forged(other)).rest.get('/nothing')).status).toBe(401);
    }
    for (const bad of [await forged(other), 'no-token', `${await other.caller()}.x`]) {
      for (const answer of [await other.as(bad).rest.get('/nothing'), await other.as(bad).graphql('{ __typename }')]) {
        expect([answer.status, Number(answer.headers['retry-after']) > 0]).toEqual([429, true]);
      }
    }
    for (const good of [known, await other.caller({ subject: 'new' })]) {
      expect((await other.as(good).rest.get('/nothing')).status).toBe(404);
      expect((await other.as(good).graphql('{ __typename }')).data).toEqual({ __typename: 'Query' });
    }
    // Who has to get a new token, or none yet, is told so.
    expect((await other.as(await other.caller({ ttlSeconds: -120 })).rest.get('/nothing')).status).toBe(401);
    expect((await other.as(null).rest.get('/nothing')).status).toBe(401);
    expect((await other.as(null).rest.get('/livez')).status).toBe(200);
    expect(other.log.filter(line => line.includes('too many invalid credentials'))).toHaveLength(1);
    await other.stop();
  });

  test('come in any number, and a new good one among them is let in', async () => {
    const other = await startTestGateway({ failedAuthPerMinute: MOST });
    for (let n = 0; n < MOST; n++) await other.as(await forged(other)).rest.get('/nothing');
    const flood = await Promise.all(Array.from({ length: 80 }, (_, n) => other.caller({ subject: `subject-${n}` })));
    const asked = flood.map(token => other.as(`${token.slice(0, -8)}AAAAAAAA`).rest.get('/nothing'));
    const good = await other.as(await other.caller({ subject: 'new' })).rest.get('/nothing');
    expect(good.status).toBe(404);
    for (const { status } of await Promise.all(asked)) expect(status).toBe(429);
    await other.stop();
  });

  test('count by the address that a trusted proxy names, and by no other', async () => {
    const other = await startTestGateway({ failedAuthPerMinute: MOST, trustedProxies: ['loopback'] });
    const from = async (address: string, token: string) =>
      (await other.as(token).rest.get('/nothing', { 'x-forwarded-for': address })).status;
    for (let n = 0; n < MOST; n++) await from('198.51.100.7', await forged(other));
    const bad = await forged(other);
    expect([await from('198.51.100.7', bad), await from('203.0.113.1, 198.51.100.7', bad)]).toEqual([429, 429]);
    expect([await from('198.51.100.8', bad), await from('198.51.100.7, 198.51.100.8', bad)]).toEqual([401, 401]);
    for (let n = 0; n < MOST; n++) await from('2001:db8::1', bad);
    expect([await from('2001:db8::2', bad), await from('2001:db8:0:1::1', bad)]).toEqual([429, 401]);
    await other.stop();
  });

  test('are none where no token was sent, or one that was good until it expired', async () => {
    const other = await startTestGateway({ failedAuthPerMinute: 1 });
    const expired = await other.caller({ ttlSeconds: -120 });
    for (let n = 0; n < 3; n++) {
      expect((await other.as(null).rest.get('/nothing')).status).toBe(401);
      expect((await other.as(expired).rest.get('/nothing')).status).toBe(401);
    }
    // The first bad one is told what is wrong, so none has been counted before.
    expect((await other.as(await forged(other)).rest.get('/nothing')).status).toBe(401);
    await other.stop();
  });

  test('are those of the development issuer, too', async () => {
    const other = await startTestGateway({ failedAuthPerMinute: 1 });
    const ask = (secret: string) =>
      other.as(null).raw({
        method: 'POST',
        path: '/oauth/token',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `grant_type=client_credentials&client_id=demo&client_secret=${secret}`,
      });
    expect([(await ask('wrong')).status, (await ask('demo-secret')).status]).toEqual([401, 429]);
    await other.stop();
  });
});
