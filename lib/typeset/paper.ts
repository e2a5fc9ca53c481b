import PDFDocument from 'pdfkit';
import { DocumentFonts, point } from './embedding.js';
import { type Weight } from './fonts.js';
import { setLine } from './text.js';

/** US Letter, in points; y is measured from the top of the page. */
export const PAGE = { width: 612, height: 792, left: 54, right: 558, top: 54, bottom: 736 } as const;

export interface Style {
  readonly weight: Weight;
  /** In points. */
  readonly size: number;
  /** Red, green and blue from 0 to 1, as PDF writes them. */
  readonly color: string;
}

/** What a file says of itself. The same document always gets the same bytes, so no clock is read here. */
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
export const RULE = '0.84 0.86 0.88';
export const TINT = '0.955 0.965 0.973';

/** A heading of the first or the second level, other text, or what repeats on each page and is no part of the text. */
export type Kind = 'H1' | 'H2' | 'P' | 'Artifact';

interface Block {
  readonly kind: Kind;
  readonly content: string[];
}

/**
 * Pages to write on. PDFKit builds the file around them; text is set here, line by line at known places, because
 * PDFKit's own text shapes, wraps and embeds anew for every document, which costs more than twenty times as much.
 */
export class Paper {
  private readonly pages: Block[][] = [];
  private readonly fonts = new DocumentFonts();
  private content: string[] = [];

  constructor(private readonly description: Description) {
    this.addPage();
  }

  get pageCount(): number {
    return this.pages.length;
  }

  addPage(): void {
    this.pages.push([]);
    this.begin('P');
  }

  /** What is written from here on, down to the end of the page, is of a kind: software that reads aloud goes by it. */
  begin(kind: Kind, page = this.pages.length): void {
    this.content = [];
    this.pages[page - 1]!.push({ kind, content: this.content });
  }

  /** Writes one line of showable text with its baseline at y: from x on, or up to x. */
  line(text: string, x: number, y: number, { weight, size, color }: Style, align: 'left' | 'right' = 'left'): void {
    if (text === '') return;
    const set = setLine(text, weight);
    const left = align === 'left' ? x : x - (set.width * size) / 1000;
    // PDFKit turns each page upside down, so that y is measured from the top; letters are turned back here.
    this.content.push(`${color} rg BT 1 0 0 -1 ${point(left)} ${point(y)} Tm\n${this.fonts.show(set, size)}ET`);
  }

  /** A line across, from one x to another. */
  rule(from: number, to: number, y: number, color = RULE, thickness = 0.5): void {
    this.stroke(`${point(from)} ${point(y)} m ${point(to)} ${point(y)} l`, color, thickness);
  }

  /** A line down. */
  pole(x: number, from: number, to: number, color = RULE, thickness = 0.5): void {
    this.stroke(`${point(x)} ${point(from)} m ${point(x)} ${point(to)} l`, color, thickness);
  }

  /** A filled rectangle. */
  fill(x: number, y: number, width: number, height: number, color = TINT): void {
    this.content.push(`${color} rg ${point(x)} ${point(y)} ${point(width)} ${point(height)} re f`);
  }

  /** The outline of a rectangle. */
  frame(x: number, y: number, width: number, height: number, color = INK, thickness = 0.5): void {
    this.stroke(`${point(x)} ${point(y)} ${point(width)} ${point(height)} re`, color, thickness);
  }

  /** The file. Nothing can be written afterwards. */
  finish(): Buffer {
    const { title, author, documentId, issuedOn, program } = this.description;
    const date = new Date(`${issuedOn}T00:00:00Z`);
    const document = new PDFDocument({
      size: 'LETTER',
      pdfVersion: '1.7',
      autoFirstPage: false,
      font: '',
      lang: 'en-US',
      displayTitle: true,
      tagged: true,
      info: {
        Title: title,
        Author: author,
        Subject: documentId,
        Producer: program,
        Creator: program,
        CreationDate: date,
        ModDate: date,
      },
    });
    const fonts = this.fonts.embed(document);
    const structure = document.struct('Document');
    document.addStructure(structure);
    for (const blocks of this.pages) {
      document.addPage();
      Object.assign(document.page.fonts as object, fonts);
      for (const { kind, content } of blocks) {
        if (content.length === 0) continue;
        if (kind === 'Artifact') document.markContent(kind);
        else structure.add(document.struct(kind, {}, [document.markStructureContent(kind)]));
        document.addContent(content.join('\n'));
        document.endMarkedContent();
      }
    }
    document.end();
    // PDFKit has written everything by now, so all of it can be read.
    const parts: Buffer[] = [];
    for (let part; (part = document.read() as Buffer | null);) parts.push(part);
    return Buffer.concat(parts);
  }

  private stroke(path: string, color: string, thickness: number): void {
    this.content.push(`${color} RG ${thickness} w ${path} S`);
  }
}
