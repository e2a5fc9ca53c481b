/**
 * Values by key, for work in progress. A table in an object: the tables that a `Map` replaces while keys come and go
 * lead to the next ones and keep their old values alive, which costs full garbage collections.
 */
export class KeyTable<Value> {
  private readonly table = Object.create(null) as Record<string, Value>;

  get(key: string): Value | undefined {
    return this.table[key];
  }

  set(key: string, value: Value): void {
    this.table[key] = value;
  }

  delete(key: string): void {
    delete this.table[key];
  }
}

/** An item that knows its place in a list. */
export interface PlacedItem {
  place: number;
}

/** Items in no order, added and removed in constant time. An array, since a `Set` has the same fault as a `Map`. */
export class UnorderedList<Item extends PlacedItem> implements Iterable<Item> {
  private readonly items: Item[] = [];

  add(item: Item): void {
    item.place = this.items.push(item) - 1;
  }

  /** Does nothing for an item that is not in the list. */
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
