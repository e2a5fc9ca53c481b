import type { KeyRing } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import { noun } from '../platform/noun/noun.js';
import { CONSOLE_EVENTS } from './console.events.js';
import { ConsoleSession } from './session.entity.js';
import { SessionService } from './session.service.js';
import { sweepSessions } from './session.sweep.js';

interface Needs {
  readonly database: Database;
  readonly keys: KeyRing;
}
export interface Services {
  readonly sessions: SessionService;
}

/** The sessions of the console. Its page is served beside the API. */
export const consoleNoun = noun<Needs>()({
  entities: [ConsoleSession],
  events: CONSOLE_EVENTS,
  services: ({ database, keys }): Services => ({ sessions: new SessionService(database, keys) }),
  jobs: async (of, { log }) => [sweepSessions(of.sessions, log)],
});
