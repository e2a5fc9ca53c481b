import { SharedPlaces } from '../../../lib/collections/shared-places.js';
import { sharerOf, type Identity } from '../../shared/caller.js';
import { Unavailable } from '../../shared/errors.js';

/**
 * The bytes of bodies that are held at once: each stays in memory until its request is answered. A program has at most
 * half of them, a client a fifth, and less while others have some.
 */
const held = new SharedPlaces({ most: 256 * 1024 * 1024, parts: [1, 0.25] });

/** Takes the memory of a body. Gives the function that gives it back. Throws `Unavailable`. */
export function holdBody(sender: Identity, bytes: number): () => void {
  const free = held.take(sharerOf(sender), { size: bytes });
  if (!free) throw new Unavailable('Too many large bodies are being received. Try again in a moment.');
  return free;
}
