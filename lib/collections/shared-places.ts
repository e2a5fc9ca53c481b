import type { Sharer } from './turn-list.js';

/**
 * Places that are shared out: how many there are in all, and how many a sharer of each level may have at most, from the
 * widest to the narrowest.
 */
export type PlaceLimits = readonly [inAll: number, ...ofSharers: number[]];

/** Counts places that are taken, so that no sharer leaves nothing for others. */
export class SharedPlaces {
  private readonly taken = new Map<string, number>();

  constructor(private readonly limits: PlaceLimits) {}

  /** Takes a place. Gives the function that gives it back once, or null where the sharer, or all, have no more. */
  take(sharer: Sharer): (() => void) | null {
    const keys = this.limits.map((_most, level) => sharer.slice(0, level).join('\n'));
    if (keys.some((key, level) => this.countOf(key) >= (this.limits[level] as number))) return null;
    for (const key of keys) this.taken.set(key, this.countOf(key) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      for (const key of keys) {
        const left = this.countOf(key) - 1;
        if (left > 0) this.taken.set(key, left);
        else this.taken.delete(key);
      }
    };
  }

  private countOf(key: string): number {
    return this.taken.get(key) ?? 0;
  }
}
