import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../src/app/config.js';
import { KeyRing } from '../../src/platform/crypto/key-ring.js';
import type { Answer } from '../support/http.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { ByHand, COOKIE, leastVariables, pageDocuments, type PageDocument } from './by-hand.js';
import { IdentityProvider } from './identity-provider.js';

const URL_OF_CONSOLE = 'https://gateway.bank.example/console';
const SIGN_IN = '__Host-tillgate-sign-in';
/** Two processes share them. */
const KEYS = KeyRing.generate();

const PEOPLE = {
  'sub-of-nora': { name: 'Nora Vance', program: 'demo', roles: ['operator', 'pii', 'gardener'] },
  'sub-of-piet': { preferred_username: 'piet', program: 'demo', roles: 'viewer approver' },
  'sub-of-kaya': { program: 'demo', roles: [], realm_access: { roles: ['viewer', 'offline_access'] } },
  'sub-of-mira': { name: 'Mira Lund', program: 'demo', roles: ['operator', 'approver'] },
  'sub-of-guest': { name: 'Gustav Guest', program: 'demo', roles: ['gardener'] },
  'sub-of-gina': { name: 'Gina Fields', program: 'demo', roles: ['Bank Operations', 'Auditors'] },
  'sub-of-pii': { name: 'Paula Idle', program: 'demo', roles: ['pii'] },
  'sub-of-lost': { name: 'Lost Soul', roles: ['operator'] },
  'sub-of-odd': { name: 'Odd Soul', program: { id: 'demo' }, roles: ['operator'] },
};

let provider: IdentityProvider;
let gateway: TestGateway;
let database: FreshDatabase;
beforeAll(async () => {
  provider = await IdentityProvider.start(PEOPLE);
  await provider.serve(URL_OF_CONSOLE, { inIdToken: true });
  database = await freshDatabase();
  gateway = await startTestGateway({
    databaseUrl: database.url,
    fieldKeys: KEYS,
    console: readConfig(provider.settings(URL_OF_CONSOLE)).console,
  });
});
afterAll(async () => {
  await gateway.stop();
  await provider.goDown();
  await database.drop();
});
afterEach(() => {
  provider.tamper = null;
  provider.left = undefined;
});

const cookiesOf = ({ headers }: Answer) => headers['set-cookie'] ?? [];
const cookieIn = (answer: Answer, name: string) =>
  cookiesOf(answer)
    .find(cookie => cookie.startsWith(`${name}=`))
    ?.split(';')[0] ?? null;

interface Attempt {
  /** Where the provider is asked. */
  readonly changed?: (address: URL) => void;
  /** What comes back from there. */
  readonly back?: (address: URL) => void;
  readonly cookie?: (sent: string) => string;
  readonly to?: string;
  readonly with?: string | null;
  readonly through?: TestGateway;
}

/** Signs in as a browser does, and gives how the gateway answered what came back from the provider. */
async function attempt(
  person: string | null,
  how: Attempt = {},
): Promise<Answer & { readonly again: () => Promise<Answer> }> {
  const { changed, back, cookie = sent => sent, to, through = gateway } = how;
  provider.person = person;
  const begun = await through.http.send({
    path: `/console/sign-in${to === undefined ? '' : `?to=${encodeURIComponent(to)}`}`,
  });
  if (begun.status !== 302) return Object.assign(begun, { again: async () => begun });
  const address = new URL(String(begun.headers.location));
  changed?.(address);
  const returned = new URL(await provider.visit(address.href));
  expect(returned.href).toMatch(`${URL_OF_CONSOLE}/callback?`);
  back?.(returned);
  const headers = { cookie: [cookie(String(cookieIn(begun, SIGN_IN))), ...(how.with ? [how.with] : [])].join('; ') };
  // The browser comes from the provider, so it has no cookie of a session with it.
  const again = () =>
    through.http.send({
      path: `${returned.pathname}${returned.search}`,
      headers: { 'sec-fetch-site': 'cross-site', ...headers },
    });
  return Object.assign(await again(), { again });
}

