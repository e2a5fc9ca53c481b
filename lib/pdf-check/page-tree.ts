import { type Budget } from './budget.js';
import { Unreadable } from './problem.js';
import { isDict, type PdfValue, Ref } from './value.js';

/** Levels of the tree. Ten thousand pages in nodes of ten are four; a reader may take a part of its stack for each. */
const MAX_LEVELS = 64;

/** What the catalog, a node or a page says of its place in the tree. */
interface Node {
  /** Of a catalog: the root of the tree. */
  readonly pages: PdfValue | undefined;
  readonly kids: PdfValue | undefined;
  readonly parent: PdfValue | undefined;
}

/** Which of the objects with a number counts: its own offset in the file, or that of the object stream that it is in. */
export type CurrentPlace = (number: number) => number | undefined;

/**
 * The pages as a reader finds them from the catalog (ISO 32000-2, 7.7.3). An object of the tree that is met twice would be shown for ever, or
 * twice, and a parent that is its own ancestor keeps a reader looking for what pages inherit.
 */
export class PageTree {
  private readonly nodes = new Map<string, Node>();
  /** Lists of objects, which may be the kids of a node. */
  private readonly lists = new Map<string, readonly PdfValue[]>();

  /** Takes an object that may be a part of the tree. */
  keep(number: number, place: number, value: PdfValue): void {
    if (Array.isArray(value) && value.every(item => item instanceof Ref)) this.lists.set(keyOf(number, place), value);
    if (!isDict(value)) return;
    const [pages, kids, parent] = [value.get('Pages'), value.get('Kids'), value.get('Parent')];
    if ((pages ?? kids ?? parent ?? null) !== null) this.nodes.set(keyOf(number, place), { pages, kids, parent });
  }

  /** Throws `Unreadable`, with `looping_pages` for a tree that is none. */
  check(catalog: number, current: CurrentPlace, budget: Budget): void {
    const at = <Kept>(kept: ReadonlyMap<string, Kept>, ref: PdfValue | undefined): Kept | undefined => {
      const place = ref instanceof Ref ? current(ref.number) : undefined;
      return place === undefined ? undefined : kept.get(keyOf((ref as Ref).number, place));
    };
    const root = at(this.nodes, new Ref(catalog, 0))?.pages;
    if (!(root instanceof Ref)) throw new Unreadable('damaged');
    const met = new Set<number>([root.number]);
    let level = [root];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > MAX_LEVELS) throw new Unreadable('uncheckable');
      const next: Ref[] = [];
      for (const ref of level) {
        const node = at(this.nodes, ref);
        this.checkParents(ref, target => at(this.nodes, target)?.parent, budget);
        for (const kid of this.kidsOf(node, target => at(this.lists, target))) {
          budget.spend(1);
          if (met.has(kid.number)) throw new Unreadable('looping_pages');
          met.add(kid.number);
          next.push(kid);
        }
      }
      level = next;
    }
  }

  private kidsOf(node: Node | undefined, listAt: (ref: Ref) => readonly PdfValue[] | undefined): readonly Ref[] {
    const given = node?.kids ?? null;
    const kids = given instanceof Ref ? listAt(given) : given;
    if (kids === null || kids === undefined) return [];
    const refs = Array.isArray(kids) ? (kids as readonly PdfValue[]).filter(kid => kid !== null) : null;
    if (!refs?.every(kid => kid instanceof Ref)) throw new Unreadable('damaged');
    return refs;
  }

  private checkParents(ref: Ref, parentOf: (ref: PdfValue) => PdfValue | undefined, budget: Budget): void {
    const above = new Set<number>();
    let each: PdfValue = ref;
    while (each instanceof Ref) {
      budget.spend(1);
      if (above.has(each.number)) throw new Unreadable('looping_pages');
      above.add(each.number);
      if (above.size > MAX_LEVELS) throw new Unreadable('uncheckable');
      each = parentOf(each) ?? null;
    }
  }
}

function keyOf(number: number, place: number): string {
  return `${number} ${place}`;
}
