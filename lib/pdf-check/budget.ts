import { MAX_EXPANDED_MIB, MAX_EXPANDED_STREAM_MIB, Unreadable } from './problem.js';

/** A book of five hundred pages with thousands of links takes less than a million; this is about a second of a processor. */
export const MAX_STEPS = 2_500_000;
/** What all object streams and cross-reference streams of a file may inflate to; that book has 3 MiB. */
export const MAX_INFLATED_BYTES = 16 * 1024 * 1024;
/** What other streams may expand to, each and all. It is counted, and nothing of it is kept or read. */
export const MAX_EXPANDED_STREAM_BYTES = MAX_EXPANDED_STREAM_MIB * 1024 * 1024;
export const MAX_EXPANDED_BYTES = MAX_EXPANDED_MIB * 1024 * 1024;
/** Opening a stream has a price of its own, however little is in it. Writers put a hundred or more objects into one. */
export const MAX_OPENED_STREAMS = 5_000;
/** Direct objects in direct objects. Writers stay far below, and each level takes a part of the stack. */
export const MAX_DEPTH = 64;

/**
 * What the check of one file has cost so far, and may cost at most. Work is counted and not timed, so that a file is
 * refused or accepted alike on every machine.
 */
export class Budget {
  steps = 0;
  inflatedBytes = 0;
  openedStreams = 0;
  expandedBytes = 0;

  spend(steps: number): void {
    if (this.steps + steps > MAX_STEPS) throw new Unreadable('uncheckable');
    this.steps += steps;
  }

  openStream(): void {
    if (this.openedStreams === MAX_OPENED_STREAMS) throw new Unreadable('uncheckable');
    this.openedStreams++;
  }

  /** What the next stream may expand to. */
  get expandableBytes(): number {
    return Math.min(MAX_EXPANDED_STREAM_BYTES, MAX_EXPANDED_BYTES - this.expandedBytes);
  }

  expand(bytes: number): void {
    if (bytes > this.expandableBytes) throw new Unreadable('expanding');
    this.expandedBytes += bytes;
  }

  get inflatableBytes(): number {
    return MAX_INFLATED_BYTES - this.inflatedBytes;
  }
}
