import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import * as openid from 'openid-client';
import { readConfig } from '../../../src/app/config.js';
import { startTestGateway, type TestGateway } from '../../support/gateway.js';
import { CERTIFICATE, DPOP_CLIENT, RealIssuer, SECRET, TLS_CLIENT } from './real-issuer.js';

const AUDIENCE = 'https://tillgate.bank.example';
const SCOPE = 'transactions.read';
const fileIn = (name: string) => fileURLToPath(new URL(`../../security/http/${name}`, import.meta.url));
const [CERT_FILE, KEY_FILE] = [fileIn('localhost.cert.pem'), fileIn('localhost.key.pem')];

let issuer: RealIssuer;
let plain: TestGateway;
let tls: TestGateway;
beforeAll(async () => {
  issuer = await RealIssuer.start(AUDIENCE, SCOPE);
  const settings = {
    AUTH_ISSUER: issuer.url,
    AUTH_AUDIENCE: AUDIENCE,
    AUTH_JWKS_URL: `${issuer.url}/jwks`,
    AUTH_CLIENT_PROGRAMS: JSON.stringify({ [DPOP_CLIENT]: 'demo', [TLS_CLIENT]: 'demo' }),
    AUTH_PROGRAM_WIDE_CLIENTS: `${DPOP_CLIENT},${TLS_CLIENT}`,
    AUTH_SENDER_CONSTRAINED: 'require',
  };
  plain = await startTestGateway({ auth: readConfig({ ...settings, AUTH_DPOP_NONCE: 'true' }).auth });
  const config = readConfig({
    ...settings,
    AUTH_CLIENT_CERTIFICATE: 'tls',
    TLS_CERT: CERT_FILE,
    TLS_KEY: KEY_FILE,
  });
  tls = await startTestGateway({ auth: config.auth, tls: config.tls });
});
afterAll(async () => {
  await plain.stop();
  await tls.stop();
  await issuer.goDown();
});

function configurationOf(clientId: string): Promise<openid.Configuration> {
  // oxlint-disable-next-line typescript/no-deprecated -- marked as such only to make it stand out
  const execute = [openid.allowInsecureRequests];
  return openid.discovery(new URL(issuer.url), clientId, SECRET, openid.ClientSecretBasic(SECRET), { execute });
}

test('a client that nobody here wrote uses a token that is bound to its key, with nonces, and a thief cannot', async () => {
  const configuration = await configurationOf(DPOP_CLIENT);
  const handle = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair());
  const order = { scope: SCOPE, resource: AUDIENCE };
  const { access_token: token, token_type: type } = await openid.clientCredentialsGrant(configuration, order, {
    DPoP: handle,
  });
  expect(type).toBe('dpop');
  const { account } = await plain.given.account({ program: 'demo' });
  const url = new URL(`/accounts/${account}/transactions`, plain.url);
  const ask = (DPoP: openid.DPoPHandle) =>
    openid.fetchProtectedResource(configuration, token, url, 'GET', undefined, undefined, { DPoP });
  for (let count = 0; count < 3; count++) expect((await ask(handle)).status).toBe(200);

  expect((await plain.as(token).rest.get(url.pathname)).status).toBe(401);
  const thief = openid.getDPoPHandle(configuration, await openid.randomDPoPKeyPair());
  const stolen = await ask(thief).catch((error: unknown) => error);
  expect(stolen).toMatchObject({
    status: 401,
    cause: expect.arrayContaining([
      expect.objectContaining({ parameters: expect.objectContaining({ error: 'invalid_dpop_proof' }) }),
    ]),
  });
});

test('a token that is bound to a certificate is accepted on a connection with that certificate alone', async () => {
  const configuration = await configurationOf(TLS_CLIENT);
  const [cert, key] = [await readFile(CERT_FILE), await readFile(KEY_FILE)];
  configuration[openid.customFetch] = (url, options) =>
    fetch(url, {
      ...(options as RequestInit),
      headers: { ...options.headers, [CERTIFICATE]: encodeURIComponent(cert.toString()) },
    });
  const order = { scope: SCOPE, resource: AUDIENCE };
  const { access_token: token } = await openid.clientCredentialsGrant(configuration, order);
  const { account } = await tls.given.account({ program: 'demo' });
  const statusWith = (client: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const url = new URL(`/accounts/${account}/transactions`, tls.url);
      const headers = { authorization: `Bearer ${token}` };
      request(url, { ca: cert, checkServerIdentity: () => undefined, agent: false, headers, ...client }, answer => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
  expect(await statusWith({ cert, key })).toBe(200);
  expect(await statusWith({})).toBe(401);
});
