import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SignJWT, exportSPKI, importJWK, type CryptoKey, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { readConfig } from '../../../src/app/config.js';
import type { Identity } from '../../../src/shared/caller.js';
import { Unauthenticated } from '../../../src/shared/errors.js';
import { AUDIENCE, CUSTOMER, ISSUER, Issuer, goodClaims } from './issuer.js';

let issuer: Issuer;
beforeAll(async () => {
  issuer = await Issuer.start(['ES256', 'RS256', 'EdDSA']);
});
afterAll(() => issuer.goDown());

type Settings = Record<string, string>;
interface TokenParts {
  readonly claims?: Record<string, unknown>;
  readonly header?: Partial<JWTHeaderParameters>;
}

/** Who a token speaks for, where the gateway is started with these settings. */
async function callerOf(settings: Settings, { claims = {}, header = {} }: TokenParts = {}): Promise<Identity> {
  const issued = { AUTH_ISSUER: ISSUER, AUTH_AUDIENCE: AUDIENCE, AUTH_JWKS_URL: issuer.jwksUrl };
  const { audience, profile } = readConfig({ ...issued, ...settings }).auth ?? {};
  const bearer = issuer.bearer({ audience: audience ?? [], profile: profile as NonNullable<typeof profile> });
  return bearer.verify(`Bearer ${await issuer.sign(claims, { header })}`);
}

/** Why a token is refused, as the log has it. */
async function reasonOf(settings: Settings, sent: TokenParts = {}): Promise<string | undefined> {
  const error: unknown = await callerOf(settings, sent).catch((thrown: unknown) => thrown);
  if (error instanceof Unauthenticated && error.tokenError) return error.reason;
  throw new Error('It was let in, or the failure was no refusal of a token.', { cause: error });
}

test.each<[string, string, unknown]>([
  ['a namespaced name', 'https://bank.example/program', { 'https://bank.example/program': 'demo' }],
  ['a name with dots', 'bank.program', { 'bank.program': 'demo', bank: { program: 'acme' } }],
  ['a pointer', '/bank/program', { bank: { program: 'demo' }, 'bank/program': 'acme' }],
  ['a pointer to a name with a slash', '/bank/a~1b', { bank: { 'a/b': 'demo', a: { b: 'acme' } } }],
  ['a pointer to a name with a tilde', '/bank/a~01', { bank: { 'a~1': 'demo', 'a/': 'acme' } }],
  ['a name that begins with a slash, by a pointer', '/~1program', { '/program': 'demo' }],
  ['a name with a tilde', 'a~b', { 'a~b': 'demo' }],
  ['the first of two', 'tenant,org', { org: 'demo' }],
  ['the first of two that are there', 'tenant, org', { tenant: 'demo', org: 'acme' }],
  ['a name of every object, which this one has itself', '/constructor/name', { constructor: { name: 'demo' } }],
  ['the prototype by name', '/__proto__/program', JSON.parse('{"__proto__":{"program":"demo"}}')],
])('a claim is found by %s', async (_what, AUTH_PROGRAM_CLAIM, claims) => {
  const { program } = await callerOf({ AUTH_PROGRAM_CLAIM }, { claims: claims as Record<string, unknown> });
  expect(program).toBe('demo');
});

test.each(['constructor', '__proto__', '/constructor/name', 'toString', '/program/length', 'https://bank.example/x'])(
  'no claim is found by %s where the token does not have it',
  async AUTH_PROGRAM_CLAIM => {
    expect(await reasonOf({ AUTH_PROGRAM_CLAIM })).toMatch(/^(The token has no claim|The path)/);
  },
);

