import { SharedPlaces } from '../../../lib/collections/shared-places.js';
import { sharerOf, type Identity } from '../../shared/caller.js';
import { Unavailable } from '../../shared/errors.js';

/**
 * The bytes of bodies that are held at once: each stays in memory until its request is answered. A program has at most
 * half of them, a client a fifth, and less while others have some.
 */
const held = new SharedPlaces({ most: 256 * 1024 * 1024, parts: [1, 0.25] });

/**
 * The time for which somebody who found no memory counts as waiting for it: a client that tries again does so within
 * this time.
 */
const WAITING_MS = 5000;
/** When a sender last found none, by the programs whose bodies are in the way; null for those of all. */
const lackedAtMs = new Map<string | null, number>();

/** Takes the memory of a body. Gives the function that gives it back. Throws `Unavailable`. */
export function holdBody(sender: Identity, bytes: number): () => void {
  const sharer = sharerOf(sender);
  const free = held.take(sharer, { size: bytes });
  if (free) return free;
  forgetOld();
  lackedAtMs.set(held.isShort(bytes) ? null : sharer[0], performance.now());
  throw new Unavailable('Too many large bodies are being received. Try again in a moment.');
}

/** True if somebody waits for memory that bodies of the sender hold. */
export function isMemoryWanted(sender: Identity): boolean {
  if (lackedAtMs.size === 0) return false;
  forgetOld();
  return lackedAtMs.has(null) || lackedAtMs.has(sharerOf(sender)[0]);
}

function forgetOld(): void {
  const sinceMs = performance.now() - WAITING_MS;
  for (const [program, atMs] of lackedAtMs) if (atMs < sinceMs) lackedAtMs.delete(program);
}
