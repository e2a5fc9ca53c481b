import { hash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let production: TestGateway;
beforeAll(async () => {
  const auth = { issuer: 'https://issuer.example.test', audience: 'tillgate', jwksUrl: 'http://127.0.0.1:9/keys' };
  [gateway, production] = await Promise.all([
    startTestGateway({ demoData: true }),
    startTestGateway({ production: true, auth, graphql: readConfig({}).graphql }),
  ]);
});
afterAll(async () => {
  await gateway.stop();
  await production.stop();
});

const PAGES = ['/', '/graphql', '/graphiql', '/docs'];
const BROWSER = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

interface RequestOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(
  of: TestGateway,
  path: string,
  { method = 'GET', headers = BROWSER }: RequestOptions = {},
): Promise<Answer> {
  return of.as(null).raw({ method, path, headers: { ...headers } });
}

test.each(PAGES)('%s is for everyone with a browser, and told by HEAD as well', async path => {
  const [page, head] = [await ask(gateway, path), await ask(gateway, path, { method: 'HEAD' })];
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.text).toMatch(/^<!doctype html>/);
  expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'text/html; charset=utf-8', '']);
});

test.each(PAGES)('%s holds a token that works, where the data is invented, and no log has it', async path => {
  const { text } = await ask(gateway, path);
  const token = TOKEN.exec(text)?.[0] ?? '';
  const { data } = await gateway.as(token).graphql('{ accounts { totalCount } }');
  expect(data.accounts.totalCount).toBe(15);
  expect(gateway.log.filter(line => TOKEN.test(line))).toEqual([]);
});

test('/problems is served in production, to programs too, with no script and no token', async () => {
  for (const headers of [BROWSER, { accept: '*/*' }]) {
    const { status, headers: answered, text } = await ask(production, '/problems', { headers });
    expect([status, answered['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(answered['content-security-policy']).toMatch(
      /^default-src 'none';.*style-src 'nonce-[\w-]+';img-src data:$/,
    );
    expect(text).toContain('id="unauthenticated"');
    expect(text).not.toMatch(/<script|eyJ/);
  }
});

test.each(PAGES)('%s holds no token in production', async path => {
  const { status, text } = await ask(production, path);
  expect(status).toBe(200);
  expect(text).not.toMatch(/eyJ|demo-secret/);
});

test('without demo data, or with an issuer of its own, a gateway shows no token', async () => {
  const empty = await startTestGateway();
  for (const path of PAGES) expect((await ask(empty, path)).text).not.toMatch(TOKEN);
  await empty.stop();
});

describe('to whoever is no browser', () => {
  test.each(['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.1, application/json', undefined])(
    '/ is no address, for Accept %s',
    async accept => {
      const headers: Record<string, string> = accept === undefined ? {} : { accept };
      expect((await ask(gateway, '/', { headers })).status).toBe(401);
      const known = await gateway.as(await gateway.caller()).raw({ path: '/', headers });
      expect([known.status, known.body.code]).toEqual([404, 'route_not_found']);
    },
  );

  test.each(['POST', 'PUT', 'DELETE'])('no page answers %s', async method => {
    for (const path of ['/', '/docs', '/graphiql']) expect((await ask(gateway, path, { method })).status).toBe(405);
  });
});

test('a gateway without explorers says so nowhere, and serves none', async () => {
  const { graphql } = readConfig({});
  const quiet = await startTestGateway({ demoData: true, graphql: { ...graphql, explorer: false } });
  const bundle = /src="(\/graphiql\/[^"]+)"/.exec((await ask(gateway, '/graphiql')).text)?.[1] ?? '';
  for (const path of ['/graphql', '/graphiql', bundle]) {
    expect([path, (await ask(quiet, path)).status]).toEqual([path, 401]);
  }
  expect((await ask(quiet, '/')).text).not.toMatch(/graphiql|sandbox/i);
  await quiet.stop();
});

test('the start page of production names what it serves, and nothing that it does not', async () => {
  const { text } = await ask(production, '/');
  const shown = [...text.matchAll(/<code>(?:GET|POST) (\/[^<]*)<\/code>/g)].map(([, path]) => path);
  expect(shown).toEqual(['/graphql', '/openapi.json', '/livez', '/readyz']);
});

test('a host name that is none is not repeated', async () => {
  for (const [of, expected] of [
    [production, 200],
    [gateway, 421],
  ] as const) {
    const { status, text } = await ask(of, '/', { headers: { ...BROWSER, host: 'x"><script>alert(1)</script>' } });
    expect(status).toBe(expected);
    expect(text).not.toContain('alert');
  }
});

describe('the files of the pages', () => {
  const filesOf = async (path: string): Promise<string[]> => [
    ...new Set((await ask(gateway, path)).text.match(/\/(?:docs|graphiql)\/[\w-]{22}\/[\w.]+/g)),
  ];

  test('are packed, and kept by browsers for good', async () => {
    const files = [...(await filesOf('/graphiql')), ...(await filesOf('/docs'))];
    expect(files).toHaveLength(6);
    for (const path of files) {
      const { status, headers, bytes } = await ask(gateway, path);
      expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
      const digest = hash('sha256', gunzipSync(bytes), 'base64url').slice(0, 22);
      expect(path.split('/')[2]).toBe(digest);
      const head = await ask(gateway, path, { method: 'HEAD' });
      expect([head.headers['content-length'], head.text]).toEqual([String(bytes.length), '']);
    }
  });

  test('are the same under every process, so that any of them may be asked', async () => {
    const [file = ''] = await filesOf('/docs');
    expect((await ask(production, file)).status).toBe(200);
  });

  test('are these alone', async () => {
    const [file = ''] = await filesOf('/docs');
    const folder = file.slice(0, file.lastIndexOf('/'));
    for (const path of [
      folder,
      `${folder}/`,
      `${folder}/package.json`,
      `${folder}/../../package.json`,
      `${folder}/..%2f..%2fpackage.json`,
      `${folder}/%2e%2e/reference.js`,
      `/docs/other/reference.js`,
      `/graphiql/${file.split('/')[2]}/reference.js`,
      '/docs/__proto__/constructor',
    ]) {
      expect([path, (await ask(gateway, path)).status]).toEqual([path, 401]);
    }
  });
});
