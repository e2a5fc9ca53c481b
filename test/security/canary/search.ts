import { MIN_NEEDLE_BYTES, needlesOf, type Needle } from './needles.js';
import { CVV, type Canary } from './canaries.js';

export interface Hit {
  readonly needle: Needle;
  readonly offset: number;
}

const BLOCK_BYTES = 3;
const BLOCKS = 1 << 18;

/**
 * Looks for thousands of needles in one pass, whatever the case of their letters. It looks at three bytes, and if no
 * needle has them there, goes on by as much as no needle can begin in between (Wu and Manber, A fast algorithm for
 * multi-pattern searching, 1994).
 */
export class Search {
  private readonly skip = new Uint8Array(BLOCKS).fill(MIN_NEEDLE_BYTES - BLOCK_BYTES + 1);
  /** By the block that their first `MIN_NEEDLE_BYTES` end with. */
  private readonly candidates = new Map<number, Needle[]>();

  constructor(canaries: readonly Canary[]) {
    for (const needle of canaries.flatMap(needlesOf)) {
      for (let end = BLOCK_BYTES - 1; end < MIN_NEEDLE_BYTES; end++) {
        const block = blockAt(needle.bytes, end);
        this.skip[block] = Math.min(this.skip[block] ?? 0, MIN_NEEDLE_BYTES - 1 - end);
      }
      const last = blockAt(needle.bytes, MIN_NEEDLE_BYTES - 1);
      this.candidates.set(last, [...(this.candidates.get(last) ?? []), needle]);
    }
  }

  in(bytes: Buffer): Hit[] {
    const hits: Hit[] = [];
    for (let end = MIN_NEEDLE_BYTES - 1; end < bytes.length;) {
      const block = blockAt(bytes, end);
      const skip = this.skip[block] ?? 1;
      if (skip === 0) hits.push(...this.at(bytes, end - MIN_NEEDLE_BYTES + 1, block));
      end += skip || 1;
    }
    return hits;
  }

  private at(bytes: Buffer, offset: number, block: number): Hit[] {
    const found = (this.candidates.get(block) ?? []).filter(needle => isAt(bytes, offset, needle.bytes));
    return found.map(needle => ({ needle, offset }));
  }
}

/** Four digits that stand for themselves: no part of a longer number, a fraction, an id in groups or a word. */
const CVV_ALONE = new RegExp(`(?<![\\w.+/-])${CVV}(?![\\w.+/-])`, 'g');

/**
 * Where a text has the CVV as a value of its own. In bytes that are no text four digits stand by chance, so files are
 * not searched for it; what is in tables is in their dump, where it would be a whole field.
 */
export function cvvsIn(text: string): number[] {
  return [...text.matchAll(CVV_ALONE)].map(({ index }) => index);
}

/** ASCII letters in lower case; any other byte as it is. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

function folded(bytes: Buffer, index: number): number {
  return FOLDED[bytes[index] as number] as number;
}

function blockAt(bytes: Buffer, end: number): number {
  return (folded(bytes, end - 2) << 10) ^ (folded(bytes, end - 1) << 5) ^ folded(bytes, end);
}

function isAt(bytes: Buffer, offset: number, needle: Buffer): boolean {
  if (offset + needle.length > bytes.length) return false;
  for (let index = 0; index < needle.length; index++) {
    if (folded(bytes, offset + index) !== folded(needle, index)) return false;
  }
  return true;
}
