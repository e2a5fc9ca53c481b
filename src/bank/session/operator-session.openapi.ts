import { ref } from '../../platform/input/json-schema.js';
import { answer, parameter, type Parameter, type Part } from '../../platform/openapi/operation.js';
import { FORMS } from '../../platform/openapi/schema.js';
import { OperatorSessionNotFound } from './operator-session.errors.js';
import { END_SESSION, READ_SESSIONS } from './operator-session.operations.js';
import { ROLES } from './session.roles.js';
import { OperatorSession } from './operator-session.js';

const LIST = '/operator-sessions';
/** What a token names is no longer. */
const NAMED = { maxLength: 255 };
const ID = '9b6d2c1e-70a4-4f5b-8a3f-51f0c2d7e984';
const SESSION_ID: Parameter = {
  ...parameter('path', 'sessionId', 'The id of the session, in upper or lower case.', FORMS.UUID, ID),
  unknown: () => new OperatorSessionNotFound(),
};

/** The people who are signed in at the console. */
export const operatorSessionApi: Part = {
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
    listOperatorSessions: {
      route: `GET ${LIST}`,
      summary: 'List who is signed in at the console',
      description: 'The people of the program who are signed in at the console, the newest first, page by page.',
      of: READ_SESSIONS,
      page: {
        name: 'OperatorSessionPage',
        description: 'A page of the sessions of the console.',
        elements: ['operatorSessions', 'The newest first.', ref('OperatorSession')],
        next: '/operator-sessions?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    endOperatorSession: {
      route: `DELETE ${LIST}/{sessionId}`,
      summary: 'Sign a person out of the console',
      description:
        'The next request of the session is refused, and its open streams end within 2 seconds. A person whom the identity provider still lets in can sign in again: block the person there first.',
      of: END_SESSION,
      parameters: [SESSION_ID],
      answers: { 200: answer('The session that ended.', 'OperatorSession') },
    },
  },
};
