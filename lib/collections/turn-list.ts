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

  /** Takes the next item, or that of a sharer; undefined if there is none. */
  next([first, ...narrower]: Sharer = []): Item | undefined {
    if (first !== undefined) return this.takeFrom(first, part => part.next(narrower));
    const [turn] = this.parts;
    if (this.own.length > 0 || !turn) {
      if (this.own.length > 0) this.count -= 1;
      return this.own.shift();
    }
    const [key, part] = turn;
    const item = this.takeFrom(key, () => part.next());
    // It is the turn of the others first.
    if (this.parts.delete(key)) this.parts.set(key, part);
    return item;
  }

  /** Takes an item out before its turn. Does nothing if it is not there. */
  remove([first, ...narrower]: Sharer, item: Item): void {
    if (first !== undefined) {
      this.takeFrom(first, part => part.remove(narrower, item));
      return;
    }
    const at = this.own.indexOf(item);
    if (at < 0) return;
    this.own.splice(at, 1);
    this.count -= 1;
  }

  /** Does what takes items from a part, and forgets the part with the last of them. */
  private takeFrom<Taken>(key: string, take: (part: TurnList<Item>) => Taken): Taken | undefined {
    const part = this.parts.get(key);
    if (!part) return undefined;
    const before = part.count;
    const taken = take(part);
    this.count -= before - part.count;
    if (part.count === 0) this.parts.delete(key);
    return taken;
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
