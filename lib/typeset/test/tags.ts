import { inflateSync } from 'node:zlib';
import { getDocumentProxy } from 'unpdf';

/** A part of a document as software that reads aloud has it. */
export interface TaggedContent {
  readonly tag: string;
  /** The entries of its dictionary, as they are written. */
  readonly entries: string;
  /** The texts of the element and of its parts, in this order. */
  readonly text: string;
  readonly parts: readonly TaggedContent[];
}

/**
 * The tree of the parts of a document. Parts and their order are read from the objects of the file, and their texts by
 * the numbers that pdf.js finds them under. Fails where a number is not in the tree, or a part is not in its parent.
 */
export async function tagsOf(pdf: Buffer): Promise<TaggedContent> {
  const objects = objectsOf(pdf);
  const texts = await markedTexts(pdf);
  const read = (number: number, parent: number): TaggedContent => {
    const entries = objects.get(number);
    const [, tag] = /\/S\/(\w+)/.exec(entries ?? '') ?? [];
    if (entries === undefined || !tag) throw new Error(`object ${number} is no part`);
    if (!entries.includes(`/P ${parent} 0 R`)) throw new Error(`part ${number} has another parent`);
    const [, page] = /\/Pg (\d+) 0 R/.exec(entries) ?? [];
    const kids = /\/K(?:\[(.*?)\](?=\/|>>)| ?(\d+(?: 0 R)?|<<.*?>>))/.exec(entries);
    const parts: TaggedContent[] = [];
    let text = '';
    for (const kid of (kids?.[1] ?? kids?.[2] ?? '').match(/<<.*?>>|\d+ 0 R|\d+/g) ?? []) {
      if (kid.endsWith('R')) {
        const part = read(Number.parseInt(kid, 10), number);
        parts.push(part);
        text += part.text;
      } else {
        const [, other, id] = /\/Pg (\d+) 0 R\/MCID (\d+)/.exec(kid) ?? [null, page, kid];
        const key = `p${other}R_mc${id}`;
        const found = texts.get(key);
        if (found === undefined) throw new Error(`${key} is on no page`);
        texts.delete(key);
        text += found;
      }
    }
    return { tag, entries, text, parts };
  };
  const [root, catalogOfTags] = [...objects].find(([, body]) => body.includes('/Type/StructTreeRoot')) ?? [0, ''];
  const tree = read(Number(/\/K (\d+) 0 R/.exec(catalogOfTags)?.[1]), root);
  if (texts.size > 0) throw new Error(`in no part: ${[...texts.values()].join('|')}`);
  return trimmed(tree);
}

/** A text between two others on the page belongs to neither. */
function trimmed({ text, parts, ...part }: TaggedContent): TaggedContent {
  return { ...part, text: text.trim(), parts: parts.map(trimmed) };
}

/** The content of each page, in the operators of PDF. */
export function contentsOf(pdf: Buffer): string[] {
  const file = pdf.toString('latin1');
  const pages = [...file.matchAll(/<<\/Filter\/FlateDecode\/Length (\d+)>>\nstream\n/g)].map(
    ({ 0: head, 1: length, index }) =>
      inflateSync(pdf.subarray(index + head.length, index + head.length + Number(length))).toString('latin1'),
  );
  return pages.filter(content => content.includes('BDC'));
}

/** The objects of a file that are no streams, by their numbers. */
export function objectsOf(pdf: Buffer): Map<number, string> {
  const objects = new Map<number, string>();
  const file = pdf.toString('latin1');
  const pattern = /\/Type\/ObjStm\/N (\d+)\/First (\d+)\/Filter\/FlateDecode\/Length (\d+)>>\nstream\n/g;
  for (const { 0: head, 1: count, 2: first, 3: length, index } of file.matchAll(pattern)) {
    const from = index + head.length;
    const plain = inflateSync(pdf.subarray(from, from + Number(length))).toString('latin1');
    const numbers = plain.slice(0, Number(first)).trim().split(/\s+/).map(Number);
    const bodies = numbers.filter((_, at) => at % 2 === 1).map(offset => Number(first) + offset);
    if (bodies.length !== Number(count)) throw new Error('an object stream has another length than it says');
    bodies.forEach((start, at) => objects.set(numbers[at * 2]!, plain.slice(start, bodies[at + 1]).trimEnd()));
  }
  return objects;
}

/** All parts of a tag in reading order. */
export function allOf(tag: string, { parts }: TaggedContent): TaggedContent[] {
  return parts.flatMap(part => (part.tag === tag ? [part] : allOf(tag, part)));
}

/** The texts of the cells of each row. */
export function rowsOf(table: TaggedContent): string[][] {
  return allOf('TR', table).map(({ parts }) => parts.map(({ text }) => text));
}

async function markedTexts(pdf: Buffer): Promise<Map<string, string>> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const texts = new Map<string, string>();
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent({ includeMarkedContent: true });
    let id: string | undefined;
    for (const item of items) {
      if (!('str' in item)) {
        id = 'id' in item ? item.id : undefined;
        if (id) texts.set(id, texts.get(id) ?? '');
      } else if (id) texts.set(id, `${texts.get(id)}${item.str}${item.hasEOL ? ' ' : ''}`);
    }
  }
  await document.loadingTask.destroy();
  return texts;
}
