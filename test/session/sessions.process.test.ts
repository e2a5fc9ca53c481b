import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig, type Config } from '../../src/app/config.js';
import { SessionService } from '../../src/bank/session/session.service.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import { startGatewayInside, type GatewayInThisProcess } from '../support/gateway-inside.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { until } from '../support/until.js';
import { ByHand, COOKIE, leastVariables, pageDocuments, type PageDocument } from './by-hand.js';
import { restCode } from '../support/answers.js';

const { console: CONSOLE } = readConfig({});
const KEYS = KeyRing.generate();
const ISSUER = {
  issuer: 'https://login.bank.example',
  audience: 'tillgate',
  jwksUrl: 'https://login.bank.example/keys',
};

let database: FreshDatabase;
let gateway: GatewayInThisProcess;
let other: GatewayInThisProcess;
let query: PageDocument;
beforeAll(async () => {
  database = await freshDatabase();
  const options = { databaseUrl: database.url, fieldKeys: KEYS, console: CONSOLE };
  gateway = await startGatewayInside(options);
  other = await startGatewayInside(options);
  query = (await pageDocuments()).find(({ name }) => name === 'ConsoleProgram') as PageDocument;
});
afterAll(async () => {
  await gateway.stop();
  await other.stop();
  await database.drop();
});

/** As the command line has them. */
const sessions = () => new SessionService(gateway.gateway.container.database, gateway.gateway.container.keys);

type Role = Parameters<typeof ByHand.signedIn>[1];

async function given(role: Role = 'operator') {
  const by = await ByHand.signedIn(gateway, role);
  const sessionId = await newest();
  const move = (column: string, by_: string) =>
    gateway.sql.query(`UPDATE console_session SET ${column} = ${column} + $2::interval WHERE session_id = $1`, [
      sessionId,
      by_,
    ]);
  return { by, sessionId, move };
}

async function newest(): Promise<string> {
  const { rows } = await gateway.sql.query<{ session_id: string }>(
    'SELECT session_id FROM console_session ORDER BY created_at DESC LIMIT 1',
  );
  return (rows[0] as { session_id: string }).session_id;
}

/** What a request for data answers, and whether the console says that somebody is signed in. */
const standing = async (by: ByHand) => [
  (await by.ask(query, {})).status,
  (await by.get('/console/session')).body.signedIn,
];
const IN = [200, true];
const OUT = [401, false];

/** A browser with these cookies, whose requests reach the other process. */
const elsewhere = (by: ByHand) => new ByHand(other, by.cookie);

describe('a session', () => {
  test('holds in every process, and ends in every one', async () => {
    const { by } = await given();
    expect(await standing(elsewhere(by))).toEqual(IN);
    await elsewhere(by).post('/console/sign-out', {});
    expect(await standing(by)).toEqual(OUT);
  });

  test('ends half an hour after it was last used', async () => {
    const { by, move } = await given();
    await move('last_seen_at', '-29 minutes');
    const { body } = await by.get('/console/session');
    expect(Date.parse(body.idleUntil) - Date.now()).toBeLessThan(61_000);
    await move('last_seen_at', '-1 minute');
    expect(await standing(by)).toEqual(OUT);
  });

  test('is used by a request for data, and not by the question who is signed in', async () => {
    const { by, move } = await given();
    const idleUntil = async () => Date.parse((await by.get('/console/session')).body.idleUntil);
    await move('last_seen_at', '-20 minutes');
    const before = await idleUntil();
    expect(await idleUntil()).toBe(before);
    await by.ask(query, {});
    expect((await idleUntil()) - before).toBeGreaterThan(19 * 60_000);
  });

  test('ends twelve hours after it began, however much it is used', async () => {
    const { by, move } = await given();
    await move('ends_at', '-11 hours -59 minutes');
    const { body } = await by.get('/console/session');
    expect(body.idleUntil).toBe(body.endsAt);
    await move('ends_at', '-1 minute');
    expect(await standing(by)).toEqual(OUT);
  });

  test('is one of ten at most: one more ends the oldest of the same person', async () => {
    const first = await given('viewer');
    const { by: stranger } = await given('approver');
    for (let count = 1; count <= 10; count++) await given('viewer');
    expect(await standing(first.by)).toEqual(OUT);
    expect(await standing(stranger)).toEqual(IN);
  });

  test('gets a new secret at each sign-in, and the one before ends', async () => {
    const { by } = await given();
    const { headers } = await by.post('/console/sign-in', { as: 'viewer' });
    expect(headers['set-cookie']?.[0]).not.toContain(by.cookie?.split('=')[1]);
    expect((await by.get('/console/session')).body.signedIn).toBe(false);
  });

  test('is told of its beginning and its end in the events of the program, with the person', async () => {
    const { by, sessionId } = await given('approver');
    await by.post('/console/sign-out', {});
    const { rows } = await gateway.sql.query(
      'SELECT action, program, subject, data FROM event WHERE object = $1 ORDER BY id',
      [sessionId],
    );
    const who = { program: 'demo', subject: 'demo-approver' };
    expect(rows).toEqual([
      { action: 'console.sign_in', ...who, data: { roles: ['approver'], way: 'DEMO' } },
      { action: 'console.sign_out', ...who, data: { person: 'demo-approver' } },
    ]);
  });

  test('that is long over leaves no row', async () => {
    const { sessionId, move } = await given();
    await move('ends_at', '-2 days');
    expect(await sessions().sweep()).toBeGreaterThan(0);
    const { rows } = await gateway.sql.query('SELECT FROM console_session WHERE session_id = $1', [sessionId]);
    expect(rows).toEqual([]);
  });
});

