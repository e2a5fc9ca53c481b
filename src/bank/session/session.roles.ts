import type { Scope } from '../../shared/caller.js';
import { OPERATOR_ROLES, type GroupRoles, type OperatorRole } from '../../shared/operator-roles.js';

const VIEWER = [
  ...(['accounts.read', 'beneficiaries.read', 'statements.read', 'transactions.read', 'cards.read'] as const),
  'operations.read',
] as const;

/** The scopes that each role allows. */
const SCOPES_OF = {
  viewer: VIEWER,
  operator: [...VIEWER, 'beneficiaries.write', 'owners.write', 'cards.write', 'operations'],
  approver: [...VIEWER, 'approvals'],
  pii: ['pii.read'],
} as const satisfies Record<OperatorRole, readonly Scope[]>;

export type Role = OperatorRole;
export const ROLES = OPERATOR_ROLES;

/** Roles that let somebody in. `pii` only adds to them. */
const ENTRIES: readonly Role[] = ['viewer', 'operator', 'approver'];

/** Scopes that only the operations use that are there for them: everything else shows personal data masked. */
const RESERVED: ReadonlySet<Scope> = new Set(['pii.read']);

export interface RoleScopes {
  readonly usual: ReadonlySet<Scope>;
  readonly reserved: ReadonlySet<Scope>;
}

/** The known ones of these roles, each once. */
export function rolesAmong(names: readonly string[]): Role[] {
  return ROLES.filter(role => names.includes(role));
}

/** The roles that a program gives to groups of these names. */
export function rolesOfGroups(groups: readonly GroupRoles[], names: readonly string[]): Role[] {
  return groups.filter(({ name }) => names.includes(name)).flatMap(({ roles }) => roles);
}

/** True if somebody with these roles may use the console. */
export function letsIn(roles: readonly Role[]): boolean {
  return roles.some(role => ENTRIES.includes(role));
}

export function scopesOf(roles: readonly Role[]): RoleScopes {
  const scopes = roles.flatMap((role): readonly Scope[] => SCOPES_OF[role]);
  return {
    usual: new Set(scopes.filter(scope => !RESERVED.has(scope))),
    reserved: new Set(scopes.filter(scope => RESERVED.has(scope))),
  };
}
