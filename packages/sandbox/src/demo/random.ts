/**
 * Numbers that look random and are the same for the same seed, on every machine and in every year: Tommy Ettinger's
 * mulberry32. Not for secrets.
 */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** An integer from `min` to `max`. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.between(0, items.length - 1)] as Item;
  }

  /** A day from the first of January of one year to the 28th of December of another, YYYY-MM-DD. */
  day(fromYear: number, toYear: number): string {
    const [year, month, day] = [this.between(fromYear, toYear), this.between(1, 12), this.between(1, 28)];
    return [year, month, day].map(part => String(part).padStart(2, '0')).join('-');
  }

  private fraction(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
