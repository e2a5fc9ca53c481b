import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { readConfig } from '../../../src/app/config.js';
import { Bearer } from '../../../src/platform/auth/bearer.js';
import { issuerKeys } from '../../../src/platform/auth/issuer-keys.js';
import { Unauthenticated } from '../../../src/shared/errors.js';
import { ROOT } from '../../docs/fences.js';
import { Issuer, nowSeconds } from './issuer.js';

/** What docs/identity.md shows of an issuer: settings, and tokens each with its caller. */
interface Recipe {
  readonly name: string;
  readonly env: Record<string, string | undefined>;
  readonly tokens: { readonly token: Token; readonly caller: unknown }[];
}

interface Token {
  readonly header: JWTHeaderParameters;
  readonly payload: JWTPayload;
}

const PAGE = await readFile(join(ROOT, 'docs/identity.md'), 'utf8');

const RECIPES: Recipe[] = PAGE.split(/^##+ /m)
  .filter(section => section.includes('```ini\n'))
  .map(section => {
    const blocks = (language: string) =>
      [...section.matchAll(new RegExp('```' + language + '\\n([^]*?)\\n```', 'g'))].map(([, text = '']) => text);
    const [settings = ''] = blocks('ini');
    const shown = blocks('json').map(text => JSON.parse(text) as Token);
    const tokens = shown.flatMap((token, index) => (index % 2 === 0 ? [{ token, caller: shown[index + 1] }] : []));
    return { name: section.slice(0, section.indexOf('\n')), env: parseEnv(settings), tokens };
  });

test('the page has a recipe for each provider, with a machine and a customer', () => {
  expect(RECIPES.map(({ name, tokens }) => `${name}: ${tokens.length}`)).toEqual([
    'Auth0: 2',
    'Keycloak: 2',
    'Microsoft Entra ID: 2',
    'Tokens of version 1.0: 1',
    'Okta: 2',
    'Amazon Cognito: 2',
  ]);
});

/**
 * What ID tokens have besides `iss`, `sub` and times, and why they are refused where even their `aud` is the gateway.
 */
const ID_TOKENS: Record<string, { claims: JWTPayload; reason: RegExp }> = {
  Auth0: { claims: { sid: 's', name: 'Ada', nonce: 'n' }, reason: /claim nonce/ },
  'Auth0, of a client that sends no nonce': { claims: { sid: 's', name: 'Ada' }, reason: /no claim azp/ },
  Keycloak: { claims: { typ: 'ID', azp: 'acme-app', at_hash: 'h', acr: '1' }, reason: /claim typ/ },
  'Microsoft Entra ID': { claims: { name: 'Ada', oid: 'o', tid: 't', ver: '2.0' }, reason: /no claim azp/ },
  'Tokens of version 1.0': { claims: { name: 'Ada', oid: 'o', tid: 't', ver: '1.0' }, reason: /no claim appid/ },
  Okta: { claims: { ver: 1, idp: 'i', amr: ['pwd'], at_hash: 'h' }, reason: /claim at_hash/ },
  'Okta, without an access token beside it': { claims: { ver: 1, idp: 'i' }, reason: /no claim cid/ },
  'Amazon Cognito': { claims: { token_use: 'id', 'cognito:username': 'ada' }, reason: /claim token_use/ },
};

let issuer: Issuer;
beforeAll(async () => {
  issuer = await Issuer.start([]);
  for (const kid of new Set(RECIPES.flatMap(({ tokens }) => tokens.map(({ token }) => token.header.kid)))) {
    await issuer.addKey(kid as string, 'RS256');
    // Entra ID publishes its keys without `alg`, which is optional (RFC 7517, 4.4); so they are here for all of them.
    delete issuer.publicJwk(kid as string).alg;
  }
});
afterAll(() => issuer.goDown());

/** The page's token as if it were issued now. */
function fresh(payload: JWTPayload): JWTPayload {
  const moved = nowSeconds() - (payload.iat as number);
  const times = ['iat', 'nbf', 'exp', 'auth_time'].filter(name => name in payload);
  return { ...payload, ...Object.fromEntries(times.map(name => [name, (payload[name] as number) + moved])) };
}

describe.each(RECIPES)('the recipe for $name', ({ name, env, tokens }) => {
  const auth = readConfig(env).auth as NonNullable<ReturnType<typeof readConfig>['auth']>;
  const machine = tokens[0]?.token as Token;
  const customer = tokens[1]?.token;
  let bearer: Bearer;
  beforeAll(() => {
    bearer = new Bearer({ ...auth, keys: issuerKeys(issuer.jwksUrl, { cooldownMs: 0 }) });
  });

  const callerOf = async ({ header, payload }: Token) => {
    const token = await issuer.signExactly(header, fresh(payload));
    const { scopes, expiresAtMs: _, token: __, ...identity } = await bearer.verify(`Bearer ${token}`);
    return { ...identity, scopes: [...scopes] };
  };
  const refusalOf = async (token: Token, change: JWTPayload, header: Partial<JWTHeaderParameters> = {}) => {
    const changed = { header: { ...token.header, ...header }, payload: { ...token.payload, ...change } };
    const error: unknown = await callerOf(changed).catch((thrown: unknown) => thrown);
    if (!(error instanceof Unauthenticated)) throw new Error('It was let in.', { cause: error });
    return error.reason;
  };

  test('can be had in production', () => {
    const rest = { NODE_ENV: 'production', DATABASE_URL: 'postgres://db/bank', FIELD_KEYS: `k1:${'A'.repeat(43)}=` };
    expect(readConfig({ ...rest, ...env }).auth).toEqual(auth);
  });

  test.each(tokens)('takes a token of that shape for whom the page says', async ({ token, caller }) => {
    expect(await callerOf(token)).toEqual(caller);
  });

  test('refuses a token of the same issuer for another API', async () => {
    const elsewhere = { aud: 'https://other.bank.example' };
    expect(await refusalOf(machine, elsewhere)).toBe('The claim aud of the token contains no value of AUTH_AUDIENCE.');
  });

  test('refuses a token of a client that belongs to no program', async () => {
    const [claim = ''] = auth.profile?.client.map(({ text }) => text) ?? [];
    expect(await refusalOf(machine, { [claim]: 'stranger' })).toMatch(/AUTH_CLIENT_PROGRAMS|AUTH_AUDIENCE/);
  });

  test.each(Object.entries(ID_TOKENS).filter(([whose]) => whose.startsWith(name)))(
    'refuses an ID token (%s)',
    async (_whose, { claims, reason }) => {
      const { iss, iat, exp } = machine.payload;
      const payload = { iss, sub: 'someone', aud: [auth.audience].flat()[0], iat, exp, ...claims } as JWTPayload;
      const outcome: unknown = await callerOf({ header: machine.header, payload }).catch((error: unknown) => error);
      expect(outcome).toMatchObject({ tokenError: 'invalid_token', reason: expect.stringMatching(reason) });
    },
  );

  test('refuses tokens of other kinds', async () => {
    expect(await refusalOf(machine, { token_use: 'id' })).toMatch(/claim token_use/);
    expect(await refusalOf(machine, { typ: 'ID' })).toMatch(/claim typ/);
    expect(await refusalOf(machine, { nonce: 'n-0S6_WzA2Mj' })).toMatch(/claim nonce/);
    expect(await refusalOf(machine, {}, { typ: 'logout+jwt' })).toMatch(/header of the token/);
  });

  if (customer) {
    test('refuses a token of the app that names no customer', async () => {
      const [claim = ''] = auth.profile?.customer.map(({ text }) => text) ?? [];
      expect(await refusalOf(customer, { [claim]: undefined })).toBe(
        `The token has no claim ${claim}, and AUTH_PROGRAM_WIDE_CLIENTS does not name its client.`,
      );
    });
  }
});
