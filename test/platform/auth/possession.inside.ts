import type { Gateway } from '../../../src/app/gateway.js';

/** Deletes the proofs whose time is over, and gives how many. */
export function sweepProofs({ container }: Gateway): Promise<number> {
  return container.usedProofs.sweep();
}
