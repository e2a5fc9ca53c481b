import { createHmac, hash, randomUUID, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { base64url, type JWTPayload } from 'jose';
import { WebSocket } from 'ws';
import { invalidToken } from '../../../src/platform/auth/token-profile.js';
import { verifyProof } from '../../../src/platform/auth/dpop-proof.js';
import type { PossessionSettings } from '../../../src/platform/auth/possession-settings.js';
import { wwwAuthenticate } from '../../../src/platform/auth/challenge.js';
import type { Config } from '../../../src/app/config.js';
import { passSeconds, passSecondsWith, realTimeWith } from '../../support/clock.js';
import { startTestGateway, type Answer, type TestGateway } from '../../support/gateway.js';
import { MULTIPART, POSTED } from '../graphql/subscriptions/listening.js';
import { AUDIENCE, ISSUER, Issuer, nowSeconds } from './issuer.js';
import { athOf, TokenHolder, type ProofOrder } from './token-holder.js';
import type * as Inside from './possession.inside.js';

const CERTIFICATES = new URL('../../security/http/', import.meta.url);
const ACCEPTING: PossessionSettings = { mode: 'accept', requiresNonce: false, certificates: 'proxy' };
const PATH = '/accounts/any/beneficiaries';

let issuer: Issuer;
let holder: TokenHolder;
let other: TokenHolder;
let gateway: TestGateway;
/** Bound to the key of `holder`. */
let token: string;
beforeAll(async () => {
  issuer = await Issuer.start();
  [holder, other] = [await TokenHolder.make(), await TokenHolder.make()];
  gateway = await gatewayOf(ACCEPTING, { trustedProxies: ['127.0.0.1'] });
  token = await bound();
});
afterEach(() => realTimeWith(gateway));
afterAll(async () => {
  await gateway.stop();
  await issuer.goDown();
});

function gatewayOf(possession: PossessionSettings, more: Partial<Config> = {}): Promise<TestGateway> {
  return startTestGateway({
    auth: { issuer: ISSUER, audience: AUDIENCE, jwksUrl: issuer.jwksUrl, possession },
    ...more,
  });
}

function bound(cnf: object = { jkt: holder.thumbprint }): Promise<string> {
  return issuer.sign({ cnf });
}

/** A GET of REST, which is 403 for a token that is let in: it has no scope for it. */
function ask(proof: string | undefined, scheme = 'DPoP', of = token, at = gateway): Promise<Answer> {
  const headers = { authorization: `${scheme} ${of}`, ...(proof !== undefined && { dpop: proof }) };
  return at.http.send({ path: PATH, headers });
}

function proofFor(order: Partial<ProofOrder> = {}, by = holder, at = gateway): Promise<string> {
  return by.proof({ token, url: `${at.url}${PATH}`, ...order });
}

const claims = (changes: JWTPayload) => () => proofFor({ claims: changes });
const header = (changes: ProofOrder['header']) => () => proofFor({ ...(changes && { header: changes }) });
const part = (value: unknown) => base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));

/** A proof of which the parts are these, with a signature that does not matter. */
async function ofParts(head: unknown, payload: unknown): Promise<string> {
  const [, , signature = ''] = (await proofFor()).split('.');
  return `${part(head)}.${part(payload)}.${signature}`;
}

const goodClaims = () => ({
  jti: randomUUID(),
  htm: 'GET',
  htu: `${gateway.url}${PATH}`,
  iat: nowSeconds(),
  ath: athOf(token),
});

async function withSecret(): Promise<string> {
  const text = `${part({ typ: 'dpop+jwt', alg: 'HS256', jwk: holder.jwk })}.${part(goodClaims())}`;
  return `${text}.${createHmac('sha256', JSON.stringify(holder.jwk)).update(text).digest('base64url')}`;
}

