import type { Request, RequestHandler, Response, Router } from 'express';
import { readJson } from '../../platform/http/body.js';
import { requireOwnHost, requireOwnPage } from '../../platform/http/browsers.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { exchangeOf } from '../../platform/http/exchange.js';
import { MethodNotAllowed, RouteNotFound } from '../../platform/http/problem.js';
import { codingFor, sendWhole } from '../../platform/http/send.js';
import { InvalidInput } from '../../shared/errors.js';
import type { BrowserSession } from './browser-session.js';
import type { ConsolePage } from './console.page.js';
import { scopesOf } from './session.roles.js';
import { sendShell } from './console.shell.js';
import { DEMO_PEOPLE, type DemoPerson } from './demo-people.js';
import { addOidcRoutes, type OidcRoutesOptions } from './oidc.sign-in.js';
import type { OidcProvider } from './oidc.provider.js';
import type { Session } from './session.service.js';

const YEAR_SECONDS = 365 * 24 * 3600;
const READING = ['GET', 'HEAD'];

export interface ConsoleOptions extends Omit<OidcRoutesOptions, 'provider'> {
  readonly page: ConsolePage;
  readonly browser: BrowserSession;
  /** Null where people sign in as one of the demo people. */
  readonly provider: OidcProvider | null;
  /** The host that the gateway listens on. */
  readonly host: string;
  /** True if things can be made to happen. */
  readonly sandbox: boolean;
  /** The handlers that requests for documents and exports pass: admission, and the routes of the API. */
  readonly files: readonly RequestHandler[];
}

/** The page of the console, who is signed in at it, and files for it. Its GraphQL is that of the API. */
export function consoleSite(options: ConsoleOptions): Router {
  const { page, browser, provider, host, files } = options;
  const router = exactRouter();

  router.get('/console/assets/:name', (req, res) => sendAsset(page, req, res));

  router.get('/console/session', async (req, res) => {
    requireOwnPage(req);
    const session = await browser.find(req);
    // Without a session the answer is 200 all the same: browsers write each refusal to their developer console.
    res.json(
      session
        ? { ...shown(session, options), names: await browser.names(session) }
        : { signedIn: false, signIn: provider ? 'oidc' : 'demo' },
    );
  });

  router.post('/console/sign-out', async (req, res) => {
    requireOwnPage(req);
    const ended = await browser.end(req, res);
    res.json({ redirect: (provider && ended?.idToken && (await provider.signOutAddress(ended.idToken))) || null });
  });

  if (provider) addOidcRoutes(router, { ...options, provider });
  else {
    router.post('/console/sign-in', async (req, res) => {
      requireOwnHost(req, host);
      requireOwnPage(req);
      const person = demoPersonIn(await readJson(req));
      res.json(shown(await browser.begin(req, res, person, 'demo'), options));
    });
  }

  router.use('/console/files', onlyReading, ...files, () => {
    throw new RouteNotFound();
  });

  const shell: RequestHandler = req => sendShell(exchangeOf(req), page, provider ? 'oidc' : 'demo');
  router.get('/console', shell);
  router.get('/console/', shell);
  router.get('/console/*path', shell);
  return refuseOtherMethods(router);
}

const onlyReading: RequestHandler = (req, _res, next) => {
  if (!READING.includes(req.method)) throw new MethodNotAllowed(READING);
  exchangeOf(req).isFramed = req.headers['sec-fetch-dest'] === 'iframe';
  next();
};

function shown(session: Session, { sandbox }: ConsoleOptions): object {
  const { subject, name, program, roles, signIn, idleUntil, endsAt } = session;
  const { usual, reserved } = scopesOf(session.roles);
  const scopes = [...usual, ...reserved];
  return { signedIn: true, subject, name, program, roles, scopes, signIn, sandbox, idleUntil, endsAt };
}

function demoPersonIn(body: unknown): (typeof DEMO_PEOPLE)[DemoPerson] {
  const { as } = Object(body) as { as?: unknown };
  if (typeof as === 'string' && Object.hasOwn(DEMO_PEOPLE, as)) return DEMO_PEOPLE[as as DemoPerson];
  const detail = `Must be one of ${Object.keys(DEMO_PEOPLE).join(', ')}.`;
  throw new InvalidInput('malformed', [{ pointer: '/as', code: 'wrong_type', detail }]);
}

/** The codings that the build packs files in. */
const PACKED = ['br', 'gzip'] as const;

function sendAsset({ assets }: ConsolePage, req: Request<{ name: string }>, res: Response): void {
  const asset = assets.get(req.params.name);
  if (!asset) throw new RouteNotFound();
  const { type, forms } = asset;
  const coding = codingFor(req, PACKED);
  const packed = coding === null ? undefined : forms[coding];
  res.vary('Accept-Encoding');
  const headers = {
    'Content-Type': type,
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
    ...(packed && { 'Content-Encoding': coding ?? '' }),
  };
  sendWhole(exchangeOf(req), 200, headers, packed ?? forms.identity);
}
