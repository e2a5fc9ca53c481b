import { SessionService } from '../../src/console/session.service.js';
import { unique, type TestGateway } from './gateway.js';

/** Signs somebody of a program in at the console, as its page does. */
export async function signedIn({ gateway }: TestGateway, program: string, name = 'Ana Ruiz') {
  const { database, keys } = gateway.container;
  const person = { program, subject: unique('person'), name, roles: ['viewer'] as const };
  const tokens = { idToken: null, refreshToken: null, accessToken: null };
  const { session } = await new SessionService(database, keys).begin(
    { ...person, ...tokens },
    'demo',
    unique('request'),
  );
  return session;
}
