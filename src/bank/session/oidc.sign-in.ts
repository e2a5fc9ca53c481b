import type { Response, Router } from 'express';
import { exchangeOf, type Exchange } from '../../platform/http/exchange.js';
import type { Gate } from '../../platform/http/gate.js';
import { searchOf } from '../../platform/http/query.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { BrowserSession } from './browser-session.js';
import { begunSignInIn, noSignInCookie, signInCookie } from './cookies.js';
import { sendFailure, sendOnward } from './sign-in.notice.js';
import { SignInFailed } from './oidc.errors.js';
import type { OidcProvider } from './oidc.provider.js';
import type { Person } from './session.service.js';

const HOME = '/console';
const MAX_PATH_CHARACTERS = 1024;
/** Addresses of the console that are no places to go on to. */
const NO_PLACES = /^\/console\/(assets|callback|files|graphql|session|sign-in|sign-out)(\/|$)/;

export interface OidcRoutesOptions {
  readonly provider: OidcProvider;
  readonly browser: BrowserSession;
  readonly gate: Gate;
  readonly log: Logger;
}

/** Signing in at the provider: there, and back. */
export function addOidcRoutes(router: Router, { provider, browser, gate, log }: OidcRoutesOptions): void {
  router.get('/console/sign-in', async (req, res) => {
    const exchange = exchangeOf(req);
    const to = placeIn(new URLSearchParams(searchOf(req)).get('to'));
    const begun = await orFailure(exchange, () => provider.begin(to));
    if (!begun) return;
    res.setHeader('Set-Cookie', signInCookie(begun.kept));
    res.writeHead(302, { Location: begun.address }).end();
  });

  router.get('/console/callback', async (req, res) => {
    const exchange = exchangeOf(req);
    const finish = () => orFailure(exchange, () => provider.finish(searchOf(req), begunSignInIn(req)));
    res.setHeader('Set-Cookie', noSignInCookie());
    const finished = await gate.guard(exchange, finish, result => result === null);
    if (finished) await signIn(exchange, res, finished);
  });

  async function signIn(
    exchange: Exchange,
    res: Response,
    { person, to }: { readonly person: Person; readonly to: string },
  ): Promise<void> {
    await browser.begin(exchange.request, res, person, 'oidc');
    sendOnward(exchange, to);
  }

  /** Shows the person why it failed, and gives null. */
  async function orFailure<Result>(exchange: Exchange, work: () => Promise<Result>): Promise<Result | null> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      const { failure, message } = error;
      log.warn({ requestId: exchange.requestId, failure, reason: message }, 'nobody was signed in at the console');
      sendFailure(exchange, failure);
      return null;
    }
  }
}

/** A path of the console, as the gateway was asked to go on to it; its first page for anything else. */
function placeIn(to: string | null): string {
  const base = 'http://console.invalid';
  if (to === null || to.length > MAX_PATH_CHARACTERS || !to.startsWith('/') || !URL.canParse(to, base)) return HOME;
  const { origin, pathname, search } = new URL(to, base);
  const isOfConsole = pathname === HOME || pathname.startsWith(`${HOME}/`);
  return origin === base && isOfConsole && !NO_PLACES.test(pathname) ? `${pathname}${search}` : HOME;
}
