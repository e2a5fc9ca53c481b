import { ACCENT, GREY, INK, PAGE, type Paper, RED, type Style } from './paper.js';
import { clip, widthOf, wrap } from './text.js';

export const BODY: Style = { weight: 'regular', size: 9, color: INK };
export const STRONG: Style = { weight: 'semibold', size: 9, color: INK };
export const SMALL: Style = { weight: 'regular', size: 7.5, color: GREY };
export const LABEL: Style = { weight: 'semibold', size: 7.5, color: GREY };
export const HEADING: Style = { weight: 'semibold', size: 11.5, color: ACCENT };
const FOOT: Style = { ...SMALL, size: 7 };

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** A place on the paper that moves down and on to further pages. */
export class Flow {
  /** Where the next thing begins: its upper edge. */
  y: number = PAGE.top;

  /** `onNewPage` begins each page after the first one. */
  constructor(
    readonly paper: Paper,
    private readonly onNewPage: (flow: Flow) => void,
  ) {}

  /** Makes sure that something of a height fits, on a new page if need be. True where a page was begun. */
  needs(height: number): boolean {
    if (this.y + height <= PAGE.bottom) return false;
    this.paper.addPage();
    this.paper.begin('Artifact');
    this.y = PAGE.top;
    this.onNewPage(this);
    this.paper.begin('P');
    return true;
  }

  /** A heading of a section, kept together with what follows. */
  heading(text: string, note: string, following: number): void {
    this.needs(30 + following);
    this.paper.begin('H2');
    this.paper.line(text, PAGE.left, this.y + 18, HEADING);
    this.paper.begin('P');
    this.paper.line(note, PAGE.right, this.y + 18, SMALL, 'right');
    this.y += 25;
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

/** An amount up to x, smaller where it is too wide for its column, and red below zero. */
export function amount(paper: Paper, text: string, x: number, y: number, style: Style, width: number): void {
  const wanted = widthOf(text, style.weight, style.size);
  const size = wanted <= width ? style.size : Math.floor((style.size * width * 10) / wanted) / 10;
  const color = text.startsWith('−') ? RED : style.color;
  paper.line(text, x, y, { ...style, size, color }, 'right');
}

/** A label from one x on and its amount up to another. */
export function labelled(
  paper: Paper,
  label: string,
  text: string,
  from: number,
  to: number,
  y: number,
  style: Style,
): void {
  const widest = Math.min(widthOf(text, style.weight, style.size), (to - from) * 0.55);
  paper.line(clip(label, style.weight, style.size, to - from - widest - 8), from, y, style);
  amount(paper, text, to, y, style, widest);
}

/** The foot of every page, when their number is known. */
export function pageNumbers(paper: Paper, documentId: string): void {
  for (let page = 1; page <= paper.pageCount; page += 1) {
    paper.begin('Artifact', page);
    paper.rule(PAGE.left, PAGE.right, 744);
    paper.line(clip(`Document ${documentId}`, FOOT.weight, FOOT.size, 380), PAGE.left, 756, FOOT);
    paper.line(`Page ${page} of ${paper.pageCount}`, PAGE.right, 756, FOOT, 'right');
  }
}

/** An amount as a person reads it: `-1234567.50` is `−1,234,567.50`. Works on the text, so that no digit can change. */
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
