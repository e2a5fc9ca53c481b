/** What is under way knows its place among the others. */
export interface Placed {
  place: number;
}

/**
 * What is under way, in no order: requests, statements. In an array and not in a Set, whose old tables would keep what was in them: ADR 16.
 */
export class UnorderedList<Item extends Placed> implements Iterable<Item> {
  private readonly items: Item[] = [];

  add(item: Item): void {
    item.place = this.items.push(item) - 1;
  }

  /** Does nothing for what is not among them. */
  remove(item: Item): void {
    if (this.items[item.place] !== item) return;
    const last = this.items.pop() as Item;
    if (last === item) return;
    this.items[item.place] = last;
    last.place = item.place;
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.items.values();
  }
}