test.each<[Settings, Record<string, unknown>, string]>([
  [{}, { program: 7 }, 'The claim program of the token is a number, and must be a text of'],
  [{}, { client_id: ['a'] }, 'The claim client_id of the token is a list, and must be a text of'],
  [{}, { sub: { id: 'a' } }, 'The claim sub of the token is an object, and must be a text of'],
  [{}, { customer_id: true }, 'The claim customer_id of the token is a boolean, and must be a UUID.'],
  [{}, { scope: null }, 'The claim scope of the token is null, and must be a text'],
  [
    { AUTH_SCOPE_CLAIM: 'scp' },
    { scp: ['a', 7] },
    'The claim scp of the token is a list, and must be a text or a list',
  ],
  [{ AUTH_SCOPE_CLAIM: 'scp' }, { scp: { a: 1 } }, 'The claim scp of the token is an object, and must be a text or'],
  [{ AUTH_SCOPE_CLAIM: '/a/b' }, { a: 'accounts.read' }, 'The path /a/b leads through a text'],
  [{ AUTH_CUSTOMER_CLAIM: '/a/id' }, { a: null }, 'The path /a/id leads through null'],
  [{ AUTH_CUSTOMER_CLAIM: '/a/0' }, { a: [CUSTOMER] }, 'The path /a/0 leads through a list'],
  [{}, { aud: 7 }, 'The claim aud of the token is a number, and must be a text or a list of texts.'],
  [{}, { aud: [AUDIENCE, {}] }, 'The claim aud of the token is a list, and must be a text or a list of texts.'],
  [{}, { iss: `${ISSUER}/` }, 'The claim iss of the token and AUTH_ISSUER differ by a slash at the end.'],
  [{}, { iss: ['x'] }, 'The claim iss of the token is not AUTH_ISSUER.'],
  [{}, { exp: undefined }, 'The token has no claim exp.'],
])('with %j a token with %j is refused, and the reason says it', async (settings, claims, reason) => {
  expect(await reasonOf(settings, { claims })).toContain(reason);
});

test('scopes may be a text or a list, where a setting names their claim, and lose their prefix', async () => {
  const settings = { AUTH_SCOPE_CLAIM: 'scp', AUTH_SCOPE_PREFIX: 'api://tillgate/' };
  const listed = [
    'api://tillgate/accounts.read',
    'cards.read',
    'api://other/cards.write',
    'api://tillgate/accounts.read cards.read',
  ];
  const [text, list, none] = [
    await callerOf(settings, {
      claims: { scp: 'api://tillgate/cards.read cards.write api://other-id/operations api://tillgate/' },
    }),
    await callerOf(settings, { claims: { scp: listed } }),
    await callerOf(settings, { claims: { scope: 'api://tillgate/cards.read' } }),
  ];
  expect(text.scopes).toEqual(new Set(['cards.read']));
  expect(list.scopes).toEqual(new Set(['accounts.read']));
  expect(none.scopes).toEqual(new Set());
  expect(await reasonOf({}, { claims: { scope: ['accounts.read'] } })).toContain('a list');
});

const MAP = {
  AUTH_CLIENT_PROGRAMS: '{"mobile-app":"demo","__proto__":"demo"}',
  AUTH_PROGRAM_WIDE_CLIENTS: 'mobile-app',
};

test('a client belongs to the program that the settings say, and its token may not say another', async () => {
  expect(await callerOf(MAP, { claims: { program: undefined } })).toMatchObject({ program: 'demo', customerId: null });
  expect(await callerOf(MAP, { claims: { program: 'demo' } })).toMatchObject({ program: 'demo' });
  expect(await reasonOf(MAP, { claims: { program: 'acme' } })).toBe(
    'The claim program of the token differs from what AUTH_CLIENT_PROGRAMS says of its client.',
  );
  expect(await reasonOf(MAP, { claims: { program: undefined, client_id: 'constructor' } })).toBe(
    'The token has no claim program, and AUTH_CLIENT_PROGRAMS does not name its client.',
  );
});

test('only the clients that the settings name act for a whole program', async () => {
  const none = { AUTH_PROGRAM_WIDE_CLIENTS: 'none' };
  expect(await reasonOf(none)).toContain('AUTH_PROGRAM_WIDE_CLIENTS');
  expect(await callerOf(none, { claims: { customer_id: CUSTOMER } })).toMatchObject({ customerId: CUSTOMER });
  const some = { AUTH_PROGRAM_WIDE_CLIENTS: 'backend, mobile-app' };
  expect(await callerOf(some)).toMatchObject({ customerId: null });
  expect(await callerOf(some, { claims: { customer_id: CUSTOMER } })).toMatchObject({ customerId: CUSTOMER });
  expect(await reasonOf(some, { claims: { client_id: 'app' } })).toContain('AUTH_PROGRAM_WIDE_CLIENTS');
});