async function sessionOf(answer: Answer, through = gateway) {
  const by = new ByHand(through, cookieIn(answer, COOKIE));
  return (await by.get('/console/session')).body;
}

describe('who comes from the provider', () => {
  test('is signed in with the roles and the program that it names, and goes on to the page that was wanted', async () => {
    const answer = await attempt('sub-of-nora', { to: '/console/accounts/demo-1001?tab=cards' });
    expect(answer.status).toBe(200);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.text).toContain('content="0;url=/console/accounts/demo-1001?tab=cards"');
    expect(cookiesOf(answer).map(cookie => cookie.replace(/=[^;]*/, '='))).toEqual([
      `${SIGN_IN}=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0`,
      `${COOKIE}=; Path=/; Secure; HttpOnly; SameSite=Strict`,
    ]);
    expect(await sessionOf(answer)).toMatchObject({
      subject: 'sub-of-nora',
      name: 'Nora Vance',
      program: 'demo',
      signIn: 'oidc',
      roles: ['operator', 'pii'],
      scopes: expect.arrayContaining(['operations', 'pii.read']),
    });
    const { rows } = await gateway.sql.query(
      "SELECT action, client_id, subject, data FROM event WHERE subject = 'sub-of-nora'",
    );
    expect(rows).toEqual([
      {
        action: 'console.sign_in',
        client_id: 'console',
        subject: 'sub-of-nora',
        data: {
          roles: ['operator', 'pii'],
          way: 'OIDC',
        },
      },
    ]);
  });

  test('may have its roles in one text', async () => {
    expect(await sessionOf(await attempt('sub-of-piet'))).toMatchObject({
      name: 'piet',
      roles: ['viewer', 'approver'],
    });
  });

  test.each(['sub-of-guest', 'sub-of-pii', 'sub-of-lost', 'sub-of-odd'] as const)(
    'is told why there is no way in without a role or a program: %s',
    async person => {
      const answer = await attempt(person);
      expect([answer.status, cookieIn(answer, COOKIE)]).toEqual([403, null]);
      expect(answer.text).toContain('No access to the console');
      const told = `${answer.text}${gateway.log.join()}`;
      expect(told).not.toMatch(/Gustav|Paula|Soul|sub-of-(guest|pii|lost|odd)/);
    },
  );

  test('is nobody after a cancelled sign-in', async () => {
    const answer = await attempt(null);
    expect([answer.status, cookieIn(answer, COOKIE)]).toEqual([403, null]);
    expect(answer.text).toContain('The sign-in was cancelled');
  });

  test('gets a new session each time, and the one before ends', async () => {
    const first = String(cookieIn(await attempt('sub-of-nora'), COOKIE));
    const second = await attempt('sub-of-nora', { with: first });
    expect(cookieIn(second, COOKIE)).not.toBe(first);
    expect((await new ByHand(gateway, first).get('/console/session')).body).toEqual({
      signedIn: false,
      signIn: 'oidc',
    });
  });

  test('is named to others of the program, also after signing out', async () => {
    const by = new ByHand(gateway, cookieIn(await attempt('sub-of-nora'), COOKIE));
    await by.post('/console/sign-out', {});
    expect((await sessionOf(await attempt('sub-of-piet'))).names).toMatchObject({ 'sub-of-nora': 'Nora Vance' });
  });

  test('signs out at the provider as well', async () => {
    const by = new ByHand(gateway, cookieIn(await attempt('sub-of-nora'), COOKIE));
    const { body } = await by.post('/console/sign-out', {});
    const redirect = new URL(body.redirect);
    expect(redirect.origin).toBe(provider.issuer);
    expect(redirect.searchParams.get('post_logout_redirect_uri')).toBe(URL_OF_CONSOLE);
    expect((await fetch(redirect)).status).toBe(200);
    expect((await by.get('/console/session')).body.signedIn).toBe(false);
  });
});

