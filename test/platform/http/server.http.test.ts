import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import { leastBeneficiary } from '../../support/given.js';
import { until } from '../../support/until.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

describe('health', () => {
  test.each(['/livez', '/readyz'])('%s is for everyone', async path => {
    const { status, headers, body } = await gateway.as(null).rest.get(path);
    expect([status, body]).toEqual([200, { status: 'ok' }]);
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/);
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('a gateway whose database is away lives, is not ready, says when to come again, and works again', async () => {
    const line = new Line();
    const other = await startTestGateway({}, url => line.to(url));
    const { caller, account } = await other.given.account();
    line.cut();
    expect((await other.as(null).rest.get('/livez')).status).toBe(200);
    const paths = ['/readyz', `/accounts/${account}/beneficiaries`];
    for (const path of paths) {
      const { status, headers, body } = await other.as(caller).rest.get(path);
      expect([status, headers['retry-after'], headers['content-type'], body.code]).toEqual([
        503,
        '1',
        'application/problem+json; charset=utf-8',
        'unavailable',
      ]);
    }
    const write = await other
      .as(caller)
      .rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), keyed(unique('key')));
    expect([write.status, write.body.code]).toEqual([503, 'unavailable']);
    const { status, errors, headers } = await other
      .as(caller)
      .graphql(`{ account(accountId: "${account}") { accountId } }`);
    expect([status, errors?.[0].extensions.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '1']);
    line.mend();
    await other.ready();
    const again = await other.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary());
    expect(again.status).toBe(201);
    await other.stop();
    line.close();
  });
});

describe('the request id', () => {
  test.each([
    'abc',
    '0190a0b0-0000-7000-8000-000000000001',
    'Root=1-67891233-abcdef012345678912345678',
    'x'.repeat(128),
  ])('of the caller, %s, is kept', async id => {
    const answers = [
      await gateway.as(null).rest.get('/livez', { 'x-request-id': id }),
      await gateway.as(null).rest.get('/nothing', { 'x-request-id': id }),
      await gateway.as(await gateway.caller()).rest.post('/graphql', { query: '{' }, { 'x-request-id': id }),
    ];
    for (const { headers } of answers) expect(headers['x-request-id']).toBe(id);
    expect(answers[1]?.body.requestId).toBe(id);
    expect(answers[2]?.body.errors[0].extensions.requestId).toBe(id);
    expect(gateway.log.some(line => JSON.parse(line).requestId === id)).toBe(true);
  });

  test.each(['', 'a b', 'x'.repeat(129), '"quoted"', 'é', '<script>', 'a,b', 'a\tb'])(
    'of the caller, %j, is replaced by one of ours',
    async id => {
      const { headers } = await gateway.as(null).rest.get('/livez', { 'x-request-id': id });
      expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    },
  );

  test('sent twice is replaced too, and each request has its own', async () => {
    const twice = await gateway.as(null).rest.get('/livez', { 'x-request-id': ['a', 'b'] });
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await gateway.as(null).rest.get('/livez')).headers['x-request-id']),
    );
    expect(new Set([twice.headers['x-request-id'], ...ids]).size).toBe(21);
  });

  test('is in the event of a command', async () => {
    const { caller, account } = await gateway.given.account();
    const id = randomUUID();
    await gateway
      .as(caller)
      .rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), { 'x-request-id': id });
    const { rows } = await gateway.sql.query(
      'SELECT request_id, program IS NOT NULL AS tenant, action FROM event WHERE account_id = $1',
      [account],
    );
    expect(rows).toEqual([{ request_id: id, tenant: true, action: 'beneficiary.add' }]);
  });
});

test('an unknown route is a problem, for callers who are known', async () => {
  const path = '/no/such/route?x=1';
  const { status, headers, body } = await gateway.as(await gateway.caller()).rest.get(path);
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    404,
    'application/problem+json; charset=utf-8',
    'no-store',
  ]);
  expect(body).toEqual({
    type: '/problems#route_not_found',
    title: 'Not found',
    status: 404,
    detail: 'The path does not exist. `/docs` lists all paths.',
    instance: '/no/such/route',
    code: 'route_not_found',
    requestId: headers['x-request-id'],
  });
  expect((await gateway.as(null).rest.get(path)).status).toBe(401);
});

