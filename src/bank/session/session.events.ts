import type { EventType, FactsByName } from '../../platform/feed/event-types.js';
import { list, oneOf, text } from '../../platform/openapi/schema.js';
import { ROLES } from './session.roles.js';

/** The client of everything that people do at the console; the subject is the person. */
export const CONSOLE_CLIENT = 'console';

const SESSION = '9b6d2c1e-70a4-4f5b-8a3f-51f0c2d7e984';

function sessionEvent(
  verb: 'in' | 'out',
  description: string,
  facts: EventType['facts'],
  example: FactsByName,
): EventType {
  return {
    type: `console.signed_${verb}`,
    action: `console.sign_${verb}`,
    description,
    scope: 'operations.read',
    isOfProgram: true,
    id: 'sessionId',
    facts,
    example: {
      sessionId: SESSION,
      ...example,
    },
  };
}

export const SESSION_EVENTS: readonly EventType[] = [
  sessionEvent(
    'in',
    'A person signed in at the console.',
    {
      roles: list(oneOf(ROLES, 'A role of the person.'), 'What the person may do at the console.', ROLES.length),
      way: oneOf(['DEMO', 'OIDC'], 'How: as one of the demo people, or at the identity provider of the bank.'),
    },
    { roles: ['operator'], way: 'OIDC' },
  ),
  sessionEvent(
    'out',
    'A person signed out of the console, or an operator ended the session.',
    { person: text('The subject of the session that ended.') },
    { person: '248289761001' },
  ),
];
