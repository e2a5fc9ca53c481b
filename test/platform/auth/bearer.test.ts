import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { SignJWT, base64url, exportSPKI, importJWK, type CryptoKey } from 'jose';
import type { Bearer } from '../../../src/platform/auth/bearer.js';
import { wwwAuthenticate } from '../../../src/platform/auth/challenge.js';
import { InsufficientScope, Refusal, TokenExpired, Unauthenticated } from '../../../src/shared/errors.js';
import { CUSTOMER, Issuer, goodClaims, nowSeconds } from './issuer.js';

let issuer: Issuer;
let bearer: Bearer;
beforeAll(async () => {
  issuer = await Issuer.start(['ES256', 'RS256', 'PS256', 'EdDSA', 'ES384', 'RS512']);
  bearer = issuer.bearer();
});
afterAll(() => issuer.goDown());
afterEach(() => {
  issuer.status = 200;
});

async function refusalOf(header: string | undefined, by: Bearer = bearer): Promise<Refusal> {
  const outcome = await by.verify(header).catch((error: unknown) => error);
  if (outcome instanceof Refusal) return outcome;
  throw new Error('The token was accepted, or the failure was no refusal.', { cause: outcome });
}

test('a good token says who calls', async () => {
  const identity = await bearer.verify(`Bearer ${await issuer.sign()}`);
  expect(identity).toEqual({
    program: 'acme',
    clientId: 'mobile-app',
    subject: 'user-7',
    customerId: null,
    scopes: new Set(['accounts.read', 'cards.write']),
    expiresAtMs: expect.any(Number),
    token: { tokenId: expect.any(String), issuedAtMs: expect.any(Number), binding: null },
  });
});

test('a token can belong to one customer, whose id is compared in lower case', async () => {
  const { customerId } = await bearer.verify(`Bearer ${await issuer.sign({ customer_id: CUSTOMER.toUpperCase() })}`);
  expect(customerId).toBe(CUSTOMER);
});

test('unknown scopes are passed over, and no scope allows nothing', async () => {
  const some = await bearer.verify(`Bearer ${await issuer.sign({ scope: 'openid accounts.read  root' })}`);
  const none = await bearer.verify(`Bearer ${await issuer.sign({ scope: undefined })}`);
  expect([some.scopes, none.scopes]).toEqual([new Set(['accounts.read']), new Set()]);
});

test.each(['ES256', 'RS256', 'PS256', 'EdDSA'])('a token signed with %s is accepted', async alg => {
  expect(await bearer.verify(`Bearer ${await issuer.sign({}, { kid: `key-${alg}` })}`)).toMatchObject({
    program: 'acme',
  });
});

test.each(['bearer', 'BEARER', 'Bearer  '])('the scheme may be written as %s', async scheme => {
  expect(await bearer.verify(`${scheme} ${await issuer.sign()}`)).toMatchObject({ program: 'acme' });
});

test('one audience of several is enough', async () => {
  expect(await bearer.verify(`Bearer ${await issuer.sign({ aud: ['other', 'tillgate'] })}`)).toMatchObject({
    program: 'acme',
  });
});

test('clocks may differ by a minute', async () => {
  for (const claims of [{ exp: nowSeconds() - 50 }, { nbf: nowSeconds() + 50 }, { iat: nowSeconds() + 50 }]) {
    expect(await bearer.verify(`Bearer ${await issuer.sign(claims)}`)).toMatchObject({ program: 'acme' });
  }
});

test.each([70, 1e9, 1e300])('a token that is issued %d seconds from now is refused', async seconds => {
  const iat = nowSeconds() + seconds;
  expect(await refusalOf(`Bearer ${await issuer.sign({ iat })}`)).toMatchObject({
    tokenError: 'invalid_token',
    message: expect.stringContaining('iat'),
  });
});

test.each(['ES384', 'RS512'])('%s is not among the accepted algorithms', async alg => {
  expect(await refusalOf(`Bearer ${await issuer.sign({}, { kid: `key-${alg}` })}`)).toMatchObject({
    tokenError: 'invalid_token',
  });
});

test('a token signed by nobody is refused', async () => {
  const part = (value: object) => base64url.encode(JSON.stringify(value));
  for (const alg of ['none', 'None', 'NONE', '']) {
    const unsigned = `${part({ alg, typ: 'at+jwt', kid: 'key-ES256' })}.${part(goodClaims())}.`;
    expect(await refusalOf(`Bearer ${unsigned}`)).toMatchObject({ tokenError: 'invalid_token' });
  }
});

