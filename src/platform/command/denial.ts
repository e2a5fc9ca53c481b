import type { Caller } from '../../shared/caller.js';
import { NotForAgents, type Refusal } from '../../shared/errors.js';
import type { DeclaredOperation } from '../../shared/operation.js';

/** An attempt that a caller was not allowed to make. */
export interface Denial {
  readonly caller: Caller;
  /** The name of the command. */
  readonly action: string;
  /** As it was sent; null where no account was named. */
  readonly accountId: string | null;
  /** The code of the refusal, or what says more to the program that keeps the record. */
  readonly code: string;
  /** The program that keeps the record, where it is known. */
  readonly program?: string;
}

/** The reason why a caller may not give a command: its scopes, or that an agent's could not wait. Null if it may. */
export function refusalOfWrite(caller: Caller, operation: DeclaredOperation): Refusal | null {
  const refusal = caller.refusalOf(operation);
  return refusal ?? (caller.isAgent && !operation.mayWait ? new NotForAgents() : null);
}

/**
 * Throws `InsufficientScope`, `ProgramWideOnly` or `NotForAgents`, and puts the attempt on record, unless the caller may
 * give a command.
 */
export function allowing(
  operation: DeclaredOperation,
  deny: (denial: Denial) => void,
): (caller: Caller, accountId: string | null) => void {
  return (caller, accountId) => {
    const refusal = refusalOfWrite(caller, operation);
    if (!refusal) return;
    deny({ caller, action: operation.deniedAs ?? operation.name, accountId, code: refusal.code });
    throw refusal;
  };
}
