import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { PROGRAM_WIDE, SCOPES } from '../../../src/shared/caller.js';
import { Bearer } from '../../../src/platform/auth/bearer.js';
import { DevIssuer } from '../../../src/platform/auth/dev-issuer.js';
import { defaultScopes } from '../../../src/platform/auth/token-endpoint.js';
import { CUSTOMER } from './issuer.js';

let folder: string;
let issuer: DevIssuer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillgate-issuer-'));
  issuer = await DevIssuer.open(folder);
});
afterAll(() => rm(folder, { recursive: true }));

const DEMO = { grant_type: 'client_credentials', client_id: 'demo', client_secret: 'demo-secret' };
const ask = (form: Record<string, string> | string, authorization?: string) =>
  issuer.token({ authorization, form: new URLSearchParams(form) });
const basic = (credentials: string) => `Basic ${Buffer.from(credentials).toString('base64')}`;

test('a signed token is an access token of RFC 9068 that the gateway accepts', async () => {
  const token = await issuer.sign({
    program: 'acme',
    clientId: 'cli',
    subject: 'me',
    scope: 'cards.read',
    customerId: CUSTOMER,
    ttlSeconds: 60,
  });
  expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) });
  const claims = decodeJwt(token);
  expect(claims).toMatchObject({ iss: 'tillgate-dev', aud: 'tillgate', sub: 'me', jti: expect.any(String) });
  expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(60);
  expect(await new Bearer(issuer).verify(`Bearer ${token}`)).toEqual({
    program: 'acme',
    clientId: 'cli',
    subject: 'me',
    customerId: CUSTOMER,
    scopes: new Set(['cards.read']),
    expiresAtMs: (claims.exp ?? 0) * 1000,
    token: { tokenId: claims.jti, issuedAtMs: (claims.iat ?? 0) * 1000, binding: null },
  });
});

test('the key is kept for its owner alone, so tokens outlive a restart', async () => {
  const token = await issuer.sign({ program: 'demo', clientId: 'demo', subject: 'demo', scope: '', ttlSeconds: 60 });
  const restarted = await DevIssuer.open(folder);
  expect(await new Bearer(restarted).verify(`Bearer ${token}`)).toMatchObject({ program: 'demo' });
  expect((await stat(join(folder, 'issuer-key.json'))).mode & 0o777).toBe(0o600);
});

test('issuers that start at once share one key', async () => {
  const dataDir = join(folder, 'together');
  const issuers = await Promise.all(Array.from({ length: 10 }, () => DevIssuer.open(dataDir)));
  const tokens = await Promise.all(
    issuers.map(each => each.sign({ program: 'demo', clientId: 'c', subject: 's', scope: '', ttlSeconds: 60 })),
  );
  expect(new Set(tokens.map(token => decodeProtectedHeader(token).kid)).size).toBe(1);
  expect(await readdir(dataDir)).toEqual(['issuer-key.json']);
});

test.each(['', '{}', '{"kty":"EC"', '{"kty":"oct","k":"c2VjcmV0"}'])(
  'a key file that holds %s is refused with advice',
  async text => {
    const dataDir = await mkdtemp(join(folder, 'broken-'));
    await writeFile(join(dataDir, 'issuer-key.json'), text);
    await expect(DevIssuer.open(dataDir)).rejects.toThrow('delete the file');
  },
);

test('a client gets a token for its secret', async () => {
  const { status, headers, body } = await ask(DEMO);
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store' });
  expect(body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: defaultScopes(null),
  });
  const identity = await new Bearer(issuer).verify(`Bearer ${'access_token' in body ? body.access_token : ''}`);
  expect(identity).toEqual({
    program: 'demo',
    clientId: 'demo',
    subject: 'demo',
    customerId: null,
    scopes: new Set(SCOPES.filter(scope => scope !== 'pii.read')),
    expiresAtMs: expect.any(Number),
    token: { tokenId: expect.any(String), issuedAtMs: expect.any(Number), binding: null },
  });
});

