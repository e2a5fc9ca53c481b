import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { SESSION_EVENTS } from './session.events.js';
import { OperatorSessionResolver } from './operator-session.resolver.js';
import { OperatorSessionService } from './operator-session.service.js';
import { ConsoleSession } from './session.entity.js';
import { SessionService } from './session.service.js';
import { sweepSessions } from './session.sweep.js';
import { operatorSessionRest } from './operator-session.rest.js';

interface Needs {
  readonly programCommands: ProgramCommands;
}

/** The sessions of the console. Its page is served beside the API. */
export const sessionNoun = noun({
  entities: [ConsoleSession],
  events: SESSION_EVENTS,
  services: ({ database, keys, programCommands }: NounBase & Needs) => {
    const sessions = new SessionService(database, keys);
    return {
      sessions,
      operatorSessions: new OperatorSessionService(sessions, sessions.repository, programCommands),
    };
  },
  resolvers: [resolver(OperatorSessionResolver, 'operatorSessions')],
  rest: () => [operatorSessionRest],
  jobs: async (of, { log }) => [sweepSessions(of.sessions, log)],
});
