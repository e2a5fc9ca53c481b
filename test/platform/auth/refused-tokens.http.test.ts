import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT, base64url, exportSPKI, importJWK, type CryptoKey } from 'jose';
import { passSecondsWith, realTimeWith } from '../../support/clock.js';
import { startTestGateway, type Answer, type TestGateway } from '../../support/gateway.js';
import { AUDIENCE, ISSUER, Issuer, goodClaims, nowSeconds } from './issuer.js';
import { restCode } from '../../support/answers.js';

let issuer: Issuer;
let stranger: Issuer;
let gateway: TestGateway;
beforeAll(async () => {
  issuer = await Issuer.start(['ES256', 'RS256', 'ES384']);
  stranger = await Issuer.start(['ES256', 'RS256']);
  gateway = await gatewayOf(issuer);
});
afterEach(() => realTimeWith(gateway));
afterAll(async () => {
  await gateway.stop();
  await issuer.goDown();
  await stranger.goDown();
});

function gatewayOf({ jwksUrl }: Issuer): Promise<TestGateway> {
  return startTestGateway({ auth: { issuer: ISSUER, audience: AUDIENCE, jwksUrl } });
}

/** Whover REST and GraphQL say to an `Authorization` header. */
async function askWith(authorization: string, at = gateway): Promise<Answer[]> {
  const headers = { authorization, 'content-type': 'application/json' };
  return [
    await at.http.send({ path: '/accounts/any/beneficiaries', headers }),
    await at.http.send({ method: 'POST', path: '/graphql', headers, body: { query: '{ __typename }' } }),
  ];
}

const part = (value: unknown) => base64url.encode(typeof value === 'string' ? value : JSON.stringify(value));
const HEADER = { alg: 'ES256', typ: 'at+jwt', kid: 'key-ES256' };

/** A signature of the issuer's own over any header and payload, as they are written. */
async function signedText(header: unknown, payload: unknown, kid = 'key-ES256'): Promise<string> {
  const text = `${part(header)}.${part(payload)}`;
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    issuer.privateKey(kid),
    new TextEncoder().encode(text),
  );
  return `${text}.${base64url.encode(new Uint8Array(signature))}`;
}

async function withSecret(secret: string, alg: 'HS256' | 'HS512' = 'HS256'): Promise<string> {
  const header = { alg, typ: 'at+jwt', kid: 'key-RS256' };
  return new SignJWT(goodClaims()).setProtectedHeader(header).sign(new TextEncoder().encode(secret));
}

async function publicPem(): Promise<string> {
  return exportSPKI((await importJWK(issuer.publicJwk('key-RS256'), 'RS256', { extractable: true })) as CryptoKey);
}

const brought = () => stranger.publicJwk('key-ES256') as { kty: string; crv: string; x: string; y: string };
const claimsText = (more: string) => JSON.stringify(goodClaims()).replace(/\}$/, `,${more}}`);