describe('operators of the program', () => {
  const LIST = '{ operatorSessions(first: 50) { totalCount nodes { sessionId subject name roles isOwn } } }';
  const END =
    'mutation ($id: ID!) { endOperatorSession(input: { sessionId: $id }) { session { sessionId subject name isOwn } } }';
  const client = async (program = 'demo') => gateway.as(await gateway.caller({ program, subject: 'chief' }));

  test('see who is signed in, by name, alike over GraphQL and REST', async () => {
    const { sessionId } = await given('approver');
    const me = await client();
    const { data } = await me.graphql<{ operatorSessions: { nodes: { sessionId: string }[] } }>(LIST);
    const shown = {
      sessionId,
      subject: 'demo-approver',
      name: 'Ada Brightwater',
      roles: ['approver'],
      isOwn: false,
    };
    expect(data.operatorSessions.nodes).toContainEqual(shown);
    const { body } = await me.rest.get<{ operatorSessions: object[] }>('/operator-sessions?limit=50');
    expect(body.operatorSessions).toContainEqual(expect.objectContaining(shown));
  });

  test.each(['GraphQL', 'REST'])(
    'end a session over %s once, in every process, and the event says who did it',
    async api => {
      const { by, sessionId } = await given('viewer');
      const me = await client();
      const end = async () =>
        api === 'REST'
          ? (await me.rest.delete(`/operator-sessions/${sessionId}`)).body.code
          : restCode((await me.graphql(END, { id: sessionId })).errors?.[0]?.extensions.code);
      expect(await end()).toBeUndefined();
      expect(await standing(by)).toEqual(OUT);
      expect(await standing(elsewhere(by))).toEqual(OUT);
      expect(await end()).toBe('operator_session_not_found');
      const { rows } = await gateway.sql.query(
        'SELECT action, subject, data FROM event WHERE object = $1 ORDER BY id DESC LIMIT 1',
        [sessionId],
      );
      expect(rows).toEqual([{ action: 'console.sign_out', subject: 'chief', data: { person: 'demo-viewer' } }]);
    },
  );

  test('of another program neither see nor end a session', async () => {
    const { by, sessionId } = await given('viewer');
    const me = await client(gateway.given.program());
    expect((await me.graphql(LIST)).data).toEqual({ operatorSessions: { totalCount: 0, nodes: [] } });
    const { status, body } = await me.rest.delete(`/operator-sessions/${sessionId}`);
    expect([status, body.code]).toEqual([404, 'operator_session_not_found']);
    expect(await standing(by)).toEqual(IN);
  });
});