describe('a path to go on to', () => {
  const PLACES = [
    ['/console/approvals', '/console/approvals'],
    ['/console/a/../accounts/x', '/console/accounts/x'],
    ['/console/accounts/"><script>', '/console/accounts/%22%3E%3Cscript%3E'],
    ['https://quill.example/console', '/console'],
    ['//quill.example/console', '/console'],
    [String.raw`/\quill.example/console`, '/console'],
    ['/console/../accounts', '/console'],
    ['/console/../../quill', '/console'],
    ['/consolex', '/console'],
    ['javascript:alert(1)', '/console'],
    ['/console/sign-in?to=/console', '/console'],
  ] as const;

  test('is not longer than addresses are', async () => {
    const answer = await attempt('sub-of-piet', { to: `/console/${'a'.repeat(2000)}` });
    expect(answer.text).toContain('content="0;url=/console"');
  });

  test.each(PLACES)('is one of the console: %s leads to %s', async (to, place) => {
    expect((await attempt('sub-of-piet', { to })).text).toContain(`content="0;url=${place}"`);
  });
});

describe('what does not hold is refused, and signs nobody in', () => {
  const keys = KeyRing.parse(KEYS);
  const expired = () => {
    const begun = { state: 's', nonce: 'n', verifier: 'v', to: '/console', untilMs: Date.now() - 1 };
    return `${SIGN_IN}=${keys.seal('console/sign-in', begun).toString('base64url')}`;
  };
  const set = (name: string, value: string) => (address: URL) => address.searchParams.set(name, value);
  const CASES: readonly [string, Attempt, number, string][] = [
    ['another state', { back: set('state', 'made-up') }, 403, 'The sign-in failed'],
    ['no state', { back: address => address.searchParams.delete('state') }, 403, 'The sign-in failed'],
    ['another nonce', { changed: set('nonce', 'made-up') }, 403, 'The sign-in failed'],
    ['another challenge', { changed: set('code_challenge', 'A'.repeat(43)) }, 403, 'The sign-in failed'],
    ['another code', { back: set('code', 'made-up') }, 403, 'The sign-in failed'],
    ['another issuer', { back: set('iss', 'https://quill.example') }, 403, 'The sign-in failed'],
    ['another browser', { cookie: () => 'other=1' }, 400, 'The sign-in has expired'],
    ['a cookie that somebody made', { cookie: sent => `${sent.slice(0, -6)}AAAAAA` }, 400, 'The sign-in has expired'],
    ['too long a time', { cookie: expired }, 400, 'The sign-in has expired'],
  ];

  test.each(CASES)('%s', async (_, how, status, title) => {
    const answer = await attempt('sub-of-nora', how);
    expect([answer.status, cookieIn(answer, COOKIE)]).toEqual([status, null]);
    expect(answer.text).toContain(title);
  });

  test('a code that was used before', async () => {
    const answer = await attempt('sub-of-nora');
    expect(answer.status).toBe(200);
    const replayed = await answer.again();
    expect([replayed.status, cookieIn(replayed, COOKIE)]).toEqual([403, null]);
  });

  const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const hourAgo = Math.floor(Date.now() / 1000) - 3600;
  const TAMPERED: readonly [string, IdentityProvider['tamper']][] = [
    ['without a signature', async claims => `${base64({ alg: 'none' })}.${base64(claims)}.`],
    [
      'with the signature of another token',
      async (claims, sign) => {
        const [header, , signature] = (await sign({})).split('.');
        return [header, base64(claims), signature].join('.');
      },
    ],
    ['for another client', (claims, sign) => sign({ ...claims, aud: 'another-client' })],
    ['of another issuer', (claims, sign) => sign({ ...claims, iss: 'https://quill.example' })],
    ['that has expired', (claims, sign) => sign({ ...claims, iat: hourAgo, exp: hourAgo + 60 })],
    ['without a nonce', (claims, sign) => sign({ ...claims, nonce: undefined })],
  ];

  test.each(TAMPERED)('an ID token %s', async (_, tamper) => {
    provider.tamper = tamper;
    const answer = await attempt('sub-of-nora');
    expect([answer.status, cookieIn(answer, COOKIE)]).toEqual([403, null]);
  });

  test('nobody is told which of it was wrong, and the log has no code, token or person', () => {
    expect(gateway.log.join()).toContain('nobody was signed in at the console');
    expect(gateway.log.join()).not.toMatch(/code=|eyJ|sub-of-nora|Nora/);
  });
});

