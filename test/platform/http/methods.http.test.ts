import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { otherPaths } from '../../security/owasp-operations.js';
import { servedBy } from '../../support/served.js';
import { restCode } from '../../support/answers.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';

let gateway: TestGateway;
let token: string;
beforeAll(async () => {
  gateway = await startTestGateway();
  token = await gateway.caller();
});
afterAll(() => gateway.stop());

/** What Express is told, as a path that can be asked for. */
function pathOf(pattern: string): string {
  return pattern.replace(':docType', 'Statements').replace(/:\w+/g, 'x');
}

/** The methods of each path that is served. */
async function methodsByPath(): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  for (const route of await servedBy(gateway).routes()) {
    const [method = '', pattern = ''] = route.split(' ');
    const methods = found.get(pathOf(pattern)) ?? new Set(['OPTIONS']);
    for (const each of method === 'GET' ? ['GET', 'HEAD'] : [method]) methods.add(each);
    found.set(pathOf(pattern), methods);
  }
  for (const path of await otherPaths()) {
    // It is off here, and has tests of its own.
    if (path.startsWith('/console')) continue;
    found.set(pathOf(path), new Set(path === '/oauth/token' ? ['POST', 'OPTIONS'] : ['GET', 'HEAD', 'OPTIONS']));
  }
  // A transfer may have the id `batch`.
  for (const method of found.get('/transfers/x') ?? []) found.get('/transfers/batch')?.add(method);
  return found.set('/graphql', new Set(['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS']));
}

const METHODS = ['GET', 'HEAD', 'POST', 'QUERY', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];

test('a method that a path lacks is refused, and OPTIONS and the refusal say which it has', async () => {
  const served = await methodsByPath();
  expect([...served.keys()]).toEqual(
    expect.arrayContaining([
      '/',
      '/docs',
      '/livez',
      '/readyz',
      '/metrics',
      '/openapi.json',
      '/graphiql',
      '/cards/v1/cards',
    ]),
  );
  for (const [path, methods] of served) {
    for (const method of METHODS) {
      const { status, headers, body, text } = await gateway.as(token).raw({ method, path });
      const allow = headers.allow?.split(', ') ?? [];
      if (method === 'OPTIONS') {
        expect([path, status, text, allow.toSorted()]).toEqual([path, 204, '', [...methods].toSorted()]);
        expect(headers['x-request-id']).toBeDefined();
      } else if (methods.has(method)) {
        expect([path, method, status === 405, allow]).toEqual([path, method, false, []]);
      } else {
        expect([path, method, status, allow.toSorted()]).toEqual([path, method, 405, [...methods].toSorted()]);
        if (method === 'HEAD') continue;
        const { code } = path === '/graphql' ? body.errors[0].extensions : body;
        expect(restCode(code)).toBe('method_not_allowed');
      }
    }
  }
});

test('a method that is not there is a problem that says which are', async () => {
  const { headers, body } = await gateway.as(token).raw({ method: 'PUT', path: '/accounts/a/beneficiaries' });
  expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(body).toMatchObject({
    title: 'The path does not have this method',
    status: 405,
    detail: 'The path supports only the methods GET, HEAD, POST. Use one of them.',
    code: 'method_not_allowed',
  });
});

test('what is behind the token tells its methods to those who are known', async () => {
  for (const path of ['/accounts/a/beneficiaries', '/graphql', '/cards/v1/cards/x']) {
    for (const method of ['PUT', 'OPTIONS']) {
      const { status, headers } = await gateway.as(null).raw({ method, path });
      expect([path, method, status, headers.allow]).toEqual([path, method, 401, undefined]);
    }
  }
});

