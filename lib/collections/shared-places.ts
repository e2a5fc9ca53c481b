import type { Sharer } from './turn-list.js';

/**
 * Places that are shared out. At each level, from the widest to the narrowest, a sharer takes more while it has less
 * than a part of what is free. So one that is alone may have much, many leave each other less, and a sharer that has
 * nothing finds a place for as long as there is one.
 */
export interface PlaceShares {
  readonly most: number;
  /** For each level, the part of what is free, such as 1 for half of all places. */
  readonly parts: readonly number[];
}

/** True where a sharer may take more. `countOf` gives the sum that it has at a level; at level 0, the sum of all. */
export function hasPlace({ most, parts }: PlaceShares, countOf: (level: number) => number, size = 1): boolean {
  const free = most - countOf(0);
  return free >= size && parts.every((part, index) => countOf(index + 1) < free * part);
}

/** Counts places that are taken. */
export class SharedPlaces {
  private readonly taken = new Map<string, number>();

  constructor(private readonly shares: PlaceShares) {}

  /**
   * Takes a place, or as many as `size`. Gives the function that gives them back once, or null where the sharer may not
   * have more. `most` replaces that of the shares.
   */
  take(sharer: Sharer, { size = 1, most = this.shares.most } = {}): (() => void) | null {
    const { parts } = this.shares;
    const keys = ['', ...parts.map((_part, index) => `\n${sharer.slice(0, index + 1).join('\n')}`)];
    if (!hasPlace({ most, parts }, level => this.countOf(keys[level] as string), size)) return null;
    for (const key of keys) this.taken.set(key, this.countOf(key) + size);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of keys) {
        const left = this.countOf(key) - size;
        if (left > 0) this.taken.set(key, left);
        else this.taken.delete(key);
      }
    };
  }

  /** True where nobody could take as many places, whatever the shares. */
  isShort(size: number): boolean {
    return this.shares.most - this.countOf('') < size;
  }

  private countOf(key: string): number {
    return this.taken.get(key) ?? 0;
  }
}
