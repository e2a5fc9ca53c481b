import { type Budget, Unreadable } from './problem.js';
import { isDict, type PdfValue, Ref } from './reader.js';

/** Levels of the tree. Ten thousand pages in nodes of ten are four; a reader may take a part of its stack for each. */
const MAX_LEVELS = 64;

/** The content of an object that tells its place in the tree. */
interface Node {
  /** The root of the tree, in a catalog. */
  readonly pages?: PdfValue;
  readonly kids?: PdfValue;
  readonly parent?: PdfValue;
  /** The members of a list of objects, which may be the kids of a node. */
  readonly list?: readonly PdfValue[];
}

/** Where the object with a number that counts is: its own offset in the file, or that of its object stream. */
export type CurrentPlace = (number: number) => number | undefined;

type NodeOf = (value: PdfValue) => Node | undefined;

/**
 * The pages as a reader finds them from the catalog (ISO 32000-2, 7.7.3). An object of the tree that is met twice would
 * be shown for ever, or twice, and a parent that is its own ancestor keeps a reader looking for what pages inherit.
 */
export class PageTree {
  private readonly nodes = new Map<string, Node>();

  /** Takes an object that may be a part of the tree. */
  keep(number: number, place: number, value: PdfValue): void {
    const key = `${number} ${place}`;
    if (isDict(value)) {
      const [pages, kids, parent] = [value.get('Pages'), value.get('Kids'), value.get('Parent')];
      if ((pages ?? kids ?? parent ?? null) !== null) this.nodes.set(key, { pages, kids, parent });
    } else if (Array.isArray(value) && value.every(item => item instanceof Ref)) this.nodes.set(key, { list: value });
  }

  /** Throws `Unreadable`, with `looping_pages` for a tree that is none. */
  check(catalog: number, current: CurrentPlace, budget: Budget): void {
    const nodeOf: NodeOf = value =>
      value instanceof Ref ? this.nodes.get(`${value.number} ${current(value.number)}`) : undefined;
    const root = nodeOf(new Ref(catalog, 0))?.pages;
    if (!(root instanceof Ref)) throw new Unreadable('damaged');
    const met = new Set([root.number]);
    let level = [root];
    for (let depth = 1; level.length > 0; depth++) {
      if (depth > MAX_LEVELS) throw new Unreadable('uncheckable');
      const next: Ref[] = [];
      for (const ref of level) {
        checkParents(ref, nodeOf, budget);
        for (const kid of kidsOf(ref, nodeOf)) {
          budget.spend(1);
          if (met.has(kid.number)) throw new Unreadable('looping_pages');
          met.add(kid.number);
          next.push(kid);
        }
      }
      level = next;
    }
  }
}

function kidsOf(ref: Ref, nodeOf: NodeOf): readonly Ref[] {
  const kidsOrRef = nodeOf(ref)?.kids ?? null;
  const kids = kidsOrRef instanceof Ref ? (nodeOf(kidsOrRef)?.list ?? null) : kidsOrRef;
  if (kids === null) return [];
  const refs = Array.isArray(kids) ? (kids as readonly PdfValue[]).filter(kid => kid !== null) : null;
  if (!refs?.every(kid => kid instanceof Ref)) throw new Unreadable('damaged');
  return refs;
}

function checkParents(ref: Ref, nodeOf: NodeOf, budget: Budget): void {
  const above = new Set<number>();
  for (let each: PdfValue = ref; each instanceof Ref; each = nodeOf(each)?.parent ?? null) {
    budget.spend(1);
    if (above.has(each.number)) throw new Unreadable('looping_pages');
    above.add(each.number);
    if (above.size > MAX_LEVELS) throw new Unreadable('uncheckable');
  }
}