/** Each is 401 with `invalid_dpop_proof`. */
const BAD_PROOFS: Record<string, () => Promise<string | undefined>> = {
  'that is missing': async () => undefined,
  'that is empty': async () => '',
  'that is no JWT': async () => 'proof',
  'in five parts': async () => `${await proofFor()}.a.b`,
  'of more than 8 KiB': claims({ padding: 'x'.repeat(8 * 1024) }),
  'beside another one': async () => `${await proofFor()}, ${await proofFor()}`,
  'of the type JWT': header({ typ: 'JWT' }),
  'of the type at+jwt': header({ typ: 'at+jwt' }),
  'of no type': header({ typ: undefined }),
  'that is signed by nobody': () => ofParts({ typ: 'dpop+jwt', alg: 'none', jwk: holder.jwk }, goodClaims()),
  'signed by HS256 with the public key': withSecret,
  'of an algorithm that is not accepted': async () => proofFor({}, await TokenHolder.make('ES384')),
  'without a key': header({ jwk: undefined }),
  'with a key that is a text': header({ jwk: 'key' }),
  'with a private key': () => proofFor({ header: { jwk: holder.privateJwk } }),
  'with a symmetric key': header({ jwk: { kty: 'oct', k: 'c2VjcmV0' } }),
  'with the key of somebody else': () => proofFor({ header: { jwk: other.jwk } }),
  'with a key for encryption': () => proofFor({ header: { jwk: { ...holder.jwk, use: 'enc' } } }),
  'with an extension that must be understood': () =>
    ofParts({ typ: 'dpop+jwt', alg: 'ES256', jwk: holder.jwk, crit: ['x'], x: 1 }, goodClaims()),
  'of somebody else': () => proofFor({}, other),
  'with the payload of another': async () => {
    const [head, , signature] = (await proofFor()).split('.');
    return `${head}.${part({ ...goodClaims(), jti: 'other' })}.${signature}`;
  },
  'without its signature': async () => (await proofFor()).replace(/[^.]+$/, ''),
  'without a jti': claims({ jti: undefined }),
  'with an empty jti': claims({ jti: '' }),
  'with a jti of 513 characters': claims({ jti: 'x'.repeat(513) }),
  'with a jti that is a number': claims({ jti: 1 as never }),
  'without an htm': claims({ htm: undefined }),
  'for another method': claims({ htm: 'POST' }),
  'for the method in small letters': claims({ htm: 'get' }),
  'without an htu': claims({ htu: undefined }),
  'for another host': claims({ htu: `https://gateway.bank.example${PATH}` }),
  'for another path': async () => proofFor({ url: `${gateway.url}/accounts/other/beneficiaries` }),
  'for another scheme': async () => proofFor({ url: `${gateway.url}${PATH}`.replace('http:', 'https:') }),
  'for a path alone': claims({ htu: PATH }),
  'for an address with a user': async () => proofFor({ url: `${gateway.url}${PATH}`.replace('//', '//user@') }),
  'without an iat': claims({ iat: undefined }),
  'that is 71 seconds old': () => proofFor({ claims: { iat: nowSeconds() - 71 } }),
  'of 15 seconds in the future': () => proofFor({ claims: { iat: nowSeconds() + 15 } }),
  'that was made at a text': claims({ iat: 'now' as never }),
  'that has expired': () => proofFor({ claims: { exp: nowSeconds() - 60 } }),
  'without an ath': claims({ ath: undefined }),
  'for another token': claims({ ath: athOf('other') }),
  'with the token itself for its hash': async () => proofFor({ claims: { ath: token } }),
  'with a claim twice': () => holder.proofOf(JSON.stringify(goodClaims()).replace(/\}$/, ',"htm":"GET"}')),
  'of which the claims are a list': () => holder.proofOf('[]'),
};