test('a token can be asked for one customer, and then does not operate the program', async () => {
  const { body } = await ask({
    grant_type: 'client_credentials',
    client_id: 'acme',
    client_secret: 'acme-secret',
    customer_id: CUSTOMER.toUpperCase(),
  });
  const { program, customerId, subject, scopes } = await new Bearer(issuer).verify(
    `Bearer ${'access_token' in body ? body.access_token : ''}`,
  );
  expect({ program, customerId, subject }).toEqual({ program: 'acme', customerId: CUSTOMER, subject: CUSTOMER });
  expect(scopes).toEqual(new Set(SCOPES.filter(scope => scope !== 'pii.read' && !PROGRAM_WIDE.has(scope))));
});

test('a client can ask for fewer scopes, and for whole government ids by name only', async () => {
  expect((await ask({ ...DEMO, scope: 'pii.read  cards.read cards.read' })).body).toMatchObject({
    scope: 'pii.read cards.read',
  });
  expect((await ask({ ...DEMO, scope: '' })).body).toMatchObject({ scope: defaultScopes(null) });
});

test('a client may say who it is by HTTP Basic, form-encoded', async () => {
  for (const authorization of [basic('demo:demo-secret'), basic('demo:demo%2Dsecret').replace('Basic', 'basic')]) {
    expect(await ask({ grant_type: 'client_credentials' }, authorization)).toMatchObject({ status: 200 });
  }
  expect(await ask({ grant_type: 'client_credentials', client_id: 'demo' }, basic('demo:demo-secret'))).toMatchObject({
    status: 200,
  });
});

test.each<[string, Record<string, string>, string | undefined]>([
  ['a wrong secret', { ...DEMO, client_secret: 'wrong-value' }, undefined],
  ["another client's secret", { ...DEMO, client_secret: 'acme-secret' }, undefined],
  ['an unknown client', { ...DEMO, client_id: 'wrong-value' }, undefined],
  ['an unknown client without a secret', { ...DEMO, client_id: 'wrong-value', client_secret: '' }, undefined],
  ['no client', { grant_type: 'client_credentials' }, undefined],
  ['a wrong secret in the header', { grant_type: 'client_credentials' }, basic('demo:wrong-value')],
  ['a header without a colon', { grant_type: 'client_credentials' }, basic('wrong-value')],
  ['a header with a broken escape', { grant_type: 'client_credentials' }, basic('demo:%zz')],
  ['another scheme', { grant_type: 'client_credentials' }, 'Bearer wrong-value'],
])('%s is refused as invalid_client', async (_what, form, authorization) => {
  const { status, headers, body } = await ask(form, authorization);
  expect({ status, body }).toEqual({
    status: 401,
    body: { error: 'invalid_client', error_description: expect.any(String) },
  });
  expect(headers).toMatchObject({
    'Cache-Control': 'no-store',
    'WWW-Authenticate': expect.stringMatching(/^Basic realm=/),
  });
  expect(JSON.stringify(body)).not.toContain('wrong-value');
});

test.each<[string, string, Record<string, string> | string, string | undefined]>([
  ['no grant type', 'invalid_request', { client_id: 'demo', client_secret: 'demo-secret' }, undefined],
  ['another grant type', 'unsupported_grant_type', { ...DEMO, grant_type: 'wrong-value' }, undefined],
  ['an unknown scope', 'invalid_scope', { ...DEMO, scope: 'cards.read wrong-value' }, undefined],
  ['a customer that is no UUID', 'invalid_request', { ...DEMO, customer_id: 'wrong-value' }, undefined],
  [
    'a repeated parameter',
    'invalid_request',
    `${new URLSearchParams(DEMO).toString()}&scope=cards.read&scope=wrong-value`,
    undefined,
  ],
  ['two ways to say who the client is', 'invalid_request', DEMO, basic('demo:demo-secret')],
  [
    'two clients',
    'invalid_request',
    { grant_type: 'client_credentials', client_id: 'acme' },
    basic('demo:demo-secret'),
  ],
])('%s is refused as %s', async (_what, error, form, authorization) => {
  const { status, headers, body } = await ask(form, authorization);
  expect({ status, body }).toEqual({ status: 400, body: { error, error_description: expect.any(String) } });
  expect(headers).toMatchObject({ 'Cache-Control': 'no-store' });
  expect(JSON.stringify(body)).not.toContain('wrong-value');
});
