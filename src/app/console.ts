import type { RequestHandler, Router } from 'express';
import { BrowserSession } from '../bank/session/browser-session.js';
import { SessionAuthenticator } from '../bank/session/session.authenticator.js';
import { operationsFile, readConsolePage } from '../bank/session/console.page.js';
import { consoleSite } from '../bank/session/console.site.js';
import { OidcProvider } from '../bank/session/oidc.provider.js';
import type { SessionService } from '../bank/session/session.service.js';
import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { PageManifest } from '../platform/graphql/page-operations.js';
import type { OwnPage } from '../platform/http/exchange.js';
import type { Gate } from '../platform/http/gate.js';
import type { Logger } from '../platform/logging/logger.js';
import type { ProgramService } from '../bank/program/program.service.js';
import { hasConsole, type Config } from './config.js';

/** The console, as the gateway serves it. */
export interface Console {
  readonly page: OwnPage;
  readonly operations: PageManifest;
  /** Gets what requests for files pass. */
  routes(files: readonly RequestHandler[]): Router;
}

interface ConsoleParts {
  readonly sessions: SessionService;
  readonly programs: ProgramService;
  readonly keys: KeyRing;
  readonly gate: Gate;
  readonly log: Logger;
}

/** The operation that shows personal data, and that alone has the scope for it. */
const REVEALING = ['RevealPersonalData'];

/** Null where it is off. */
export async function openConsole(
  config: Config,
  { sessions, programs, keys, gate, log }: ConsoleParts,
): Promise<Console | null> {
  if (!config.console) return null;
  if (!hasConsole(config)) {
    log.info('the console is not served: it needs CONSOLE_OIDC_ISSUER, and the settings beside it, in production');
    return null;
  }
  const { provider } = config.console;
  const page = await readConsolePage();
  if (!page) {
    log.warn('the console is not served, since its page was not built: run npm run build, or set CONSOLE to false');
    return null;
  }
  const { host, sandbox } = config;
  const options = {
    page,
    host,
    sandbox,
    gate,
    log,
    browser: new BrowserSession(sessions),
    provider: provider && new OidcProvider(provider, keys, program => programs.groupsOf(program)),
  };
  if (provider && options.provider) {
    const oidc = options.provider;
    sessions.checkWith({ everySeconds: provider.recheckMinutes * 60, ask: person => oidc.ask(person) });
  }
  return {
    page: new SessionAuthenticator(sessions, Boolean(provider?.personClaim)),
    operations: { file: operationsFile(), reserved: REVEALING },
    routes: files => consoleSite({ ...options, files }),
  };
}
