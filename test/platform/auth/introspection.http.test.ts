import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { IntrospectionSettings } from '../../../src/platform/auth/introspection-settings.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { AUDIENCE, ISSUER, Issuer } from './issuer.js';

let issuer: Issuer;
let server: Server;
let refusing: TestGateway;
let accepting: TestGateway;
/** What the issuer says of tokens; null while it is away. */
let says: object | null;
let asked: string[];

beforeAll(async () => {
  issuer = await Issuer.start();
  server = createServer((request, response) => {
    let body = '';
    request.on('data', chunk => (body += String(chunk)));
    request.on('end', () => {
      asked.push(`${request.headers.authorization} ${new URLSearchParams(body).get('token')}`);
      if (says === null) return response.writeHead(500).end();
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(says));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/introspect`;
  const gatewayOf = (changes: Partial<IntrospectionSettings>) => {
    const introspection = {
      url,
      clientId: 'tillgate',
      clientSecret: 'secret',
      cacheSeconds: 30,
      whenAway: 'refuse',
    } as const;
    const auth = { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.jwksUrl };
    return startTestGateway({ auth: { ...auth, introspection: { ...introspection, ...changes } } });
  };
  refusing = await gatewayOf({});
  accepting = await gatewayOf({ whenAway: 'accept', cacheSeconds: 0 });
});
beforeEach(() => {
  says = { active: true };
  asked = [];
});
afterAll(async () => {
  await refusing.stop();
  await accepting.stop();
  await issuer.goDown();
  await new Promise(resolve => server.close(resolve));
});

const statusOf = async (token: string, at = refusing) => (await at.as(token).rest.get('/viewer')).status;

test('the issuer is asked once about a token for many requests, by the client of the gateway', async () => {
  const token = await issuer.sign();
  const statuses = await Promise.all(Array.from({ length: 5 }, () => statusOf(token)));
  expect([...statuses, await statusOf(token)]).toEqual(Array.from({ length: 6 }, () => 200));
  expect(asked).toEqual([`Basic ${Buffer.from('tillgate:secret').toString('base64')} ${token}`]);
});

test('a token that is not active is refused like one that was revoked', async () => {
  says = { active: false };
  const { status, headers } = await refusing.as(await issuer.sign()).rest.get('/viewer');
  expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  expect(refusing.log.join()).toContain('The issuer says that the token is not active.');
});

test('while the issuer is away requests are 503, or go on where the settings say so', async () => {
  const token = await issuer.sign();
  says = null;
  expect([await statusOf(token), await statusOf(token, accepting)]).toEqual([503, 200]);
  says = { active: false };
  expect(await statusOf(await issuer.sign(), accepting)).toBe(401);
});

test('nobody is asked about a token that is not valid', async () => {
  expect(await statusOf(await issuer.sign({ aud: 'other' }))).toBe(401);
  expect(asked).toEqual([]);
});
