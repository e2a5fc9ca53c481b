import type { Role } from './session.roles.js';
import type { Person } from './session.service.js';

const person = (subject: string, name: string, roles: readonly Role[]): Person => ({
  program: 'demo',
  subject,
  name,
  roles,
  idToken: null,
  refreshToken: null,
  accessToken: null,
});

/** The people as whom a button signs in where no provider is configured. Nobody has these names. */
export const DEMO_PEOPLE = {
  viewer: person('demo-viewer', 'Vera Lindqvist', ['viewer']),
  operator: person('demo-operator', 'Otto Marlowe', ['operator', 'pii']),
  approver: person('demo-approver', 'Ada Brightwater', ['approver']),
} as const;

export type DemoPerson = keyof typeof DEMO_PEOPLE;
