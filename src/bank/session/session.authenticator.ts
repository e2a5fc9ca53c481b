import { requireOwnPage } from '../../platform/http/browsers.js';
import type { Exchange, OwnPage } from '../../platform/http/exchange.js';
import type { Identity } from '../../shared/caller.js';
import { CONSOLE_CLIENT } from './session.events.js';
import { scopesOf } from './session.roles.js';
import { sessionSecretIn } from './cookies.js';
import type { SessionService } from './session.service.js';

/** Says who calls from the page of the console: the person whose session the cookie stands for. */
export class SessionAuthenticator implements OwnPage {
  /** `tellsPersons`: whether a claim names the person. A session without that claim is then an unknown person. */
  constructor(
    private readonly sessions: SessionService,
    private readonly tellsPersons: boolean,
  ) {}

  /** Throws `ForeignPage`, `SignInRequired`. */
  async identify({ request }: Exchange): Promise<Identity> {
    requireOwnPage(request);
    const { sessionId, program, subject, roles, personId = null } = await this.sessions.use(sessionSecretIn(request));
    const { usual, reserved } = scopesOf(roles);
    const signIn = { id: sessionId, reserved, watch: this.sessions.watch(sessionId) };
    const person = this.tellsPersons ? { person: personId } : {};
    return { program, clientId: CONSOLE_CLIENT, subject, ...person, customerId: null, scopes: usual, signIn };
  }
}
