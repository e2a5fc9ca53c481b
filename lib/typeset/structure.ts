import { type PdfFile, type Reference, refer, textString } from './file.js';

/** The kind of a part of a document, as software that reads aloud has to know it (ISO 32000-1, 14.8.4). */
export type Tag =
  'H1' | 'H2' | 'P' | 'Figure' | 'L' | 'LI' | 'LBody' | 'Table' | 'THead' | 'TBody' | 'TFoot' | 'TR' | 'TH' | 'TD';

export interface Attributes {
  /** The text that says what a picture shows. */
  readonly alt?: string;
  /** The text that screen readers read in place of the letters. */
  readonly actualText?: string;
  /** Which cells a head is of. */
  readonly scope?: 'Column' | 'Row';
  /** Left, bottom, right and top of a picture on its page. */
  readonly box?: readonly [number, number, number, number];
}

/** A part of the document: parts of it, and text by its page and its number there. */
export interface Part {
  readonly tag: Tag | 'Document';
  readonly attributes: Attributes;
  readonly children: (Part | MarkedContent)[];
}

interface MarkedContent {
  readonly page: number;
  readonly id: number;
}

/** The tree of what a document says, in reading order. */
export class Structure {
  readonly root: Part = { tag: 'Document', attributes: {}, children: [] };
  /** The parts that own the marked texts of each page, by their numbers. */
  private readonly owners: Part[][] = [];

  addPage(): void {
    this.owners.push([]);
  }

  /** A number for text of a part on a page, from 0 on. */
  mark(part: Part, page: number): number {
    const owners = this.owners[page]!;
    const id = owners.push(part) - 1;
    part.children.push({ page, id });
    return id;
  }

  /** Writes the tree, and gives the reference to its root. */
  write(file: PdfFile, pages: readonly Reference[]): Reference {
    const root = file.promise();
    const references = new Map<Part, Reference>();
    const writePart = (part: Part, parent: Reference): Reference => {
      const reference = file.promise();
      references.set(part, reference);
      let home: number | undefined;
      const kids = part.children.map(child => {
        if ('tag' in child) return refer(writePart(child, reference));
        home ??= child.page;
        if (child.page === home) return String(child.id);
        return `<</Type/MCR/Pg ${refer(pages[child.page]!)}/MCID ${child.id}>>`;
      });
      const page = home === undefined ? '' : `/Pg ${refer(pages[home]!)}`;
      const content = kids.length === 0 ? '' : kids.length === 1 ? `/K ${kids[0]}` : `/K[${kids.join(' ')}]`;
      const dictionary = `<</S/${part.tag}/P ${refer(parent)}${page}${content}${attributesOf(part)}>>`;
      return file.add(dictionary, reference);
    };
    const top = writePart(this.root, root);
    const byPage = this.owners.map((owners, page) => {
      const list = owners.map(owner => refer(references.get(owner)!)).join(' ');
      return `${page} ${refer(file.add(`[${list}]`))}`;
    });
    const parents = file.add(`<</Nums[${byPage.join(' ')}]>>`);
    const next = this.owners.length;
    const tree = `/K ${refer(top)}/ParentTree ${refer(parents)}/ParentTreeNextKey ${next}`;
    return file.add(`<</Type/StructTreeRoot${tree}>>`, root);
  }
}

function attributesOf({ attributes }: Part): string {
  const { alt, actualText, scope, box } = attributes;
  let found = '';
  if (alt !== undefined) found += `/Alt ${textString(alt)}`;
  if (actualText !== undefined) found += `/ActualText ${textString(actualText)}`;
  if (scope) found += `/A<</O/Table/Scope/${scope}>>`;
  if (box) found += `/A<</O/Layout/Placement/Block/BBox[${box.join(' ')}]>>`;
  return found;
}