describe('a token that is bound to a key', () => {
  test('is let in with a proof, over REST and GraphQL, by POST and by GET', async () => {
    expect((await ask(await proofFor())).status).toBe(403);
    const url = `${gateway.url}/graphql`;
    const asked = { authorization: `dpop ${token}`, 'content-type': 'application/json' };
    const posted = await gateway.http.send({
      method: 'POST',
      path: '/graphql',
      headers: { ...asked, dpop: await proofFor({ url, method: 'POST' }) },
      body: { query: '{ __typename }' },
    });
    const got = await gateway.http.send({
      path: '/graphql?query=%7B__typename%7D',
      headers: { ...asked, dpop: await proofFor({ url }) },
    });
    expect([posted.body, got.body]).toEqual([{ data: { __typename: 'Query' } }, { data: { __typename: 'Query' } }]);
  });

  test.each(['ES256', 'PS256', 'EdDSA', 'RS256'])('can be bound to a key for %s', async alg => {
    const by = await TokenHolder.make(alg);
    const own = await bound({ jkt: by.thumbprint });
    expect((await ask(await proofFor({ token: own }, by), 'DPoP', own)).status).toBe(403);
  });

  test('opens a stream with a proof of its request, and gets none without', async () => {
    const { account } = await gateway.given.account({ program: 'acme' });
    const subscriber = await issuer.sign({ cnf: { jkt: holder.thumbprint }, scope: 'transactions.read' });
    const open = (dpop?: string) =>
      new Promise<string>((resolve, reject) => {
        const headers = {
          authorization: `DPoP ${subscriber}`,
          accept: MULTIPART,
          'content-type': 'application/json',
          ...(dpop !== undefined && { dpop }),
        };
        const outgoing = http.request(`${gateway.url}/graphql`, { method: 'POST', headers, agent: false }, answer => {
          resolve(`${answer.statusCode} ${answer.headers['content-type']?.split(';')[0]}`);
          outgoing.destroy();
        });
        outgoing.on('error', reject).end(JSON.stringify({ query: POSTED, variables: { account } }));
      });
    const proof = await holder.proof({ token: subscriber, url: `${gateway.url}/graphql`, method: 'POST' });
    expect([await open(proof), await open(proof), await open()]).toEqual([
      '200 multipart/mixed',
      '401 application/json',
      '401 application/json',
    ]);
  });

  test('may have an address in another form, and one with a query', async () => {
    const url = `${gateway.url}${PATH}`;
    for (const htu of [`${url}?limit=1#top`, url.replace('any', '%61ny'), url.replace('http', 'HTTP')]) {
      expect((await ask(await proofFor({ claims: { htu } }))).status).toBe(403);
    }
  });

  test.each(Object.keys(BAD_PROOFS))('is refused with a proof %s', async what => {
    const { status, headers, body, text } = await ask(await BAD_PROOFS[what]?.());
    expect([status, body.code]).toEqual([401, 'unauthenticated']);
    expect(headers['www-authenticate']).toMatch(
      /^Bearer realm="tillgate", DPoP realm="tillgate", error="invalid_dpop_proof", error_description="[\x20-\x21\x23-\x5b\x5d-\x7e]+", algs="ES256 PS256 EdDSA RS256"$/,
    );
    expect(text).not.toContain(token);
  });

  test.each([
    ['the origin of the settings', 'https://gateway.bank.example', 'https://gateway.bank.example'],
    ['the origin of the target', null, 'http://gateway.example:8443'],
  ])('may be sent to an absolute target (RFC 9112, 3.2.2), of which %s counts', async (_what, publicUrl, origin) => {
    const at = await gatewayOf(ACCEPTING, { publicUrl });
    const target = `http://gateway.example:8443${PATH}?limit=1`;
    const sent = async (url: string, path = target) => {
      const headers = { authorization: `DPoP ${token}`, dpop: await proofFor({ url }), host: 'other.example' };
      return (await at.http.send({ path, headers })).status;
    };
    expect(await sent(`${origin}${PATH}`)).toBe(403);
    for (const wrong of [`http://other.example${PATH}`, `${origin}${target}`]) expect(await sent(wrong)).toBe(401);
    // What begins with two slashes is a path.
    const path = `//gateway.example${PATH}`;
    expect(await sent(`${publicUrl ?? 'http://other.example'}${path}`, path)).toBe(404);
    await at.stop();
  });

  test('there are at least 40 bad proofs', () => {
    expect(Object.keys(BAD_PROOFS).length).toBeGreaterThanOrEqual(40);
  });

  test('is of no use to a thief who sends it as a plain one, with and without a stolen proof', async () => {
    for (const proof of [undefined, await proofFor()]) {
      const { status, headers } = await ask(proof, 'Bearer');
      expect([status, headers['www-authenticate']]).toEqual([
        401,
        `Bearer realm="tillgate", error="invalid_token", error_description="The access token is bound to a key. Send it as \`Authorization: DPoP <token>\`, with a proof in the header DPoP.", DPoP realm="tillgate", algs="ES256 PS256 EdDSA RS256"`,
      ]);
    }
  });

  test('needs a proof of its own for each request, in all processes', async () => {
    const at = await gatewayOf(
      { mode: 'require', requiresNonce: false, certificates: 'none' },
      {
        databaseUrl: gateway.databaseUrl,
        publicUrl: gateway.url,
      },
    );
    const proofs = await Promise.all(Array.from({ length: 4 }, () => proofFor()));
    const used = async (proof: string) =>
      (await Promise.all([ask(proof), ask(proof), ask(proof, 'DPoP', token, at)])).map(({ status }) => status);
    for (const proof of proofs) expect((await used(proof)).filter(status => status === 401)).toHaveLength(2);
    const { rows } = await gateway.sql.query('SELECT proof_hash FROM dpop_proof WHERE ends_at > now()');
    expect(rows.length).toBeGreaterThanOrEqual(4);
    await gateway.sql.query(`UPDATE dpop_proof SET ends_at = now() - interval '1 second'`);
    expect(await gateway.module<typeof Inside>('test/platform/auth/possession').sweepProofs()).toBe(rows.length);

    const plain = await ask(undefined, 'Bearer', await issuer.sign(), at);
    expect([plain.status, plain.headers['www-authenticate']]).toEqual([
      401,
      `DPoP realm="tillgate", error="invalid_token", error_description="The access token is not bound to a key. Get a token that is bound by DPoP or by a certificate.", algs="ES256 PS256 EdDSA RS256", resource_metadata="${gateway.url}/.well-known/oauth-protected-resource"`,
    ]);
    expect((await at.as(null).rest.get('/.well-known/oauth-protected-resource')).body).toMatchObject({
      resource: gateway.url,
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      dpop_bound_access_tokens_required: true,
      tls_client_certificate_bound_access_tokens: false,
    });
    await at.stop();
  });

  test('needs the nonce of the gateway where the settings say so', async () => {
    const at = await gatewayOf(
      { ...ACCEPTING, requiresNonce: true },
      {
        databaseUrl: gateway.databaseUrl,
      },
    );
    const first = await ask(await proofFor({}, holder, at), 'DPoP', token, at);
    expect(first.status).toBe(401);
    expect(first.headers['www-authenticate']).toContain('DPoP realm="tillgate", error="use_dpop_nonce"');
    const nonce = first.headers['dpop-nonce'];
    const second = await ask(await proofFor({ claims: { nonce } }, holder, at), 'DPoP', token, at);
    expect([second.status, second.headers['dpop-nonce']]).toEqual([403, nonce]);
    await passSecondsWith(at, 301);
    const third = await ask(await proofFor({ claims: { nonce } }, holder, at), 'DPoP', token, at);
    expect(third.status).toBe(403);
    expect(third.headers['dpop-nonce']).not.toBe(nonce);
    await passSecondsWith(at, 601);
    const late = await ask(await proofFor({ claims: { nonce } }, holder, at), 'DPoP', token, at);
    expect([late.status, late.headers['www-authenticate']]).toEqual([401, expect.stringContaining('use_dpop_nonce')]);
    await at.stop();
  });

  test('opens a WebSocket with a proof of the request that opened it, and no second one', async () => {
    const proof = await proofFor({ url: `${gateway.url}/graphql` });
    const first = (dpop: string | undefined) =>
      new Promise<string>((resolve, reject) => {
        const socket = new WebSocket(gateway.url.replace('http', 'ws') + '/graphql', 'graphql-transport-ws');
        socket.on('open', () =>
          socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: `DPoP ${token}`, dpop } })),
        );
        socket.on('message', (data: Buffer) => (resolve(data.toString()), socket.close()));
        socket.on('close', code => resolve(String(code)));
        socket.on('error', reject);
      });
    expect(await first(proof)).toBe('{"type":"connection_ack"}');
    expect([await first(proof), await first(undefined)]).toEqual(['4403', '4403']);
  });
});

