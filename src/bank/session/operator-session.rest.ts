import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { FORMS } from '../../platform/openapi/schema.js';
import { OperatorSessionNotFound } from './operator-session.errors.js';
import { END_SESSION, READ_SESSIONS } from './operator-session.operations.js';
import { ROLES } from './session.roles.js';
import { OperatorSession } from './operator-session.js';
import { contractRecord } from '../../platform/http/json.js';
import type { OperatorSessionService } from './operator-session.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';
import type { PathParameter } from '../../platform/rest/rest-words.js';

/** The limit of what a token names, which is no longer. */
const NAMED = { maxLength: 255 };
const ID = '9b6d2c1e-70a4-4f5b-8a3f-51f0c2d7e984';
const SESSION_ID: PathParameter = {
  description: 'The id of the session, in upper or lower case.',
  schema: FORMS.UUID,
  example: ID,
  unknown: () => new OperatorSessionNotFound(),
};

interface Services {
  readonly operatorSessions: OperatorSessionService;
}
const rest = restOver<Services>();

/** The people who are signed in at the console. */
export const operatorSessionRest: RestPart<Services> = {
  tag: { name: 'Console', description: 'Who is signed in at the console of the program.' },
  records: [
    {
      of: OperatorSession,
      differs: {
        subject: NAMED,
        name: NAMED,
        roles: { maxItems: ROLES.length, items: { type: 'string', enum: [...ROLES] } },
      },
      example: { sessionId: ID, subject: '248289761001', name: 'Ana Ruiz', roles: ['operator'], isOwn: false },
    },
  ],
  operations: {
    listOperatorSessions: rest(READ_SESSIONS, 'GET /operator-sessions', {
      summary: 'List who is signed in at the console',
      description: 'The people of the program who are signed in at the console, the newest first, page by page.',
      page: {
        name: 'OperatorSessionPage',
        description: 'A page of the sessions of the console.',
        elements: ['operatorSessions', 'The newest first.', ref('OperatorSession')],
        next: '/operator-sessions?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, page }, { operatorSessions }) => operatorSessions.page(caller, page),
      show: contractRecord,
    }),
    endOperatorSession: rest(END_SESSION, 'DELETE /operator-sessions/{sessionId}', {
      summary: 'Sign a person out of the console',
      description:
        'The next request of the session is refused, and its open streams end within 2 seconds. A person whom the identity provider still lets in can sign in again: block the person there first.',
      path: { sessionId: SESSION_ID },
      run: ({ caller, path }, { operatorSessions }) => operatorSessions.end(caller, path.sessionId),
      answer: answer('The session that ended.', 'OperatorSession'),
      show: contractRecord,
    }),
  },
};
