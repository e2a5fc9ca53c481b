import { Unavailable } from '../../shared/errors.js';

/** How many bodies above `MAX_BODY_BYTES` are held at once: each stays in memory until its request is answered. */
const MAX_LARGE_BODIES = 16;
/** How many of them one program may have, so that slow senders of one leave places for others. */
const MAX_LARGE_BODIES_OF_PROGRAM = 4;

let held = 0;
const heldBy = new Map<string, number>();

/** Takes a place for a large body. Gives the function that gives it back. Throws `Unavailable`. */
export function holdLargeBody(program: string): () => void {
  const own = heldBy.get(program) ?? 0;
  if (held >= MAX_LARGE_BODIES || own >= MAX_LARGE_BODIES_OF_PROGRAM) {
    throw new Unavailable('Too many large bodies are being received. Try again in a moment.');
  }
  held += 1;
  heldBy.set(program, own + 1);
  return () => {
    held -= 1;
    const left = (heldBy.get(program) ?? 1) - 1;
    if (left > 0) heldBy.set(program, left);
    else heldBy.delete(program);
  };
}
