import type { IncomingMessage, ServerResponse } from 'node:http';
import { exchangeOf } from '../../platform/http/exchange.js';
import { SignInRequired } from '../../shared/errors.js';
import { noSessionCookie, sessionCookie, sessionSecretIn } from './cookies.js';
import type { SignInWay } from './session.entity.js';
import type { Person, Session, SessionService } from './session.service.js';

/** The session of a browser: the cookie stands for it. */
export class BrowserSession {
  constructor(private readonly sessions: SessionService) {}

  /** Null where nobody is signed in, whatever the reason is. */
  async find(request: IncomingMessage): Promise<Session | null> {
    try {
      return await this.sessions.find(sessionSecretIn(request));
    } catch (error) {
      if (error instanceof SignInRequired) return null;
      throw error;
    }
  }

  /** The names of the people who share a program with this one, by their subjects: who did something is shown by name. */
  names({ program }: Session): Promise<Readonly<Record<string, string>>> {
    return this.sessions.names(program);
  }

  /**
   * Begins a session in place of the one that the browser had, if any. Its secret is new in any case: one that somebody
   * planted in the browser before the sign-in opens nothing (session fixation).
   */
  async begin(request: IncomingMessage, response: ServerResponse, person: Person, way: SignInWay): Promise<Session> {
    await this.endOf(request);
    const { session, secret } = await this.sessions.begin(person, way, exchangeOf(request).requestId);
    response.appendHeader('Set-Cookie', sessionCookie(secret));
    return session;
  }

  /** Gives the session that ended; null if there was none. */
  async end(request: IncomingMessage, response: ServerResponse): Promise<Session | null> {
    response.appendHeader('Set-Cookie', noSessionCookie());
    return this.endOf(request);
  }

  private async endOf(request: IncomingMessage): Promise<Session | null> {
    const session = await this.find(request);
    if (session) await this.sessions.end(session, exchangeOf(request).requestId);
    return session;
  }
}
