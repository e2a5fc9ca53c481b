import type { UsedProofs } from '../../platform/auth/used-proofs.js';
import { onceAMinute } from '../../platform/command/sweep.js';
import type { Logger } from '../../platform/logging/logger.js';
import type { TokenRevocationRepository } from './token-revocation.repository.js';

/**
 * Forgets used proofs that are no longer valid, and revocations of tokens that have expired, until the function it
 * gives is called.
 */
export function sweepTokens(
  usedProofs: UsedProofs,
  revocations: TokenRevocationRepository,
  log: Logger,
): () => Promise<void> {
  return onceAMinute(async () => {
    try {
      await usedProofs.sweep();
      await revocations.sweep();
    } catch (error) {
      log.warn(
        { err: error },
        'used proofs and old token revocations could not be deleted; the next sweep tries again',
      );
    }
  });
}