test('demo people cannot sign in where there is a provider', async () => {
  const { status } = await new ByHand(gateway, null).post('/console/sign-in', { as: 'operator' });
  expect(status).toBe(405);
});

describe('the name by which a person is greeted', () => {
  test.each([
    ['name', { name: 'Nora Vance' }, 'Nora Vance'],
    ['preferred_username', { preferred_username: 'nora.v' }, 'nora.v'],
    ['neither', {}, 'sub-of-nora'],
  ])('comes from userinfo where the ID token has only what decides who gets in: %s', async (_which, names, shown) => {
    provider.left = names;
    // The ID token says who may come in, and nothing else.
    provider.tamper = async (claims, sign) => sign({ ...claims, name: undefined, preferred_username: undefined });
    expect(await sessionOf(await attempt('sub-of-nora'))).toMatchObject({ name: shown, program: 'demo' });
  });

  test('is the subject where userinfo fails, and the person is signed in all the same', async () => {
    provider.left = null;
    provider.tamper = async (claims, sign) => sign({ ...claims, name: undefined, preferred_username: undefined });
    expect(await sessionOf(await attempt('sub-of-nora'))).toMatchObject({ name: 'sub-of-nora', program: 'demo' });
  });
});

describe('a group of the provider', () => {
  const isIn = async (by: ByHand) => (await by.get('/console/session')).body.signedIn as boolean;
  const groups = (...operatorGroups: object[]) => gateway.given.programRecord('demo', { operatorGroups });
  afterEach(() => groups());

  test('lets nobody in until the program gives it roles', async () => {
    const refused = await attempt('sub-of-gina');
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('a group that has one of them')]);
    await groups(
      { name: 'Bank Operations', roles: ['operator'] },
      { name: 'Auditors', roles: ['pii', 'operator'] },
      { name: 'Tellers', roles: ['approver'] },
    );
    expect((await sessionOf(await attempt('sub-of-gina'))).roles).toEqual(['operator', 'pii']);
    // Roles that the provider names hold beside those of groups.
    expect((await sessionOf(await attempt('sub-of-nora'))).roles).toEqual(['operator', 'pii']);
  });

  test('ends the sessions of its people when it loses a role', async () => {
    await groups({ name: 'Auditors', roles: ['viewer', 'pii'] });
    const by = new ByHand(gateway, cookieIn(await attempt('sub-of-gina'), COOKIE));
    const asked = () =>
      gateway.sql.query(
        "UPDATE console_session SET asked_at = now() - interval '6 minutes' WHERE subject = 'sub-of-gina'",
      );
    await asked();
    expect(await isIn(by)).toBe(true);
    await groups({ name: 'Auditors', roles: ['viewer'] });
    await asked();
    expect(await isIn(by)).toBe(false);
  });
});

