import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { ByHand } from '../session/by-hand.js';
import { readConfig } from '../../src/app/config.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { run } from '../cli/command-line.js';
import { listen, POSTED, socketClient, Stream, subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { keyed, startTestGateway, unique, type CallerOrder, type TestGateway } from '../support/gateway.js';
import { AUDIENCE, ISSUER, Issuer, nowSeconds } from '../platform/auth/issuer.js';
import { passSecondsWith, realTimeWith } from '../support/clock.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';

const KEYS = KeyRing.generate();
const REVOKE = `mutation ($input: RevokeTokensInput!) {
  revokeTokens(input: $input) { revocation { revocationId kind value latestIssuedAt revokedAt } }
}`;

let database: FreshDatabase;
let gateway: TestGateway;
/** Another process on the same database. */
let other: TestGateway;
beforeAll(async () => {
  database = await freshDatabase();
  const options = { databaseUrl: database.url, fieldKeys: KEYS, console: readConfig({}).console };
  gateway = await startTestGateway(options);
  other = await startTestGateway({ ...options, auth: null });
});
afterAll(async () => {
  await gateway.stop();
  await other.stop();
  await database.drop();
});

/** A token of each gateway with the same claims, as each has its own issuer. */
const both = async (order: CallerOrder) => [await gateway.caller(order), await other.caller(order)] as const;

async function statusOf(token: string, at = gateway): Promise<number> {
  return (await at.as(token).rest.get('/viewer')).status;
}

function jtiOf(token: string): string {
  return decodeJwt(token).jti as string;
}

async function given(order: CallerOrder = {}) {
  const program = gateway.given.program();
  const clientId = unique('client');
  const subject = unique('subject');
  const operator = gateway.as(await gateway.caller({ program, clientId: 'operator' }));
  return { program, clientId, subject, operator, order: { program, clientId, subject, ...order } };
}

const seconds = (n: number) => new Date(Date.now() + n * 1000).toISOString();

describe('revoked tokens', () => {
  test('of one jti are refused at once here and soon in every other process, and no others are', async () => {
    const { operator, order } = await given();
    const [token, next] = [await gateway.caller(order), await gateway.caller(order)];
    expect(await statusOf(token)).toBe(200);
    const { status, body } = await operator.rest.post('/token-revocations', { kind: 'TOKEN', value: jtiOf(token) });
    expect([status, body]).toEqual([
      200,
      {
        kind: 'TOKEN',
        value: jtiOf(token),
        revocationId: expect.any(String),
        latestIssuedAt: '',
        revokedAt: expect.any(String),
      },
    ]);
    const refused = await gateway.as(token).rest.get('/viewer');
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      401,
      'Bearer realm="tillgate", error="invalid_token", error_description="The access token has been revoked. Get a new one."',
    ]);
    expect((await gateway.as(token).graphql('{ __typename }')).status).toBe(401);
    expect(await statusOf(next)).toBe(200);
    expect(gateway.log.join()).toContain('The token was revoked at this gateway.');
  });

  test('of a client are those that were issued until then, in every process and in its program alone', async () => {
    const { operator, order, clientId, program } = await given();
    const [here, there] = await both(order);
    const elsewhere = await gateway.caller({ ...order, program: gateway.given.program() });
    const earlier = { kind: 'CLIENT', value: clientId, before: seconds(-3600) };
    expect((await operator.graphql(REVOKE, { input: earlier })).errors).toBeUndefined();
    expect([await statusOf(here), await statusOf(there, other)]).toEqual([200, 200]);
    const { data } = await operator.graphql(REVOKE, { input: { kind: 'CLIENT', value: clientId } });
    expect(data.revokeTokens.revocation).toMatchObject({
      kind: 'CLIENT',
      value: clientId,
      latestIssuedAt: expect.any(String),
    });
    expect(await statusOf(here)).toBe(401);
    await until(async () => (await statusOf(there, other)) === 401);
    expect(await statusOf(elsewhere)).toBe(200);
    const { rows } = await gateway.sql.query('SELECT value FROM token_revocation WHERE program = $1', [program]);
    expect(rows).toEqual([{ value: clientId }]);
  });

  test.each(['CLIENT', 'SUBJECT'])('of a %s until this instant are followed by new ones in a second', async kind => {
    const { operator, order, clientId, subject } = await given();
    const stolen = await gateway.caller(order);
    const value = kind === 'CLIENT' ? clientId : subject;
    const { status } = await operator.rest.post('/token-revocations', { kind, value, before: seconds(0) });
    expect([status, await statusOf(stolen)]).toEqual([200, 401]);
    await until(async () => (await statusOf(await gateway.caller(order))) === 200);
    expect(await statusOf(stolen)).toBe(401);
  });

  test.each(['CLIENT', 'SUBJECT'])('of a %s are also those of an issuer whose clock is ahead', async kind => {
    const issuer = await Issuer.start();
    const auth = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.jwksUrl };
    const ahead = await startTestGateway({ databaseUrl: database.url, fieldKeys: KEYS, auth });
    try {
      const { program, clientId: client_id, subject: sub } = await given();
      const tokenOf = (aheadSeconds: number) =>
        issuer.sign({ program, client_id, sub, iat: nowSeconds() + aheadSeconds });
      const tokens = await Promise.all([0, 30, 55].map(tokenOf));
      const statuses = () => Promise.all(tokens.map(token => statusOf(token, ahead)));
      expect(await statuses()).toEqual([200, 200, 200]);
      const operator = ahead.as(await issuer.sign({ program, scope: 'operations' }));
      const revocation = { kind, value: kind === 'CLIENT' ? client_id : sub };
      const { body } = await operator.rest.post('/token-revocations', revocation);
      expect(await statuses()).toEqual([401, 401, 401]);
      expect(Date.parse(body.latestIssuedAt) - Date.parse(body.revokedAt)).toBe(60_000);
      // A new token of then is accepted, the old ones are not.
      await passSecondsWith(ahead, 61);
      expect([await statusOf(await tokenOf(1), ahead), ...(await statuses())]).toEqual([200, 401, 401, 401]);
    } finally {
      await realTimeWith(ahead);
      await ahead.stop();
      await issuer.goDown();
    }
  });

  test('are told by an event, once, however often they are asked for', async () => {
    const { operator, order, program } = await given();
    const input = { kind: 'TOKEN', value: jtiOf(await gateway.caller(order)) };
    const first = await operator.rest.post('/token-revocations', input, keyed('revoke'));
    const replayed = await operator.rest.post('/token-revocations', input, keyed('revoke'));
    const again = await operator.rest.post('/token-revocations', input);
    expect([replayed.body, replayed.headers['idempotent-replayed'], again.body]).toEqual([
      first.body,
      'true',
      first.body,
    ]);
    const { rows } = await gateway.sql.query(
      `SELECT object, data FROM event WHERE program = $1 AND action = 'token.revoke'`,
      [program],
    );
    expect(rows).toEqual([{ object: `token_revocation/${first.body.revocationId}`, data: input }]);
    const { data } = await operator.graphql('{ tokenRevocations { totalCount nodes { revocationId kind value } } }');
    expect(data.tokenRevocations).toEqual({
      totalCount: 1,
      nodes: [{ ...input, revocationId: first.body.revocationId }],
    });
    expect((await operator.rest.get('/token-revocations')).body.tokenRevocations).toEqual([first.body]);
  });

  test('of a subject end its sessions at the console', async () => {
    const by = await ByHand.signedIn(gateway, 'operator');
    const sessions = () => gateway.sessions('demo');
    const [session] = await sessions();
    expect(session).toBeDefined();
    const operator = gateway.as(await gateway.caller({ clientId: 'operator' }));
    const input = { kind: 'SUBJECT', value: session?.subject };
    expect((await operator.rest.post('/token-revocations', input)).status).toBe(200);
    expect(await sessions()).toEqual([]);
    expect(by).toBeDefined();
  });

  test('are known for 400 days, and then no longer', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-revocations-'));
    const options = { databaseUrl: database.url, fieldKeys: KEYS, dataDir };
    const [program, kind] = [gateway.given.program(), 'TOKEN'];
    const first = await startTestGateway(options);
    const [old, young] = [await first.caller({ program }), await first.caller({ program })];
    for (const token of [old, young]) {
      const operator = first.as(await first.caller({ program }));
      expect((await operator.rest.post('/token-revocations', { kind, value: jtiOf(token) })).status).toBe(200);
    }
    await first.stop();
    const age = "UPDATE token_revocation SET revoked_at = now() - $2 * interval '1 day' WHERE value = $1";
    await gateway.sql.query(age, [jtiOf(old), 401]);
    await gateway.sql.query(age, [jtiOf(young), 399]);
    const next = await startTestGateway(options);
    expect([await statusOf(old, next), await statusOf(young, next)]).toEqual([200, 401]);
    await next.stop();
    await rm(dataDir, { recursive: true });
  });

  test('end the open subscriptions of their callers: sockets with 4403, and streams with the reason', async () => {
    const { account, program } = await gateway.given.account();
    const order = { program, clientId: unique('listener') };
    const [here, there] = await both(order);
    const operation = { query: POSTED, variables: { account } };
    const stream = await Stream.open(gateway, here, operation);
    const heard = listen(socketClient(other, there), operation);
    await Promise.all([subscriptions(gateway, 1), subscriptions(other, 1)]);
    const operator = gateway.as(await gateway.caller({ program, clientId: 'operator' }));
    await operator.rest.post('/token-revocations', { kind: 'CLIENT', value: order.clientId });
    await until(() => stream.isOver && heard.isOver);
    expect(stream.errors).toMatchObject([{ extensions: { code: 'UNAUTHENTICATED' } }]);
    expect(heard.closed).toEqual({ code: 4403, reason: 'UNAUTHENTICATED' });
  });

  test.each<[string, object, string]>([
    ['a single one with an instant', { kind: 'TOKEN', value: 'some', before: seconds(-60) }, '/before'],
    ['those that are not issued yet', { kind: 'CLIENT', value: 'some', before: seconds(3600) }, '/before'],
  ])('cannot be %s', async (_what, input, pointer) => {
    const { operator } = await given();
    const { status, body } = await operator.rest.post('/token-revocations', input);
    expect([status, body.errors]).toMatchObject([422, [{ pointer, code: 'range' }]]);
  });
});

describe('tillgate tokens revoke', () => {
  const revoke = (...options: string[]) =>
    run(['tokens', 'revoke', ...options], { DATABASE_URL: database.url, FIELD_KEYS: KEYS });

  test('refuses tokens in every process', async () => {
    const { order, program, subject } = await given();
    const [here, there] = await both(order);
    const { status, stdout, stderr } = await revoke('--program', program, '--subject', subject);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(new RegExp(`^revoked: subject ${subject} of ${program}, issued until \\S+Z\\n$`));
    await until(async () => (await statusOf(here)) === 401 && (await statusOf(there, other)) === 401);
  });

  test.each<[readonly string[], string]>([
    [[], 'Name the tokens: set --jti, --client or --subject.'],
    [['--client', 'a', '--before', 'yesterday'], '--before must be an instant, such as 2026-03-31T18:05:00Z.'],
  ])('with %j is wrong usage', async (options, message) => {
    const { status, stderr } = await revoke('--program', 'demo', ...options);
    expect([status, stderr]).toEqual([2, `${message}\n`]);
  });
});
