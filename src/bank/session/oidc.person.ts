import type { JWTPayload } from 'jose';
import { isClientId, personIn } from '../../platform/auth/token-identity.js';
import { findClaim, type ClaimPath } from '../../platform/auth/token-profile.js';
import { Unauthenticated } from '../../shared/errors.js';
import { BANK_ID } from '../../shared/ids.js';
import type { ProviderSettings } from './console.settings.js';
import type { GroupRoles } from '../../shared/operator-roles.js';
import { letsIn, rolesAmong, rolesOfGroups } from './session.roles.js';
import { SignInFailed } from './oidc.errors.js';
import type { Person } from './session.service.js';

/** The roles that a program gives to groups of its provider. */
export type GroupsOfProgram = (program: string) => Promise<readonly GroupRoles[]>;

/** The person that the verified claims of a provider describe. Throws `SignInFailed`. */
export async function personOf(
  claims: JWTPayload,
  settings: ProviderSettings,
  groupsOf: GroupsOfProgram,
  tokens: Pick<Person, 'idToken' | 'refreshToken' | 'accessToken'>,
): Promise<Person> {
  const { sub = '' } = claims;
  if (!isClientId(sub)) throw new SignInFailed('not_allowed', 'The claim sub is missing, or not a usable text.');
  const [program] = textsAt(claims, settings.programClaim);
  if (program === undefined || !BANK_ID.test(program)) {
    throw new SignInFailed('not_allowed', 'The claim in CONSOLE_PROGRAM_CLAIM is missing, or not the id of a program.');
  }
  const names = textsAt(claims, settings.rolesClaim);
  const roles = rolesAmong([...names, ...rolesOfGroups(await groupsOf(program), names)]);
  if (!letsIn(roles)) {
    throw new SignInFailed(
      'not_allowed',
      'The claim in CONSOLE_ROLES_CLAIM has none of viewer, operator, approver, nor a group to which the program gives one of them.',
    );
  }
  const personId = personAt(claims, settings.personClaim);
  return { program, subject: sub, roles, name: namesIn(claims)[0] ?? sub, ...tokens, personId };
}

/** True if the claims have those that decide who comes in. Throws `SignInFailed`. */
export function isDecisive(claims: JWTPayload, { programClaim, rolesClaim }: ProviderSettings): boolean {
  return [programClaim, rolesClaim].every(paths => textsAt(claims, paths).length > 0);
}

/** True if the claims have a name by which the person can be greeted. */
export function hasName(claims: JWTPayload): boolean {
  return namesIn(claims).length > 0;
}

/** True if the claims tell the person, where a setting names a claim that does. */
export function hasPerson(claims: JWTPayload, { personClaim }: ProviderSettings): boolean {
  return personClaim === null || personAt(claims, personClaim) !== null;
}

/** The texts in a claim: it is a list, or one text with spaces between them. */
function textsAt(claims: JWTPayload, paths: readonly ClaimPath[]): string[] {
  const value = valueAt(claims, paths);
  const texts: unknown[] = typeof value === 'string' ? value.split(' ') : Array.isArray(value) ? value : [];
  return texts.filter(text => typeof text === 'string' && text !== '') as string[];
}

/** Throws `SignInFailed` for a person who is no usable text. */
function personAt(claims: JWTPayload, paths: readonly ClaimPath[] | null): string | null {
  try {
    return personIn(claims, paths) ?? null;
  } catch (error) {
    if (error instanceof Unauthenticated) throw new SignInFailed('not_allowed', error.reason ?? error.message);
    throw error;
  }
}

function valueAt(claims: JWTPayload, paths: readonly ClaimPath[]): unknown {
  try {
    return findClaim(claims, paths)?.value;
  } catch (error) {
    if (error instanceof Unauthenticated) throw new SignInFailed('not_allowed', error.reason ?? error.message);
    throw error;
  }
}

function namesIn({ name, preferred_username: userName }: JWTPayload): string[] {
  return [name, userName].filter(text => typeof text === 'string' && isClientId(text)) as string[];
}
