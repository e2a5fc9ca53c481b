import type { SandboxCardService } from './sandbox-cards.service.js';
import type { SandboxClockService } from './sandbox-clock.service.js';
import type { SandboxPostingService } from './sandbox-postings.service.js';
import type { SandboxReturnService } from './sandbox-returns.service.js';
import type { SandboxTransferService } from './sandbox-transfers.service.js';

/** Makes things happen by request. */
export interface Sandbox {
  readonly postings: SandboxPostingService;
  readonly clock: SandboxClockService;
  readonly cards: SandboxCardService;
  readonly returns: SandboxReturnService;
  readonly transfers: SandboxTransferService;
}
/** The sandbox where it is on: nothing of it is served where it is off. */
export function servedOf({ sandbox }: { readonly sandbox: Sandbox | null }): Sandbox {
  if (!sandbox) throw new Error('the sandbox is off, and something of it is served');
  return sandbox;
}
