import { createHash } from 'node:crypto';
import { OWN_ID_MARK } from 'tillgate/noun';
import { Random } from './demo/random.js';
import type { SandboxClocks } from './sandbox.clocks.js';

/** The values that a seed gives for a simulation of one kind, and the time at which it happens. */
export interface SimulationDraw {
  /** The kind and twelve hexadecimal digits, such as `ach-credit~3f9a1c22b04d`. */
  readonly id: string;
  /** The rest is drawn from it. */
  readonly random: Random;
  /** By the clock of the program. */
  readonly now: string;
}

/** Makes the values of simulations. */
export class SandboxDraw {
  constructor(private readonly clocks: SandboxClocks) {}

  /**
   * Draws the next simulation. It follows from kind and seed alone, whenever and wherever it is drawn. Without a seed
   * one is made from the name of the program and the number of the simulation.
   */
  async next(program: string, kind: string, seed: number | null | undefined): Promise<SimulationDraw> {
    const { number, now } = await this.clocks.next(program);
    const hash = hashOf(`${kind} ${seed ?? `${program} ${number}`}`);
    return { id: idOf(kind, hash), random: new Random(hash.readInt32BE(8)), now };
  }
}

/** The id of what can happen to a transaction once. */
export function idAfter(kind: string, transactionId: string): string {
  return idOf(kind, hashOf(`${kind} ${transactionId}`));
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function idOf(kind: string, hash: Buffer): string {
  return `${kind}${OWN_ID_MARK}${hash.toString('hex', 0, 6)}`;
}
