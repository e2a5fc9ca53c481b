import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { startTestGateway, type Answer, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
let port: string;
beforeAll(async () => {
  gateway = await startTestGateway({ demoData: true });
  port = new URL(gateway.url).port;
});
afterAll(() => gateway.stop());

const PAGES = ['/', '/graphql', '/graphiql', '/docs'];
const TOKEN = /eyJ[\w-]+\.[\w-]+\.[\w-]+/;

function open(path: string, host: string, of = gateway): Promise<Answer> {
  return of.as(null).raw({ path, headers: { host, accept: 'text/html' } });
}

function tokenOf(headers: Record<string, string>): Promise<Answer> {
  return gateway.as(null).raw({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: 'grant_type=client_credentials&client_id=demo&client_secret=demo-secret',
  });
}

test.each(['rebound.example', 'localhost.rebound.example', '127.0.0.1.rebound.example', 'a@b', ''])(
  'no page with a token is given to whoever was led here by the name %j',
  async name => {
    for (const path of PAGES) {
      const { status, text } = await open(path, `${name}:${port}`);
      expect([path, status]).toEqual([path, 421]);
      expect(text).toMatch(/misdirected/i);
      expect(text).not.toMatch(TOKEN);
      expect(text).not.toContain('rebound.example');
    }
  },
);

test.each(['localhost', 'LOCALHOST', 'bank.localhost', '127.0.0.1', '127.8.9.1', '[::1]', '192.168.7.8'])(
  'every page is at %s',
  async name => {
    for (const path of PAGES) {
      const { status, text } = await open(path, `${name}:${port}`);
      expect([path, status, TOKEN.test(text)]).toEqual([path, 200, true]);
    }
  },
);

test('a page that was led here by another name gets no token of the development issuer, and a program does', async () => {
  const host = `rebound.example:${port}`;
  const refused = await tokenOf({ host, origin: `http://${host}` });
  expect([refused.status, refused.body.code]).toEqual([421, 'misdirected']);
  expect((await tokenOf({ host: 'gateway:4000' })).status).toBe(200);
  expect((await tokenOf({ host: `localhost:${port}`, origin: `http://localhost:${port}` })).status).toBe(200);
});

test('pages that hold no token are at every name, since proxies have names', async () => {
  const auth = { issuer: 'https://issuer.example.test', audience: 'tillgate', jwksUrl: 'http://127.0.0.1:9/keys' };
  const production = await startTestGateway({ production: true, auth, graphql: readConfig({}).graphql });
  for (const path of PAGES) {
    const { status, text } = await open(path, 'bank.example', production);
    expect([path, status, TOKEN.test(text)]).toEqual([path, 200, false]);
  }
  await production.stop();
});

test('a gateway that others can reach says at its start that they are given tokens', async () => {
  const warned = ({ log }: TestGateway) => log.filter(line => line.includes('the development issuer gives tokens'));
  const wide = await startTestGateway({ host: '0.0.0.0' });
  await wide.stop();
  expect(warned(wide)).toHaveLength(1);
  expect(JSON.parse(warned(wide)[0] as string)).toMatchObject({
    msg: expect.stringContaining('Let nobody else reach the port'),
  });
  expect(warned(gateway)).toEqual([]);
});