test('HEAD is answered like GET, without the body', async () => {
  const { account, caller } = await gateway.given.account();
  const query = `/graphql?query=${encodeURIComponent(`{ account(accountId: "${account}") { accountId } }`)}`;
  const headers = { 'apollo-require-preflight': 'true' };
  for (const path of [`/accounts/${account}/beneficiaries`, '/accounts/none/transactions', query]) {
    const get = await gateway.as(caller).raw({ path, headers });
    const head = await gateway.as(caller).raw({ method: 'HEAD', path, headers });
    expect([head.status, head.headers['content-type'], head.text]).toEqual([
      get.status,
      get.headers['content-type'],
      '',
    ]);
  }
});

test('metrics that are not shown to somebody have no methods for that one either', async () => {
  const other = await startTestGateway({ metricsToken: 'm'.repeat(32) });
  for (const method of ['GET', 'POST', 'OPTIONS']) {
    const { status, body } = await other.as(null).raw({ method, path: '/metrics' });
    expect([method, status, body.code]).toEqual([method, 404, 'route_not_found']);
  }
  await other.stop();
});

test('what Node.js would refuse by itself is answered like all else', async () => {
  const ask = (lines: readonly string[]) =>
    gateway.http.sendBytes([...lines, 'Connection: close', '', ''].join('\r\n'));
  const nameless = await ask(['GET /livez HTTP/1.1']);
  expect(nameless).toMatch(/^HTTP\/1\.1 400 .*\r\nContent-Type: application\/problem\+json/s);
  expect(nameless).toContain('"detail":"The header Host is missing. Send the name of the server in it."');
  expect(await ask(['GET /livez HTTP/1.0'])).toMatch(/^HTTP\/1\.1 200 .*{"status":"ok"}$/s);
  expect(await ask(['GET /livez HTTP/1.1', 'Host: x', 'Expect: wonders'])).toMatch(
    /^HTTP\/1\.1 200 .*{"status":"ok"}$/s,
  );
});

describe('paths are exact', () => {
  test.each([
    '/Accounts/{}/beneficiaries',
    '/accounts/{}/Beneficiaries',
    '/accounts/{}/beneficiaries/',
    '//accounts/{}/beneficiaries',
    '/accounts//{}/beneficiaries',
    '/accounts/{}//beneficiaries',
    '/accounts/{}/transactions/',
    '/accounts/{}/TRANSACTIONS',
    '/accounts/{}/statements/',
    '/accounts/{}/owners/add/',
    '/accounts/{}/beneficiaries;v=1',
    '/accounts%2F{}/beneficiaries',
    '/Accounts/{}',
    '/accounts/{}/',
    '/Cards/v1/cards',
    '/cards/V1/cards',
    '/cards/v1/cards/',
    '/accounts/{}/Other/x',
    '/accounts/',
    '/Accounts',
    '/Customers',
    '/LIVEZ',
    '/livez/',
    '/Readyz',
    '/OpenApi.json',
    '/openapi.json/',
    '/Metrics',
    '/metrics/',
    '/OAuth/token',
    '/oauth/token/',
    '/Docs',
    '/docs/',
    '/GraphQL',
    '/graphql/',
    '/GraphiQL',
    '/graphiql/',
  ])('%s is not there, by any method', async pattern => {
    const { account, caller } = await gateway.given.account();
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
      const { status, headers, body } = await gateway
        .as(caller)
        .raw({ method, path: pattern.replace('{}', account), headers: { accept: 'text/html,*/*' } });
      expect([method, status, body.code, headers['content-type']]).toEqual([
        method,
        404,
        'route_not_found',
        'application/problem+json; charset=utf-8',
      ]);
    }
  });

  test('the type of a document is taken in any case, and an id may have a slash', async () => {
    const { account, caller } = await gateway.given.account({ accountId: 'a/b' });
    const { rest } = gateway.as(caller);
    for (const type of ['Statements', 'STATEMENTS', 'statements', '1099']) {
      const { status, body } = await rest.get(`/accounts/${encodeURIComponent(account)}/${type}/none`);
      expect([type, status, body.code]).toEqual([type, 404, 'statement_not_found']);
    }
  });
});
