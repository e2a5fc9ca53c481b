/** The roles of a person at the console; `pii` only adds to the others. */
export const OPERATOR_ROLES = ['viewer', 'operator', 'approver', 'pii'] as const;

export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** The roles of a group of the identity provider. */
export interface GroupRoles {
  /** The group as the provider's claim names it. */
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}
