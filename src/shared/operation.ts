import type { Permission, Scope } from './caller.js';
import type { Refusal } from './errors.js';
import type { ProblemCode } from './problems.js';

/** Codes of the refusals of a command that the program may want another person to approve. */
export const WAITING_CODES = [
  'approval_required',
  'approval_rejected',
  'approval_expired',
  'idempotency_key_required',
  'too_many_approvals',
  'agents_only_read',
  'agent_reason_required',
] as const satisfies readonly ProblemCode[];

/** Codes with which every field of GraphQL may refuse, so that none declares them. */
export const CODES_OF_EVERY_FIELD = [
  'unauthenticated',
  'insufficient_scope',
  'program_wide_only',
  'not_for_agents',
  'invalid_input',
  'rule_broken',
  'rate_limited',
  'unavailable',
  'internal_error',
] as const satisfies readonly ProblemCode[];

/** Codes with which every mutation may refuse besides. */
export const CODES_OF_EVERY_MUTATION = [
  'idempotency_key_reused',
  'idempotency_in_progress',
] as const satisfies readonly ProblemCode[];

interface Terms {
  /** The scope of the access token, or several that it needs together; an empty list where every token will do. */
  readonly scope: Scope | readonly Scope[];
  /** True if the token must be one of the program where the scopes do not say so. */
  readonly isProgramWide?: boolean;
  /** True if it shows what cannot be masked, so that no agent may ask for it. */
  readonly isForPeople?: boolean;
  /** The name under which an attempt by a caller who may not is on record; that of the operation when absent. */
  readonly deniedAs?: string;
  /** True if it waits where the program wants another person to approve it, and always where an agent sends it. */
  readonly mayWait?: boolean;
  /**
   * The refusals over GraphQL and REST besides those that every operation may have: what is not there, and what its
   * state forbids. Each stands for its code, and is the example of it.
   */
  readonly refusals?: () => readonly Refusal[];
}

/**
 * An operation that clients can ask for: the one place that says which scopes it takes and with which codes it refuses.
 * Its service, its field of GraphQL, its route and its part of the OpenAPI document have that from here.
 */
export interface DeclaredOperation extends Permission {
  /** The name of its command, such as `beneficiary.add`, or what is like one, such as `beneficiary.list`. */
  readonly name: string;
  readonly isForPeople: boolean;
  readonly deniedAs?: string | undefined;
  readonly mayWait: boolean;
  readonly refusals: () => readonly Refusal[];
}

export function operation(
  name: string,
  { scope, isProgramWide = false, isForPeople = false, deniedAs, mayWait = false, refusals = () => [] }: Terms,
): DeclaredOperation {
  const scopes = typeof scope === 'string' ? [scope] : scope;
  return { name, scopes, isProgramWide, isForPeople, deniedAs, mayWait, refusals };
}

/** The codes with which an operation refuses besides those that every one may have, without repetitions. */
export function codesOf({ refusals, mayWait }: DeclaredOperation): readonly string[] {
  return [...new Set([...refusals().map(({ code }) => code), ...(mayWait ? WAITING_CODES : [])])];
}