test('no answer with data may be kept by a cache', async () => {
  const { caller, account } = await gateway.given.account();
  const answers = [
    await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries`),
    await gateway.as(caller).rest.get(`/accounts/none/beneficiaries`),
    await gateway.as(caller).rest.post('/graphql', { query: '{ __typename }' }),
    await gateway.as(null).rest.get(`/accounts/${account}/beneficiaries`),
  ];
  for (const { headers } of answers) expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
});

test('each request is one line of the log: who, what and how it ended, without its query and body', async () => {
  const { caller, account, program } = await gateway.given.account();
  const id = unique('log');
  await gateway.as(caller).rest.get(`/accounts/${account}/beneficiaries?limit=3`, { 'x-request-id': id });
  const lines = gateway.log.map(line => JSON.parse(line)).filter(({ requestId }) => requestId === id);
  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.any(String),
      requestId: id,
      interactionId: expect.any(String),
      method: 'GET',
      path: `/accounts/${account}/beneficiaries`,
      status: 200,
      durationMs: expect.any(Number),
      operation: 'GET /accounts/:accountId/beneficiaries',
      program,
      clientId: 'test-client',
      clientAddress: '127.0.0.1',
      msg: 'request',
    },
  ]);
  expect(gateway.log.join('')).not.toContain(caller);
});

test('the development issuer gives tokens that the gateway takes', async () => {
  const form = (body: string) =>
    gateway.as(null).raw({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    });
  const { status, body, headers } = await form(
    'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
  );
  expect([status, headers['cache-control'], body.token_type]).toEqual([200, 'no-store', 'Bearer']);
  const { account } = await gateway.given.account({ program: 'demo' });
  expect((await gateway.as(body.access_token).rest.get(`/accounts/${account}/beneficiaries`)).status).toBe(200);
  const wrong = await form('grant_type=client_credentials&client_id=demo&client_secret=wrong');
  expect([wrong.status, wrong.body.error, wrong.headers['www-authenticate']]).toEqual([
    401,
    'invalid_client',
    'Basic realm="tillgate", charset="UTF-8"',
  ]);
  expect((await gateway.as(null).rest.post('/oauth/token', {})).status).toBe(415);
  const large = await form(`x=${'y'.repeat(20_000)}`);
  expect([large.status, large.body.code]).toEqual([413, 'too_large']);
});

test('who has no token is told where to get one, alike over GraphQL and REST', async () => {
  const stranger = gateway.as(null);
  const [error] = (
    await stranger.raw({ method: 'POST', path: '/graphql', headers: {}, body: { query: '{ __typename }' } })
  ).body.errors;
  const { body } = await stranger.rest.get('/accounts/any/beneficiaries');
  expect([error.message, error.extensions.code]).toEqual([body.detail, 'UNAUTHENTICATED']);
  expect(body.detail).toContain('Get one from POST /oauth/token');
});

test('a gateway with an issuer of its own has no token route, and names the issuer', async () => {
  const other = await startTestGateway({
    auth: { issuer: 'https://issuer.example', audience: 'tillgate', jwksUrl: 'http://127.0.0.1:9/jwks' },
  });
  const refused = await other.as(null).rest.get('/accounts/any/beneficiaries');
  expect(refused.body.detail).toContain('Get one from https://issuer.example and send it');
  // The key endpoint is away, which is no fault of the caller.
  expect((await other.as(null).rest.post('/oauth/token', {})).status).toBe(401);
  const { status, body, headers } = await other.as(await other.caller()).rest.get('/oauth/token');
  expect([status, body.code, headers['retry-after']]).toEqual([503, 'unavailable', '1']);
  await other.stop();
});

describe('stopping', () => {
  test('finishes the requests that run, over GraphQL and REST, and takes no new ones', async () => {
    const other = await startTestGateway({});
    const { caller, account, program } = await other.given.account();
    const second = await other.given.account({ program });
    const unlocks = [await other.lockAccount(account), await other.lockAccount(second.account)];
    const running = [
      other.as(caller).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary()),
      other.as(caller).raw({
        method: 'POST',
        path: '/graphql',
        headers: { 'content-type': 'application/json' },
        body: {
          query: `mutation { removeAccountOwners(input: { accountId: "${second.account}", customerIds: ["${randomUUID()}"] }) { results { ownerStatus } } }`,
        },
      }),
    ];
    await other.waiting(2);
    const stopped = other.stopServing();
    const isRefused = () =>
      other.http.sendBytes('GET /livez HTTP/1.0\r\n\r\n').then(
        () => false,
        (error: NodeJS.ErrnoException) => /ECONN(REFUSED|RESET)/.test(error.message),
      );
    await until(isRefused);
    await Promise.all(unlocks.map(unlock => unlock()));
    const [rest, graphql] = await Promise.all(running);
    expect(rest?.status).toBe(201);
    expect(graphql?.body.data.removeAccountOwners).toEqual({ results: [{ ownerStatus: 'NOT_FOUND' }] });
    await stopped;
    const { rows } = await other.sql.query('SELECT count(*)::int AS n FROM beneficiary WHERE account_id = $1', [
      account,
    ]);
    expect(rows).toEqual([{ n: 1 }]);
    await other.stop();
  });

  test('twice is stopping once', async () => {
    const other = await startTestGateway({});
    expect(await Promise.all([other.stopServing(), other.stopServing()])).toEqual([undefined, undefined]);
    await other.stop();
  });
});

test('a port that is taken is told, and nothing is left open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  await expect(startTestGateway({ port })).rejects.toThrow('EADDRINUSE');
  taken.close();
});

/** A line to a server that can be cut, as networks and servers do. */
class Line {
  private readonly sockets = new Set<Socket>();
  private isCut = false;
  private server: Server | undefined;

  async to(url: string): Promise<string> {
    const address = new URL(url);
    const { hostname, port } = address;
    this.server = createServer(near => {
      near.on('error', () => undefined);
      if (this.isCut) {
        near.resume().end();
        return;
      }
      const far = connect(Number(port), hostname).on('error', () => undefined);
      for (const socket of [near, far]) this.sockets.add(socket.on('close', () => this.sockets.delete(socket)));
      near.pipe(far).pipe(near);
    }).listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    address.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return address.href;
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.sockets) socket.end();
  }

  mend(): void {
    this.isCut = false;
  }

  close(): void {
    this.server?.close();
  }
}