test('types of tokens are those that the settings name', async () => {
  const types: [string, JWTHeaderParameters['typ']][] = [
    ['at+jwt', 'at+jwt'],
    ['at+jwt', 'application/AT+JWT'],
    ['JWT', 'JWT'],
    ['JWT,at+jwt', 'jwt'],
    ['absent', undefined],
  ];
  for (const [AUTH_TOKEN_TYPES, typ] of types) {
    expect(await callerOf({ AUTH_TOKEN_TYPES }, { header: { typ } })).toMatchObject({ program: 'acme' });
  }
  expect(await reasonOf({}, { header: { typ: 'JWT' } })).toContain('typ JWT, which AUTH_TOKEN_TYPES does not name');
  expect(await reasonOf({ AUTH_TOKEN_TYPES: 'JWT' })).toContain('typ at+jwt, which AUTH_TOKEN_TYPES does not name');
  expect(await reasonOf({ AUTH_TOKEN_TYPES: 'JWT' }, { header: { typ: undefined } })).toContain('name absent');
  for (const typ of ['absent', 'null', 'id+jwt', 'undefined', '']) {
    expect(await reasonOf({ AUTH_TOKEN_TYPES: 'at+jwt,JWT,absent' }, { header: { typ } })).toContain('is not that of');
  }
});

test.each<[string, Record<string, unknown>]>([
  ['token_use', { token_use: 'id' }],
  ['token_use', { token_use: ['access'] }],
  ['typ', { typ: 'Refresh' }],
  ['typ', { typ: 'DPoP' }],
  ['nonce', { nonce: null }],
  ['at_hash', { at_hash: 'h' }],
  ['events', { events: {} }],
])(
  'where the type says nothing, a token with the claim %s that says otherwise is no access token: %j',
  async (name, claims) => {
    for (const typ of ['JWT', undefined]) {
      const reason = await reasonOf({ AUTH_TOKEN_TYPES: 'JWT,absent' }, { claims, header: { typ } });
      expect(reason).toMatch(new RegExp(`claim ${name}\\b`));
    }
  },
);

const BY_CLIENT = { AUTH_AUDIENCE: 'backend,mobile-app', AUTH_AUDIENCE_CLAIM: 'client_id', AUTH_SCOPE_PREFIX: 't/' };

test('the claim that stands in for aud counts only where there is none', async () => {
  const claims = { scope: 't/cards.read cards.write' };
  const caller = await callerOf(BY_CLIENT, { claims: { ...claims, aud: undefined } });
  expect(caller).toMatchObject({ clientId: 'mobile-app', scopes: new Set(['cards.read']) });
  expect(await reasonOf(BY_CLIENT, { claims })).toContain('claim aud of the token contains no value');
  expect(await reasonOf(BY_CLIENT, { claims: { aud: undefined, client_id: 'other' } })).toContain('claim client_id');
  expect(await reasonOf({}, { claims: { aud: undefined } })).toBe('The token has no claim aud.');
});

test('each of several audiences will do', async () => {
  const settings = { AUTH_AUDIENCE: `api://tillgate, ${AUDIENCE}` };
  expect(await callerOf(settings)).toMatchObject({ program: 'acme' });
  expect(await callerOf(settings, { claims: { aud: ['x', 'api://tillgate'] } })).toMatchObject({ program: 'acme' });
});

test('keys without alg verify what fits their type, and nothing that is not accepted', async () => {
  const unmarked = await Issuer.start(['RS256', 'ES256']);
  for (const kid of ['key-RS256', 'key-ES256']) delete unmarked.publicJwk(kid).alg;
  const bearer = unmarked.bearer();
  const verify = (token: string) => bearer.verify(`Bearer ${token}`).catch((error: unknown) => error);
  for (const kid of ['key-RS256', 'key-ES256']) {
    expect(await verify(await unmarked.sign({}, { kid }))).toMatchObject({ program: 'acme' });
  }
  const rsa = unmarked.publicJwk('key-RS256');
  const pem = await exportSPKI((await importJWK(rsa, 'RS256', { extractable: true })) as CryptoKey);
  const header = { alg: 'HS256', typ: 'at+jwt', kid: 'key-RS256' };
  const claims: JWTPayload = goodClaims();
  const forged = await new SignJWT(claims).setProtectedHeader(header).sign(new TextEncoder().encode(pem));
  expect(await verify(forged)).toMatchObject({
    reason: expect.stringContaining('header alg of the token is not one of'),
  });
  // The header says ES256, and the key it names is one of RSA.
  const crossed = await unmarked.sign({}, { kid: 'key-ES256', header: { kid: 'key-RS256' } });
  expect(await verify(crossed)).toMatchObject({ tokenError: 'invalid_token' });
  await unmarked.goDown();
});
