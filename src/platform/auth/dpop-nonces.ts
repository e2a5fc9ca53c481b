import type { KeyRing } from '../crypto/key-ring.js';

/** A nonce is accepted while it is the present one or the one before: five to ten minutes. */
const STEP_MS = 5 * 60_000;
const PURPOSE = 'dpop-nonce';

/**
 * Nonces for DPoP proofs (RFC 9449, 9): digests of the time under the key ring, so that every process knows those of
 * all without keeping any, and nobody else can foretell one.
 */
export class DpopNonces {
  private step = -1;
  private present = '';
  private accepted: ReadonlySet<string> = new Set();

  constructor(
    private readonly keys: KeyRing,
    private readonly nowMs: () => number = () => Date.now(),
  ) {}

  /** The nonce for the next proofs. */
  current(): string {
    this.renew();
    return this.present;
  }

  accepts(nonce: unknown): boolean {
    this.renew();
    return typeof nonce === 'string' && this.accepted.has(nonce);
  }

  private renew(): void {
    const step = Math.floor(this.nowMs() / STEP_MS);
    if (step === this.step) return;
    this.step = step;
    this.present = this.keys.digest(PURPOSE, String(step)).toString('base64url');
    // Under all keys: during a rotation processes have different newest ones.
    const steps = [step - 1, step, step + 1];
    const digests = steps.flatMap(each => this.keys.digests(PURPOSE, String(each)));
    this.accepted = new Set(digests.map(digest => digest.toString('base64url')));
  }
}