test('a token that is not bound is sent as a plain one, and not by DPoP', async () => {
  const plain = await issuer.sign();
  expect((await ask(undefined, 'Bearer', plain)).status).toBe(403);
  expect((await ask(await proofFor({ token: plain }), 'DPoP', plain)).status).toBe(401);
});

test.each([{}, { jkt: 'short' }, { jkt: null }, { kid: 'key' }, 'text', null, []])(
  'a token with the binding %j, which nobody can check, is refused',
  async cnf => {
    expect((await ask(undefined, 'Bearer', await issuer.sign({ cnf }))).status).toBe(401);
  },
);

describe('a token that is bound to a certificate', () => {
  let der: Buffer;
  let stranger: Buffer;
  let own: string;
  const sent = (bytes: Buffer) => `:${bytes.toString('base64')}:`;
  beforeAll(async () => {
    der = new X509Certificate(await readFile(new URL('localhost.cert.pem', CERTIFICATES))).raw;
    stranger = Buffer.from(OF_RFC_9440, 'base64');
    own = await bound({ 'x5t#S256': hash('sha256', der, 'base64url') });
  });

  const askWith = (certificate: string | readonly string[] | undefined, scheme = 'Bearer') =>
    gateway.http.send({
      path: PATH,
      headers: {
        authorization: `${scheme} ${own}`,
        ...(certificate !== undefined && { 'client-cert': certificate as string }),
      },
    });

  test('is let in where a trusted proxy tells that certificate', async () => {
    expect((await askWith(sent(der))).status).toBe(403);
  });

  test.each<[string, () => string | readonly string[] | undefined]>([
    ['without a certificate', () => undefined],
    ['with the certificate of somebody else', () => sent(stranger)],
    ['with two certificates', () => [sent(der), sent(stranger)]],
    ['with bytes that are none', () => sent(Buffer.from('certificate'))],
    ['with a certificate that is no byte sequence', () => der.toString('base64')],
    ['with its thumbprint', () => hash('sha256', der, 'base64url')],
  ])('is refused %s', async (_, certificate) => {
    const { status, headers } = await askWith(certificate());
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      expect.stringContaining('Bearer realm="tillgate", error="invalid_token"'),
    ]);
  });

  test('is not sent by DPoP', async () => {
    expect((await askWith(sent(der), 'DPoP')).status).toBe(401);
  });

  test('needs the certificate from a proxy that is trusted, and the proof as well if it is bound to both', async () => {
    const both = await bound({ jkt: holder.thumbprint, 'x5t#S256': hash('sha256', der, 'base64url') });
    const send = async (headers: Record<string, string>) =>
      (await gateway.http.send({ path: PATH, headers: { authorization: `DPoP ${both}`, ...headers } })).status;
    const proofs = [await proofFor({ token: both }), await proofFor({ token: both })] as const;
    expect(await send({ 'client-cert': sent(der) })).toBe(401);
    expect(await send({ dpop: proofs[0] })).toBe(401);
    expect(await send({ dpop: proofs[1], 'client-cert': sent(der) })).toBe(403);

    const untrusting = await gatewayOf(ACCEPTING, { trustedProxies: ['10.0.0.1'] });
    const headers = { authorization: `Bearer ${own}`, 'client-cert': sent(der) };
    expect((await untrusting.http.send({ path: PATH, headers })).status).toBe(401);
    await untrusting.stop();
  });
});

