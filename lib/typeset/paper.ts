import { hash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { DocumentFonts, point } from './embedding.js';
import { EFFORT, PdfFile, refer, textString } from './file.js';
import { type Weight } from './fonts.js';
import { type Picture, Pictures } from './picture.js';
import { type Attributes, type Part, Structure, type Tag } from './structure.js';
import { setLine, setNextLine } from './text.js';

/** US Letter, in points; y is measured from the top of the page. */
export const PAGE = { width: 612, height: 792, left: 54, right: 558, top: 54, bottom: 736 } as const;

export interface Style {
  readonly weight: Weight;
  /** In points. */
  readonly size: number;
  /** Red, green and blue from 0 to 1, as PDF writes them. */
  readonly color: string;
}

/**
 * The description that a file gives of itself. The same document always gets the same bytes, so no clock is read here.
 */
export interface Description {
  readonly title: string;
  readonly author: string;
  /** Tells documents apart that are alike otherwise: the file's identifier is made of this description. */
  readonly documentId: string;
  /** `YYYY-MM-DD`. */
  readonly issuedOn: string;
  /** The name of the program that makes it. */
  readonly program: string;
}

export const INK = '0.11 0.14 0.18';
export const GREY = '0.40 0.44 0.49';
export const ACCENT = '0.06 0.24 0.36';
export const RED = '0.70 0.11 0.11';
export const WHITE = '1 1 1';
const RULE = '0.84 0.86 0.88';
export const TINT = '0.955 0.965 0.973';

/** Text of one part; null for what repeats on each page and is no part of the document. */
interface Block {
  readonly part: Part | null;
  readonly id: number;
  readonly content: string[];
}

interface Page {
  /** Lines and areas. They lie under the text. */
  readonly drawn: Content;
  readonly blocks: Block[];
  /** The colour of text stays until it changes. */
  textColor: string;
}

/** Operators, and the colours and the thickness that the last one left behind. */
interface Content {
  readonly operators: string[];
  fill: string;
  stroke: string;
}

/**
 * Pages to write on. Text is set line by line at known places, inside of tags that say what it is. Lines and areas are
 * decoration, which readers skip, and so is text outside of tags.
 */
export class Paper {
  private readonly pages: Page[] = [];
  private readonly fonts = new DocumentFonts();
  private readonly pictures = new Pictures();
  private readonly structure = new Structure();
  /** The part that is open; null aside of the document. */
  private part: Part | null = this.structure.root;
  private page = -1;
  private flaws = false;

  constructor(private readonly description: Description) {
    this.addPage();
  }

  /** True if something that was written is shown as empty boxes, or not as its script is written. */
  get isFlawed(): boolean {
    return this.flaws;
  }

  get pageCount(): number {
    return this.pages.length;
  }

  addPage(): void {
    this.page = this.pages.push({ drawn: { operators: [], fill: '', stroke: '' }, blocks: [], textColor: '' }) - 1;
    this.structure.addPage();
  }

  /** Writes a part of the document, inside of the part that is open. */
  tag(tag: Tag, write: () => void, attributes: Attributes = {}): void {
    const outer = this.part;
    if (outer) {
      this.part = { tag, attributes, children: [] };
      outer.children.push(this.part);
    }
    write();
    this.part = outer;
  }

  /** Writes something that is no part of the document, such as heads that are repeated on each page. */
  aside(write: () => void, page = this.page): void {
    const [part, current] = [this.part, this.page];
    [this.part, this.page] = [null, page];
    write();
    [this.part, this.page] = [part, current];
  }

  /** Writes one line of showable text with its baseline at y: from x on, or up to x. */
  line(text: string, x: number, y: number, { weight, size, color }: Style, align: 'left' | 'right' = 'left'): void {
    if (text === '') return;
    const { content } = this;
    const isNext = this.part !== null && content.length > 0;
    const { runs, width, indent } = isNext ? setNextLine(text, weight) : { ...setLine(text, weight), indent: 0 };
    this.flaws ||= runs.some(run => run.isFlawed);
    const left = x - ((align === 'left' ? indent : width) * size) / 1000;
    const page = this.pages[this.page]!;
    const fill = page.textColor === color ? '' : `${color} rg `;
    page.textColor = color;
    content.push(`${fill}BT ${place(left, y)} Td\n${this.fonts.show({ runs, width }, size)}ET`);
  }

  /** A picture of a width and height, and what it shows in words. */
  picture(picture: Picture, alt: string, x: number, y: number, width: number, height: number): void {
    const box = [x, PAGE.height - y - height, x + width, PAGE.height - y].map(point).map(Number);
    const write = (): void => void this.content.push(this.pictures.show(picture, x, PAGE.height - y, width, height));
    this.tag('Figure', write, { alt, box: box as unknown as NonNullable<Attributes['box']> });
  }

  /** A line across, from one x to another. */
  rule(from: number, to: number, y: number, color = RULE, thickness = 0.5): void {
    this.stroke(`${place(from, y)} m ${place(to, y)} l`, color, thickness);
  }

  /** A line down. */
  pole(x: number, from: number, to: number, color = RULE, thickness = 0.5): void {
    this.stroke(`${place(x, from)} m ${place(x, to)} l`, color, thickness);
  }

  /** A filled rectangle. */
  fill(x: number, y: number, width: number, height: number, color = TINT): void {
    const { drawn } = this.pages[this.page]!;
    const change = drawn.fill === color ? '' : `${color} rg `;
    drawn.fill = color;
    drawn.operators.push(`${change}${rectangle(x, y, width, height)} f`);
  }

  /** The outline of a rectangle. */
  frame(x: number, y: number, width: number, height: number, color = INK, thickness = 0.5): void {
    this.stroke(rectangle(x, y, width, height), color, thickness);
  }

  /** The file. Nothing can be written afterwards. */
  finish(): Buffer {
    const { title, author, documentId, issuedOn, program } = this.description;
    const file = new PdfFile();
    const tree = file.promise();
    const pages = this.pages.map(() => file.promise());
    const resources = file.add(`<</Font<<${this.fonts.embed(file)}>>/XObject<<${this.pictures.embed(file)}>>>>`);
    const size = `/MediaBox[0 0 ${PAGE.width} ${PAGE.height}]/Resources ${refer(resources)}`;
    this.pages.forEach((page, index) => {
      const contents = file.addStream({ entries: '', bytes: deflateSync(contentOf(page), { level: EFFORT }) });
      const parts = `/Contents ${refer(contents)}/StructParents ${index}/Tabs/S`;
      file.add(`<</Type/Page/Parent ${refer(tree)}${size}${parts}>>`, pages[index]);
    });
    file.add(`<</Type/Pages/Count ${pages.length}/Kids[${pages.map(refer).join(' ')}]>>`, tree);
    const structure = this.structure.write(file, pages);
    const reading = `/MarkInfo<</Marked true>>/Lang(en-US)/ViewerPreferences<</DisplayDocTitle true>>`;
    const root = file.add(`<</Type/Catalog/Pages ${refer(tree)}/StructTreeRoot ${refer(structure)}${reading}>>`);
    const date = `(D:${issuedOn.replaceAll('-', '')}000000Z)`;
    const [made, texts] = [textString(program), [title, author, documentId].map(textString)];
    const dates = `/CreationDate ${date}/ModDate ${date}`;
    const info = file.add(
      `<</Title ${texts[0]}/Author ${texts[1]}/Subject ${texts[2]}/Producer ${made}/Creator ${made}${dates}>>`,
    );
    return file.finish(root, info, hash('sha256', JSON.stringify(this.description)).slice(0, 32));
  }

  /** Where text of the open part goes. */
  private get content(): string[] {
    const { blocks } = this.pages[this.page]!;
    const last = blocks.at(-1);
    const part = this.part === this.structure.root ? null : this.part;
    if (last?.part === part) return last.content;
    const content: string[] = [];
    blocks.push({ part, id: part ? this.structure.mark(part, this.page) : -1, content });
    return content;
  }

  private stroke(path: string, color: string, thickness: number): void {
    const { drawn } = this.pages[this.page]!;
    const pen = `${color} RG ${thickness} w `;
    drawn.operators.push(`${drawn.stroke === pen ? '' : pen}${path} S`);
    drawn.stroke = pen;
  }
}

/** A point as PDF has it, measured from the lower edge of the page. */
function place(x: number, y: number): string {
  return `${point(x)} ${point(PAGE.height - y)}`;
}

function rectangle(x: number, y: number, width: number, height: number): string {
  return `${place(x, y + height)} ${point(width)} ${point(height)} re`;
}

function contentOf({ drawn, blocks }: Page): Buffer {
  const parts: string[] = [];
  if (drawn.operators.length > 0) parts.push('/Artifact BMC', ...drawn.operators, 'EMC');
  for (const { part, id, content } of blocks) {
    parts.push(part ? `/${part.tag}<</MCID ${id}>>BDC` : '/Artifact BMC', ...content, 'EMC');
  }
  return Buffer.from(parts.join('\n'), 'latin1');
}