const BAD_TOKENS: Record<string, () => Promise<string>> = {
  'that is signed by nobody (alg none)': async () => `${part({ ...HEADER, alg: 'none' })}.${part(goodClaims())}.`,
  'that says alg none and has a signature': async () => signedText({ ...HEADER, alg: 'none' }, goodClaims()),
  'without an alg': async () => signedText({ typ: 'at+jwt', kid: 'key-ES256' }, goodClaims()),
  'signed by HS256 with the public key in PEM': async () => withSecret(await publicPem()),
  'signed by HS512 with the public key in PEM': async () => withSecret(await publicPem(), 'HS512'),
  'signed by HS256 with the public key as JWK': async () => withSecret(JSON.stringify(issuer.publicJwk('key-RS256'))),
  'signed by HS256 with nothing': async () => withSecret('\0'),
  'of an algorithm that is not accepted': () => issuer.sign({}, { kid: 'key-ES384' }),
  'of an algorithm that is not that of its key': () => signedText({ ...HEADER, kid: 'key-RS256' }, goodClaims()),
  'of the type JWT': () => issuer.sign({}, { header: { typ: 'JWT' } }),
  'of no type': () => issuer.sign({}, { header: { typ: undefined } }),
  'for another audience': () => issuer.sign({ aud: 'tillgate-2' }),
  'for no audience': () => issuer.sign({ aud: undefined }),
  'for an empty list of audiences': () => issuer.sign({ aud: [] }),
  'of another issuer by its claim': () => issuer.sign({ iss: `${ISSUER}/` }),
  'of no issuer by its claim': () => issuer.sign({ iss: undefined }),
  'of another issuer by its key': () => stranger.sign(),
  'that has expired': () => issuer.sign({ exp: nowSeconds() - 61 }),
  'that never expires': () => issuer.sign({ exp: undefined }),
  'that expires at the end of numbers': () => signedText(HEADER, claimsText('"exp":1e999').replace(/"exp":\d+,/, '')),
  'that expires at a text': () => issuer.sign({ exp: String(nowSeconds() + 600) }),
  'that is not valid yet': () => issuer.sign({ nbf: nowSeconds() + 120 }),
  'that is valid from a text on': () => issuer.sign({ nbf: 'now' }),
  'with a header of more than 8 KiB': () => issuer.sign({ padding: 'x'.repeat(8 * 1024) }),
  'with a claim twice': () => signedText(HEADER, claimsText('"program":"demo"')),
  'with a claim twice, once in other letters': () => signedText(HEADER, claimsText('"pro\\u0067ram":"acme"')),
  'with a name twice in an object of a claim': () => signedText(HEADER, claimsText('"act":{"sub":"a","sub":"b"}')),
  'with a name twice in its header': () =>
    signedText(JSON.stringify(HEADER).replace(/\}$/, ',"typ":"at+jwt"}'), goodClaims()),
  'with an extension that must be understood': () => signedText({ ...HEADER, crit: ['exp'], exp: 1 }, goodClaims()),
  'with an extension that nobody has heard of': () => signedText({ ...HEADER, crit: ['x'], x: 1 }, goodClaims()),
  'with an empty list of extensions': () => signedText({ ...HEADER, crit: [] }, goodClaims()),
  'with a payload that is not encoded': () => signedText({ ...HEADER, crit: ['b64'], b64: false }, goodClaims()),
  'that brings its key along': () => stranger.sign({}, { header: { jwk: brought() } }),
  'that says where its key is': () => stranger.sign({}, { header: { jku: stranger.jwksUrl } }),
  'that brings a certificate along': () => stranger.sign({}, { header: { x5c: ['MIIB'] } }),
  'that says where its certificate is': () => stranger.sign({}, { header: { x5u: stranger.jwksUrl } }),
  'of the issuer that brings its key along': () => issuer.sign({}, { header: { jwk: brought() } }),
  'of the issuer that says where its key is': () => issuer.sign({}, { header: { jku: stranger.jwksUrl } }),
  'of the issuer that brings a certificate along': () => issuer.sign({}, { header: { x5c: ['MIIB'] } }),
  'with a path for a key id': () => issuer.sign({}, { header: { kid: '../../../../dev/null' } }),
  'with a number for a key id': () => signedText({ ...HEADER, kid: 1 }, goodClaims()),
  'with a key id of the prototype': () => issuer.sign({}, { header: { kid: '__proto__' } }),
  'without its signature': async () => (await issuer.sign()).replace(/[^.]+$/, ''),
  'without its last characters': async () => (await issuer.sign()).slice(0, -8),
  'with a signature of zeros': async () =>
    (await issuer.sign()).replace(/[^.]+$/, base64url.encode(new Uint8Array(64))),
  'with the payload of another': async () =>
    (await issuer.sign()).replace(/\.[^.]+\./, `.${part({ ...goodClaims(), program: 'demo' })}.`),
  'in five parts': async () => `${await issuer.sign()}.a.b`,
  'in one part': async () => (await issuer.sign()).replaceAll('.', ''),
  'of which the header is no JSON': () => signedText('{"alg":"ES256"', goodClaims()),
  'of which the payload is no JSON': () => signedText(HEADER, 'payload'),
  'of which the payload is a list': () => signedText(HEADER, '[]'),
  'of which the payload is null': () => signedText(HEADER, 'null'),
  'that is bound to a key, where nothing checks that': () => issuer.sign({ cnf: { jkt: 'x'.repeat(43) } }),
  'that is bound to a certificate, where nothing checks that': () =>
    issuer.sign({ cnf: { 'x5t#S256': 'x'.repeat(43) } }),
  'of garbage': async () => 'x'.repeat(500),
};

