import { ACCENT, GREY, INK, PAGE, type Paper, RED, type Style, WHITE } from './paper.js';
import { clip, widthOf, wrap } from './text.js';

export const BODY: Style = { weight: 'regular', size: 9, color: INK };
export const STRONG: Style = { weight: 'semibold', size: 9, color: INK };
export const SMALL: Style = { weight: 'regular', size: 7.5, color: GREY };
export const LABEL: Style = { weight: 'semibold', size: 7.5, color: GREY };
export const HEADING: Style = { weight: 'semibold', size: 11.5, color: ACCENT };
export const HEADING_HEIGHT = 28;
const FOOT: Style = { ...SMALL, size: 7 };

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A place on the paper that moves down and on to further pages. */
export class Flow {
  /** Where the next thing begins: its upper edge. */
  y: number = PAGE.top;

  /** `onNewPage` begins each page after the first one, and `top` is where it leaves off. */
  constructor(
    readonly paper: Paper,
    private readonly top: number,
    private readonly onNewPage: (paper: Paper) => void,
  ) {}

  /** The height of a page after the first one. */
  get room(): number {
    return PAGE.bottom - this.top;
  }

  /** Makes sure that something of a height fits, on a new page if need be. */
  needs(height: number): void {
    if (this.y + height > PAGE.bottom) this.newPage();
  }

  newPage(): void {
    this.paper.addPage();
    this.paper.aside(() => this.onNewPage(this.paper));
    this.y = this.top;
  }

  /** A heading of a section, and a note at its right. */
  heading(text: string, note: string): void {
    const { paper } = this;
    const y = this.y + 21;
    paper.tag('H2', () => paper.line(text, PAGE.left, y, HEADING));
    if (note !== '') paper.tag('P', () => paper.line(note, PAGE.right, y, SMALL, 'right'));
    this.y += HEADING_HEIGHT;
  }
}

/** Lines of text from y on, each a leading below the one before. Gives the y after them. */
export function lines(
  paper: Paper,
  texts: readonly string[],
  x: number,
  y: number,
  style: Style,
  leading: number,
): number {
  texts.forEach((text, index) => paper.line(text, x, y + index * leading, style));
  return y + texts.length * leading;
}

/** Texts of any length as lines of a width, at most so many of each and so many in all. */
export function wrapAll(
  texts: readonly string[],
  style: Style,
  width: number,
  maxEach: number,
  maxLines: number,
): string[] {
  return texts.flatMap(text => wrap(text, style.weight, style.size, width, maxEach)).slice(0, maxLines);
}

/**
 * Texts as lines of a width, so many in all, with each of the texts among them: a line each, and what lines are left to
 * those that are longer, the last one first. What is longer still ends with an ellipsis.
 */
export function fitAll(texts: readonly string[], style: Style, width: number, maxLines: number): string[] {
  const shown = texts.slice(0, maxLines);
  let spare = maxLines - shown.length;
  return shown
    .toReversed()
    .map(text => {
      const wrapped = wrap(text, style.weight, style.size, width, 1 + spare);
      spare -= Math.max(0, wrapped.length - 1);
      return wrapped;
    })
    .reverse()
    .flat();
}

/** An amount at x, smaller where it is too wide for its column, and red below zero where it is not on a dark ground. */
export function amount(
  paper: Paper,
  text: string,
  x: number,
  y: number,
  style: Style,
  width: number,
  align: 'left' | 'right' = 'right',
): void {
  const wanted = widthOf(text, style.weight, style.size);
  const size = wanted <= width ? style.size : Math.floor((style.size * width * 10) / wanted) / 10;
  const color = text.startsWith('−') && style.color !== WHITE ? RED : style.color;
  paper.line(text, x, y, { ...style, size, color }, align);
}

/** The foot of every page, when their number is known. */
export function pageNumbers(paper: Paper, documentId: string): void {
  for (let page = 0; page < paper.pageCount; page += 1) {
    paper.aside(() => {
      paper.rule(PAGE.left, PAGE.right, 744);
      paper.line(clip(`Document ${documentId}`, FOOT.weight, FOOT.size, 380), PAGE.left, 756, FOOT);
      paper.line(`Page ${page + 1} of ${paper.pageCount}`, PAGE.right, 756, FOOT, 'right');
    }, page);
  }
}

/** An amount as people read it: `-1234567.50` is `−1,234,567.50`. Works on the text, so that no digit can change. */
export function grouped(decimal: string): string {
  const isNegative = decimal.startsWith('-');
  const [whole = '', fraction] = (isNegative ? decimal.slice(1) : decimal).split('.');
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, ',') + (fraction === undefined ? '' : `.${fraction}`);
  return isNegative ? `−${digits}` : digits;
}

/** `2026-10-01` is `October 1, 2026`. */
export function longDate(day: string): string {
  const [year, month, date] = day.split('-');
  return `${MONTHS[Number(month) - 1]} ${Number(date)}, ${year}`;
}

/** `2026-10-01` is `Oct 1`. */
export function shortDate(day: string): string {
  const [, month, date] = day.split('-');
  return `${MONTHS[Number(month) - 1]?.slice(0, 3)} ${Number(date)}`;
}

/** A masked account number as banks print it, of one length for all numbers, and as it is read aloud. */
export function shownNumber(masked: string): { readonly shown: string; readonly read: string } {
  const end = masked.replace(/^[*•]+/, '');
  if (end === '') return { shown: '••••', read: 'not shown' };
  return { shown: `•••• ${end}`, read: `ending in ${end}` };
}