test('the public key is no secret to sign with', async () => {
  const publicKey = (await importJWK(issuer.publicJwk('key-RS256'), 'RS256', { extractable: true })) as CryptoKey;
  for (const secret of [await exportSPKI(publicKey), JSON.stringify(issuer.publicJwk('key-RS256'))]) {
    const forged = await new SignJWT(goodClaims())
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: 'key-RS256' })
      .sign(new TextEncoder().encode(secret));
    expect(await refusalOf(`Bearer ${forged}`)).toMatchObject({ tokenError: 'invalid_token' });
  }
});

test('keys that a token brings along are not used', async () => {
  const stranger = await Issuer.start();
  const jwk = stranger.publicJwk('key-ES256');
  const forged = await stranger.sign(
    {},
    { header: { jwk: { kty: jwk.kty!, crv: jwk.crv!, x: jwk.x!, y: jwk.y! }, jku: stranger.jwksUrl } },
  );
  expect(await refusalOf(`Bearer ${forged}`)).toMatchObject({ tokenError: 'invalid_token' });
  expect(stranger.fetches).toBe(0);
  await stranger.goDown();
});

test.each<[string, Record<string, unknown>]>([
  ['another issuer', { iss: 'https://login.other.example' }],
  ['no issuer', { iss: undefined }],
  ['another audience', { aud: 'other' }],
  ['no audience', { aud: undefined }],
  ['an expiry in the past', { exp: nowSeconds() - 3600 }],
  ['no expiry', { exp: undefined }],
  ['an expiry that is a text', { exp: '9999999999' }],
  ['a start in the future', { nbf: nowSeconds() + 3600 }],
  ['no program', { program: undefined }],
  ['an empty program', { program: '' }],
  ['a program that is a list', { program: ['acme'] }],
  ['a program with a space', { program: 'ac me' }],
  ['a long program', { program: 'p'.repeat(65) }],
  ['no client', { client_id: undefined }],
  ['a long client', { client_id: 'c'.repeat(256) }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['a subject with a zero byte', { sub: 'user\0' }],
  ['a list of scopes', { scope: ['accounts.read'] }],
  ['a customer that is no UUID', { customer_id: 'c-1' }],
  ['a customer of null', { customer_id: null }],
])('a token with %s is refused', async (_what, claims) => {
  const refusal = await refusalOf(`Bearer ${await issuer.sign(claims)}`);
  expect(refusal).toMatchObject({ kind: 'unauthenticated', tokenError: 'invalid_token' });
});

test.each(['JWT', 'id_token', undefined])('a token of type %s is not an access token', async typ => {
  expect(await refusalOf(`Bearer ${await issuer.sign({}, { header: { typ } })}`)).toMatchObject({
    tokenError: 'invalid_token',
  });
});

test('a token with a key id that the issuer does not have is refused', async () => {
  expect(await refusalOf(`Bearer ${await issuer.sign({}, { header: { kid: 'unknown' } })}`)).toMatchObject({
    tokenError: 'invalid_token',
  });
});

test('a token with a changed payload is refused, though the true one was seen before', async () => {
  const [header, , signature] = (await issuer.sign()).split('.');
  const good = await issuer.sign();
  await bearer.verify(`Bearer ${good}`);
  const payload = base64url.encode(JSON.stringify({ ...goodClaims(), program: 'demo' }));
  expect(await refusalOf(`Bearer ${header}.${payload}.${signature}`)).toMatchObject({ tokenError: 'invalid_token' });
});

test.each([
  'Bearer',
  'Bearer ',
  'Bearer x',
  'Bearer a.b.c',
  'Bearer a.b.c.d.e',
  'Bearer two tokens',
  'Bearer ünicode',
  'Bearer "quoted"',
])('%s is refused', async header => {
  expect(await refusalOf(header)).toMatchObject({ tokenError: 'invalid_token' });
});

test('a header of more than 8 KiB is refused, even with a good token in it', async () => {
  const long = await issuer.sign({ padding: 'x'.repeat(8 * 1024) });
  expect(await refusalOf(`Bearer ${long}`)).toMatchObject({ tokenError: 'invalid_token' });
});

test.each([undefined, '', 'Basic ZGVtbzpkZW1v'])(
  'without a bearer token (%s) the challenge names no error',
  async header => {
    const refusal = await refusalOf(header);
    expect(refusal).toMatchObject({ kind: 'unauthenticated', tokenError: undefined });
    expect(wwwAuthenticate(refusal as Unauthenticated)).toBe('Bearer realm="tillgate"');
  },
);

test('refusals repeat nothing of the token', async () => {
  for (const claims of [
    { iss: 'leaked-value' },
    { aud: 'leaked-value' },
    { program: 'leaked value' },
    { customer_id: 'leaked-value' },
  ]) {
    expect((await refusalOf(`Bearer ${await issuer.sign(claims)}`)).message).not.toContain('leaked');
  }
});

test('a challenge says what is wrong, in the characters that RFC 6750 allows', () => {
  expect(wwwAuthenticate(new Unauthenticated('No "good" \\ token: ä', 'invalid_token'))).toBe(
    `Bearer realm="tillgate", error="invalid_token", error_description="No 'good' ' token: '"`,
  );
  expect(wwwAuthenticate(new InsufficientScope('cards.write'))).toBe(
    'Bearer realm="tillgate", error="insufficient_scope", error_description="The access token lacks the scope cards.write. Get a token with this scope.", scope="cards.write"',
  );
});

test('a verified token is remembered, and not for a moment longer than it is valid', async () => {
  let now = Date.now();
  const remembering = issuer.bearer({ nowMs: () => now });
  const exp = nowSeconds() + 300;
  const header = `Bearer ${await issuer.sign({ exp })}`;
  const first = await remembering.verify(header);
  now = exp * 1000 - 1;
  expect(await remembering.verify(header)).toBe(first);
  now = exp * 1000;
  // Within the clock tolerance it is still good, but it is checked anew: the answer is another object.
  expect(await remembering.verify(header)).not.toBe(first);
  now = (exp + 60) * 1000;
  expect(await refusalOf(header, remembering)).toMatchObject({ tokenError: 'invalid_token' });
});

test('however long a token is valid, it is checked anew after ten minutes', async () => {
  let now = Date.now();
  const remembering = issuer.bearer({ nowMs: () => now });
  const header = `Bearer ${await issuer.sign({ exp: nowSeconds() + 86_400 })}`;
  const first = await remembering.verify(header);
  now += 10 * 60_000;
  expect(await remembering.verify(header)).not.toBe(first);
});

test('a refused token is not remembered as a good one, nor the other way round', async () => {
  const fresh = issuer.bearer();
  const [good, bad] = [`Bearer ${await issuer.sign()}`, `Bearer ${await issuer.sign({ aud: 'other' })}`];
  for (let round = 0; round < 3; round++) {
    expect(await refusalOf(bad, fresh)).toMatchObject({ tokenError: 'invalid_token' });
    expect(await fresh.verify(good)).toMatchObject({ program: 'acme' });
  }
});

test('a look before the verification refuses what no signature could make good, without a key', async () => {
  const { fetches } = issuer;
  const strict = issuer.bearer();
  const bad = [
    await issuer.sign({ iss: 'https://elsewhere.example' }),
    await issuer.sign({ aud: 'another' }),
    await issuer.sign({ exp: undefined }),
    await issuer.sign({}, { kid: 'key-ES384' }),
    'x',
    'a.b.c',
    `${await issuer.sign()}.more`,
  ];
  for (const token of bad) {
    expect(() => strict.screen(`Bearer ${token}`)).toThrow(expect.objectContaining({ tokenError: 'invalid_token' }));
  }
  const expired = await issuer.sign({ exp: nowSeconds() - 61 });
  expect(() => strict.screen(`Bearer ${expired}`)).toThrow(TokenExpired);
  expect(issuer.fetches).toBe(fetches);
});

test('and lets everything pass that is good', async () => {
  const good = [
    ...(await Promise.all(['ES256', 'RS256', 'PS256', 'EdDSA'].map(alg => issuer.sign({}, { kid: `key-${alg}` })))),
    await issuer.sign({ aud: ['other', 'tillgate'] }),
    await issuer.sign({ exp: nowSeconds() - 50 }),
  ];
  for (const token of good) {
    expect(() => bearer.screen(`Bearer ${token}`)).not.toThrow();
    expect(await bearer.verify(`Bearer ${token}`)).toMatchObject({ program: 'acme' });
  }
});

test('a token that was verified is known, and no other one', async () => {
  const strict = issuer.bearer();
  const header = `Bearer ${await issuer.sign()}`;
  expect(strict.known(header)).toBeNull();
  const identity = await strict.verify(header);
  expect([strict.known(header), strict.known(`Bearer ${await issuer.sign()}`)]).toEqual([identity, null]);
});