describe('a subscription', () => {
  /** Gives the text so far of the stream, once it has begun. */
  async function follow(by: ByHand): Promise<{ readonly text: () => string; readonly over: Promise<void> }> {
    const subscription = (await pageDocuments()).find(({ type }) => type === 'subscription') as PageDocument;
    const { account } = await gateway.given.account({ program: 'demo' });
    const answer = await fetch(`${gateway.url}/console/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: String(by.cookie),
      },
      body: JSON.stringify({
        variables: await leastVariables(subscription, { accountId: account }),
        extensions: { persistedQuery: { version: 1, sha256Hash: subscription.id } },
      }),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    let text = '';
    const read = async () => {
      for await (const chunk of answer.body as ReadableStream<Uint8Array>) text += Buffer.from(chunk).toString();
    };
    return { text: () => text, over: read() };
  }

  test.each([
    ['its person signs out', (by: ByHand) => by.post('/console/sign-out', {})],
    ['an operator of the machine ends it on the command line', () => sessions().endOf('demo-operator', null)],
    ['its person signs out in another process', (by: ByHand) => elsewhere(by).post('/console/sign-out', {})],
  ])('ends with its session: %s', async (_, end) => {
    const { by } = await given();
    const stream = await follow(by);
    await until(async () => stream.text().startsWith(':'));
    await end(by);
    await stream.over;
    expect(stream.text()).toContain('"code":"SIGN_IN_REQUIRED"');
  });
});

describe('personal data', () => {
  test('is shown whole by the one document that is there for it, to people with the role, and to no others', async () => {
    const documents = await pageDocuments();
    const reveal = documents.find(({ name }) => name === 'RevealPersonalData') as PageDocument;
    const { customer, taxId } = await gateway.given.customer({ program: 'demo' });
    const { account: accountId } = await gateway.given.account({ program: 'demo', owners: [customer] });
    const input = { accountId, customerId: customer, reason: 'Caller asked for a callback' };
    const asking = async (role: Role) => (await (await given(role)).by.ask(reveal, { input })).body;
    expect((await asking('operator')).data.revealPersonalData.personalData.taxId).toBe(taxId);
    for (const role of ['viewer', 'approver'] as const) {
      expect((await asking(role)).errors[0].extensions.code).toBe('INSUFFICIENT_SCOPE');
    }
    const { by } = await given();
    for (const document of documents.filter(({ type }) => type === 'query')) {
      const variables = await leastVariables(document, { accountId, customerId: customer });
      expect((await by.ask(document, variables)).text).not.toContain(taxId);
    }
  });
});

describe('what a person pays for', () => {
  test('is counted by session, so that nobody uses up what another has', async () => {
    const slow: Partial<Config> = {
      databaseUrl: database.url,
      fieldKeys: KEYS,
      console: CONSOLE,
      ratePerSecond: 1,
      rateBurst: 5,
    };
    const paced = await startGatewayInside(slow);
    try {
      const [one, another] = [await ByHand.signedIn(paced, 'viewer'), await ByHand.signedIn(paced, 'viewer')];
      // Together, since a slow machine would earn a unit between two of them.
      const answers = await Promise.all(Array.from({ length: 20 }, () => one.ask(query, {})));
      expect(answers.map(({ status }) => status)).toContain(429);
      expect((await another.ask(query, {})).status).not.toBe(429);
    } finally {
      await paced.stop();
    }
  });
});

describe('where the console is', () => {
  const shellOf = async (changes: Partial<Config>) => {
    const started = await startGatewayInside({ databaseUrl: database.url, fieldKeys: KEYS, ...changes });
    try {
      const paths = ['/console', '/console/session', '/console/files/accounts'];
      return await Promise.all(paths.map(async path => (await started.http.send({ path })).status));
    } finally {
      await started.stop();
    }
  };

  test('off, nothing of it exists', async () => {
    expect(readConfig({ CONSOLE: 'false' }).console).toBeNull();
    expect(await shellOf({ console: null })).toEqual([404, 404, 404]);
  });

  test('in production it needs a provider', async () => {
    const production = { production: true, auth: ISSUER, demoData: false, sandbox: false };
    const started = await startGatewayInside({
      databaseUrl: database.url,
      fieldKeys: KEYS,
      console: CONSOLE,
      ...production,
    });
    try {
      expect((await started.http.send({ path: '/console' })).status).toBe(404);
      expect((await new ByHand(started, null).post('/console/sign-in', { as: 'operator' })).status).toBe(404);
      expect(started.log.join()).toContain('the console is not served: it needs CONSOLE_OIDC_ISSUER');
    } finally {
      await started.stop();
    }
  });

  test('the shell is for every address of the page, holds no data, and lets no other script run', async () => {
    for (const path of ['/console', '/console/accounts/demo-1001', '/console/sign-in']) {
      const { status, headers, text } = await gateway.http.send({ path });
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'no-store']);
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] = /script-src 'nonce-([\w-]{22})';/.exec(policy) ?? [];
      expect(policy).toMatch(/^default-src 'none';/);
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect([...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag.includes(`nonce="${nonce}"`))).toEqual([true]);
      expect(headers['cross-origin-opener-policy']).toBe('same-origin');
      expect(text).not.toContain('demo-1001');
    }
    const nonces = await Promise.all(
      [0, 1].map(async () => (await gateway.http.send({ path: '/console' })).headers['content-security-policy']),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
  });

  test('a foreign name for this machine signs nobody in', async () => {
    const { status, body } = await new ByHand(gateway, null).post(
      '/console/sign-in',
      { as: 'operator' },
      { host: 'rebound.quill.example' },
    );
    expect([status, body.code]).toEqual([421, 'misdirected']);
  });

  test('a body that is no JSON, and a person whom nobody knows, sign nobody in', async () => {
    const visitor = new ByHand(gateway, null);
    const form = await visitor.post('/console/sign-in', 'as=operator', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([form.status, form.headers['set-cookie']]).toEqual([415, undefined]);
    for (const as of ['admin', '__proto__', 1, null, ['operator']]) {
      expect((await visitor.post('/console/sign-in', { as })).status).toBe(400);
    }
    expect((await visitor.get('/console/session')).headers['set-cookie']).toBeUndefined();
    expect(COOKIE).toMatch(/^__Host-/);
  });

  test('a document is shown in a frame of the console, and downloaded elsewhere', async () => {
    const { by } = await given();
    const { path } = await gateway.given.statement({
      of: await gateway.given.account({ program: 'demo' }),
    });
    const framed = await by.get(`/console/files${path}`, { 'sec-fetch-dest': 'iframe' });
    expect(framed.headers['content-disposition']).toMatch(/^inline; filename="/);
    expect(framed.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect(framed.headers['x-frame-options']).toBe('SAMEORIGIN');
    const saved = await by.get(`/console/files${path}`);
    expect(saved.headers['content-disposition']).toMatch(/^attachment; filename="/);
    expect(saved.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    const csv = await by.get(`/console/files${path}?format=csv`, {
      'sec-fetch-dest': 'iframe',
    });
    expect(csv.headers['content-disposition']).toMatch(/^attachment/);
  });
});