describe.each(Object.keys(BAD_TOKENS))('a token %s', what => {
  test('is 401 over GraphQL and REST, with a challenge that repeats nothing of it', async () => {
    const token = (await BAD_TOKENS[what]?.()) as string;
    for (const { status, headers, body, text } of await askWith(`Bearer ${token}`)) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toMatch(
        /^Bearer realm="tillgate", error="invalid_token", error_description="[\x20-\x21\x23-\x5b\x5d-\x7e]+"$/,
      );
      expect(body.code ?? restCode(body.errors[0].extensions.code)).toBe('unauthenticated');
      for (const piece of token.split('.')) if (piece.length > 4) expect(text).not.toContain(piece);
    }
    expect(stranger.fetches).toBe(0);
  });
});

test('why a token was refused is told to the operator, by request id, and not to its sender', async () => {
  const tokens = {
    'The token has no claim program.': await issuer.sign({ program: undefined }),
    'The claim customer_id of the token is a text, and must be a UUID.': await issuer.sign({ customer_id: 'hunter2' }),
    'The claim aud of the token contains no value of AUTH_AUDIENCE.': await issuer.sign({ aud: 'hunter2' }),
    'The header of the token has the typ JWT, which AUTH_TOKEN_TYPES does not name.': await issuer.sign(
      { sub: 'hunter2' },
      { header: { typ: 'JWT' } },
    ),
    'The token is signed with a key that is not among those at AUTH_JWKS_URL.': await issuer.sign(
      {},
      { header: { kid: 'hunter2' } },
    ),
    'The token has expired.': await issuer.sign({ exp: nowSeconds() - 3600, sub: 'hunter2' }),
  };
  for (const [reason, token] of Object.entries(tokens)) {
    for (const { status, headers, text } of await askWith(`Bearer ${token}`)) {
      expect(status).toBe(401);
      const lines = gateway.log.filter(line => line.includes(`"requestId":"${headers['x-request-id'] as string}"`));
      const told = lines.map(line => JSON.parse(line) as Record<string, unknown>);
      expect(told).toContainEqual(
        expect.objectContaining({ reason, msg: 'an access token was refused', level: 'info' }),
      );
      expect(lines.join()).not.toContain('hunter2');
      expect(text + String(headers['www-authenticate'])).not.toMatch(/AUTH_|hunter2/);
    }
  }
});

test.each(['', 'Basic ZGVtbzpkZW1vLXNlY3JldA=='])(
  'a request that brings no bearer token (%s) is 401 over GraphQL and REST, with a bare challenge',
  async authorization => {
    for (const { status, headers } of await askWith(authorization)) {
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer realm="tillgate"']);
    }
  },
);

test('a token in the address is none', async () => {
  const answer = await gateway.http.send({ path: `/accounts/a/beneficiaries?access_token=${await issuer.sign()}` });
  expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, 'Bearer realm="tillgate"']);
});

test('a good token is let in over GraphQL and REST, and without the scope it is 403 with the scope that it needs', async () => {
  const [rest, graphql] = await askWith(`Bearer ${await issuer.sign()}`);
  expect([rest?.status, rest?.headers['www-authenticate']]).toEqual([
    403,
    'Bearer realm="tillgate", error="insufficient_scope", error_description="The access token lacks the scope beneficiaries.read. Get a token with this scope.", scope="beneficiaries.read"',
  ]);
  expect(graphql?.body).toEqual({ data: { __typename: 'Query' } });
});

test('keys change at the issuer while the gateway serves; it looks for an unknown one at most once a minute', async () => {
  const rotating = await Issuer.start();
  const fresh = await gatewayOf(rotating);
  const statuses = async (token: string) => (await askWith(`Bearer ${token}`, fresh)).map(({ status }) => status);
  const [old, unseen] = [await rotating.sign(), await rotating.sign({ sub: 'user-8' })];
  expect(await statuses(old)).toEqual([403, 200]);
  expect(rotating.fetches).toBe(1);

  await rotating.addKey('key-2');
  rotating.removeKey('key-ES256');
  const second = await rotating.sign({}, { kid: 'key-2' });
  expect(await statuses(second)).toEqual([403, 200]);
  expect(rotating.fetches).toBe(2);
  expect(await statuses(unseen)).toEqual([401, 401]);

  await rotating.addKey('key-3');
  const third = await rotating.sign({}, { kid: 'key-3' });
  expect(await statuses(third)).toEqual([401, 401]);
  expect(rotating.fetches).toBe(2);
  await passSecondsWith(fresh, 61);
  expect(await statuses(third)).toEqual([403, 200]);
  expect(rotating.fetches).toBe(3);
  await fresh.stop();
  await rotating.goDown();
});
