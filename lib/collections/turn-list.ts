/** A path of those who share something, the widest first: a program, its client, its customer. */
export type Sharer = readonly string[];

/**
 * Items of sharers who take turns: first the widest among each other, then those within each. Items of one sharer come
 * in the order in which they were added, so that none waits for all that another has added.
 */
export class TurnList<Item> {
  /** The sharers in the order in which they are served. */
  private readonly parts = new Map<string, TurnList<Item>>();
  private readonly own: Item[] = [];
  private count = 0;

  /** The number of items of a sharer and of those within it; without a sharer, of all. */
  sizeOf([first, ...narrower]: Sharer): number {
    return first === undefined ? this.count : (this.parts.get(first)?.sizeOf(narrower) ?? 0);
  }

  add([first, ...narrower]: Sharer, item: Item): void {
    this.count += 1;
    if (first === undefined) {
      this.own.push(item);
      return;
    }
    const part = this.parts.get(first) ?? new TurnList<Item>();
    this.parts.set(first, part);
    part.add(narrower, item);
  }

  /** Takes the next item; undefined if there is none. */
  next(): Item | undefined {
    const [turn] = this.parts;
    if (this.own.length > 0 || !turn) {
      if (this.own.length > 0) this.count -= 1;
      return this.own.shift();
    }
    const [key, part] = turn;
    this.count -= 1;
    this.parts.delete(key);
    const item = part.next();
    if (part.count > 0) this.parts.set(key, part);
    return item;
  }
}

/** Items in the order in which their sharers take turns. The first one stays the first. */
export function inTurns<Item>(items: readonly Item[], sharerOf: (item: Item) => Sharer): readonly Item[] {
  const sharers = new Set(items.map(item => sharerOf(item).join('\n')));
  if (sharers.size < 2) return items;
  const list = new TurnList<Item>();
  for (const item of items) list.add(sharerOf(item), item);
  return Array.from(items, () => list.next() as Item);
}