describe('the provider is asked again', () => {
  const aged = (minutes: number, column: 'asked_at' | 'confirmed_at' = 'asked_at') =>
    gateway.sql.query(`UPDATE console_session SET ${column} = now() - $1 * interval '1 minute'`, [minutes]);
  const signed = async () => new ByHand(gateway, cookieIn(await attempt('sub-of-mira'), COOKIE));
  const isIn = async (by: ByHand) => (await by.get('/console/session')).body.signedIn as boolean;
  const mira = PEOPLE['sub-of-mira'] as { roles: string[] };
  afterEach(() => {
    mira.roles = ['operator', 'approver'];
    provider.refreshes = true;
  });

  test.each([
    ['by a refresh token', true],
    ['at the userinfo endpoint, where it gives no refresh token', false],
  ])('%s, and a session ends within minutes of a role', async (_how, refreshes) => {
    provider.refreshes = refreshes;
    const by = await signed();
    // The one that is asked with changes each time.
    for (let n = 0; n < 3; n++) {
      await aged(6);
      expect(await isIn(by)).toBe(true);
    }
    mira.roles = ['operator'];
    await aged(4);
    expect(await isIn(by)).toBe(true);
    await aged(6);
    expect(await isIn(by)).toBe(false);
    const { rows } = await gateway.sql.query(
      "SELECT client_id, action FROM event WHERE data ->> 'person' = 'sub-of-mira' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([{ client_id: 'tillgate', action: 'console.sign_out' }]);
    expect((await sessionOf(await attempt('sub-of-mira'))).roles).toEqual(['operator']);
  });

  test('for a page that has a stream open and sends nothing else', async () => {
    const by = await signed();
    const { account } = await gateway.given.account({ program: 'demo' });
    const subscription = (await pageDocuments()).find(({ type }) => type === 'subscription') as PageDocument;
    const stream = await fetch(`${gateway.url}/console/graphql`, {
      method: 'POST',
      headers: {
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        cookie: String(by.cookie),
      },
      body: JSON.stringify({
        variables: await leastVariables(subscription, { accountId: account }),
        extensions: { persistedQuery: { version: 1, sha256Hash: subscription.id } },
      }),
    });
    expect(stream.status).toBe(200);
    mira.roles = ['operator'];
    await aged(6);
    expect(await stream.text()).toContain('"code":"SIGN_IN_REQUIRED"');
  });

  test('once by requests that come at the same moment', async () => {
    const by = await signed();
    await aged(6);
    const answers = await Promise.all(Array.from({ length: 8 }, () => isIn(by)));
    expect(answers).toEqual(answers.map(() => true));
    await aged(6);
    expect(await isIn(by)).toBe(true);
  });

  test('while it is away sessions go on for some times as long, and then end', async () => {
    const by = await signed();
    await provider.goDown();
    try {
      await aged(6);
      expect(await isIn(by)).toBe(true);
      await aged(6);
      await aged(21, 'confirmed_at');
      expect(await isIn(by)).toBe(false);
    } finally {
      await provider.comeUp();
    }
  });
});

test('a gateway starts while its provider is away, says so, and signs in once it is back; claims may be elsewhere', async () => {
  await provider.goDown();
  await provider.serve(URL_OF_CONSOLE, { inIdToken: false });
  const settings = { ...provider.settings(URL_OF_CONSOLE), CONSOLE_ROLES_CLAIM: '/realm_access/roles,roles' };
  const other = await startTestGateway({
    databaseUrl: database.url,
    fieldKeys: KEYS,
    console: readConfig(settings).console,
  });
  try {
    const away = await other.http.send({ path: '/console/sign-in' });
    expect([away.status, away.text]).toEqual([503, expect.stringContaining('The identity provider cannot be reached')]);
    expect((await other.http.send({ path: '/readyz' })).status).toBe(200);
    await provider.comeUp();
    const answer = await attempt('sub-of-kaya', { through: other });
    // Only the userinfo endpoint has these claims, and the session is one of every process.
    expect(await sessionOf(answer, other)).toMatchObject({
      subject: 'sub-of-kaya',
      name: 'sub-of-kaya',
      roles: ['viewer'],
    });
  } finally {
    await other.stop();
  }
});