test('the proof of RFC 9449 is good for its request at its time, and its hash is that of the token', async () => {
  passSeconds(1_562_262_618 - nowSeconds());
  const request = {
    method: 'GET',
    url: 'https://resource.example.org/protectedresource',
    token: 'Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU',
    jwkThumbprint: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I',
    nonces: null,
  };
  expect(await verifyProof(OF_RFC_9449, request)).toHaveLength(32);
  await expect(verifyProof(OF_RFC_9449, { ...request, method: 'POST' })).rejects.toMatchObject({
    tokenError: 'invalid_dpop_proof',
  });
});

test('the certificates of RFC 8705 and RFC 9440 have the thumbprints that they say', () => {
  const thumbprint = (base64: string) =>
    hash('sha256', new X509Certificate(Buffer.from(base64, 'base64')).raw, 'base64url');
  expect(thumbprint(OF_RFC_8705)).toBe('A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0');
  expect(new X509Certificate(Buffer.from(OF_RFC_9440, 'base64')).subject).toBe('CN=BC');
});

test('a challenge names where the metadata of the resource is', () => {
  const policy = { schemes: ['DPoP'], metadataUrl: 'https://gateway.bank.example/m' } as const;
  expect(wwwAuthenticate(invalidToken('It is bad.'), policy)).toBe(
    'DPoP realm="tillgate", error="invalid_token", error_description="It is bad.", algs="ES256 PS256 EdDSA RS256", resource_metadata="https://gateway.bank.example/m"',
  );
});

test('an interaction has the id of its client if that is a UUID, in the answer and in the log', async () => {
  const sent = randomUUID();
  const answers = await Promise.all(
    [sent, 'hunter2'].map(id => gateway.http.send({ path: PATH, headers: { 'x-fapi-interaction-id': id } })),
  );
  const [own, made] = answers.map(({ headers }) => String(headers['x-fapi-interaction-id']));
  expect(own).toBe(sent);
  expect(made).toMatch(/^[0-9a-f-]{36}$/);
  expect(made).toBe(answers[1]?.headers['x-request-id']);
  expect(gateway.log.join()).toContain(`"interactionId":"${sent}"`);
  expect(gateway.log.join()).not.toContain('hunter2');
});

const OF_RFC_9449 =
  'eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA';
const OF_RFC_8705 =
  'MIIBBjCBrAIBAjAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDARtdGxzMB4XDTE4MTAxODEyMzcwOVoXDTIyMDUwMjEyMzcwOVowDzENMAsGA1UEAwwEbXRsczBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABNcnyxwqV6hY8QnhxxzFQ03C7HKW9OylMbnQZjjJ/Au08/coZwxS7LfA4vOLS9WuneIXhbGGWvsDSb0tH6IxLm8wCgYIKoZIzj0EAwIDSQAwRgIhAP0RC1E+vwJD/D1AGHGzuri+hlV/PpQEKTWUVeORWz83AiEA5x2eXZOVbUlJSGQgjwD5vaUaKlLR50Q2DmFfQj1L+SY=';
const OF_RFC_9440 =
  'MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=';
