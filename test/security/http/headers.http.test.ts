import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type Answer, type TestGateway } from '../../support/gateway.js';
import { restCode } from '../../support/answers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const POLICY = "default-src 'none';frame-ancestors 'none'";
const DATA_HEADERS = {
  'content-security-policy': POLICY,
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
};

test('every answer lets a browser do nothing with it, whatever becomes of the request', async () => {
  const { caller, account } = await gateway.given.beneficiary();
  const client = gateway.as(caller);
  const answers: Pick<Answer, 'headers' | 'status'>[] = [
    await client.rest.get(`/accounts/${account}/beneficiaries`),
    await client.rest.get('/livez'),
    await client.rest.get('/nothing'),
    await gateway.as(null).rest.get('/nothing'),
    await client.graphql(`{ account(accountId: "${account}") { accountId } }`),
    await client.graphql('{'),
    await gateway.as(null).graphql('{ __typename }'),
    await client.raw({ path: `/${'x'.repeat(9000)}` }),
    await client.raw({ path: `/graphql?query=${'x'.repeat(9000)}` }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 401, 200, 400, 401, 414, 414]);
  for (const { headers } of answers) {
    expect(headers).toMatchObject(DATA_HEADERS);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  const broken = await gateway.http.sendBytes('NONSENSE\r\n\r\n');
  for (const [name, value] of Object.entries(DATA_HEADERS)) {
    expect(broken.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase());
  }
});

test.each(['/', '/graphql', '/graphiql', '/docs'])(
  'the page %s runs its own scripts alone, by a nonce of the answer',
  async path => {
    const ask = () => gateway.as(null).raw({ path, headers: { accept: 'text/html' } });
    const { status, text, headers } = await ask();
    const policy = new Map(
      String(headers['content-security-policy'])
        .split(';')
        .map(directive => [directive.split(' ')[0], directive.split(' ').slice(1)]),
    );
    const nonceOf = (html: string): string => /<script[^>]* nonce="([\w-]+)"/.exec(html)?.[1] ?? 'none';
    const nonce = nonceOf(text);
    expect([status, nonce.length]).toEqual([200, 22]);
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'cache-control': 'no-store',
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    });
    expect(nonceOf((await ask()).text)).not.toBe(nonce);
    for (const [tag] of text.matchAll(/<script[^>]*>/g)) expect(tag).toContain(`nonce="${nonce}"`);
    expect(text).not.toMatch(/ on[a-z]+=|javascript:/i);
    for (const directive of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(policy.get(directive)).toEqual(["'none'"]);
    }
    expect(policy.get('script-src')?.filter(source => source !== "'self'")).toEqual([`'nonce-${nonce}'`]);
    const elsewhere = [...policy].filter(([, sources]) => sources.some(source => /^https?:|\*/.test(source)));
    expect(elsewhere).toEqual(path === '/graphql' ? [['frame-src', ['https://sandbox.embed.apollographql.com']]] : []);
  },
);

describe('limits', () => {
  const problem = (answer: Answer) => [
    answer.status,
    answer.body.code ?? restCode(answer.body.errors[0].extensions.code),
  ];

  test('an address of 8 KiB is served, a longer one is told to be too long, over GraphQL and REST', async () => {
    const caller = await gateway.caller();
    const query = '{__typename}';
    const filled = (path: string, characters: number) =>
      path +
      ' '
        .repeat(characters - path.length)
        .replaceAll(' ', '%20')
        .slice(0, characters - path.length);
    const graphqlGet = (characters: number) =>
      gateway.as(caller).raw({
        path: filled(`/graphql?query=${encodeURIComponent(query)}&x=`, characters),
        headers: { 'apollo-require-preflight': 'true' },
      });
    expect((await graphqlGet(8192)).status).toBe(200);
    expect(problem(await graphqlGet(8193))).toEqual([414, 'uri_too_long']);
    expect(problem(await gateway.as(caller).raw({ path: `/${'x'.repeat(8191)}` }))).toEqual([404, 'route_not_found']);
    const long = await gateway.as(caller).raw({ path: `/${'CANARY'.repeat(1500)}` });
    expect(problem(long)).toEqual([414, 'uri_too_long']);
    expect(gateway.log.filter(line => line.includes('"status":414') && line.length > 20_000)).toEqual([]);
  });

  test('headers of more than 16 KiB are refused', async () => {
    const answer = await gateway.http.sendBytes(`GET /livez HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(17_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('a refusal of a small body that nobody read keeps the connection, one of a large body ends it', async () => {
    const ask = (bytes: number) =>
      gateway.as(null).raw({ method: 'POST', path: '/accounts/a/beneficiaries', body: Buffer.alloc(bytes, 0x20) });
    const [small, large] = [await ask(1000), await ask(100_000)];
    expect([small.status, small.headers.connection]).toEqual([401, 'keep-alive']);
    expect([large.status, large.headers.connection]).toEqual([401, 'close']);
  });

  test('what follows on a connection after a refusal is a request of its own', async () => {
    const body = 'GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
    const answer = await gateway.http.sendBytes(
      `POST /accounts/a/beneficiaries HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['401', '200']);
  });
});
