import { amount, BODY, type Flow, HEADING, HEADING_HEIGHT, LABEL } from './flow.js';
import { PAGE, type Style } from './paper.js';
import { paginate } from './pagination.js';

/** Text is set from the left edge on, amounts up to the right one. */
export interface Column {
  readonly head: string;
  readonly x: number;
  readonly width: number;
  readonly isAmount?: boolean;
}

/** A line of a cell, and how far it is indented. */
export interface Piece {
  readonly text: string;
  readonly style: Style;
  readonly line?: number;
  readonly indent?: number;
}

/** The cells in the order of the columns; one without pieces is empty. */
export interface Row {
  readonly lines: number;
  readonly cells: readonly (readonly Piece[])[];
  /** The column whose cell names the row. */
  readonly named?: number;
  readonly color?: string;
}

export interface Table {
  readonly heading: string;
  readonly note: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** Below the last row, and never on a page without it. */
  readonly totals: readonly Row[];
  /** Makes the rows at the end of a page, after so many rows, and at the head of the next one. */
  readonly carried?: (rows: number) => { readonly forward: Row; readonly brought: Row };
}

const LEADING = 10.5;
const PADDING = 4;
const HEADS = 15;
/** The height of the rule above a row, which its area leaves to be seen. */
const RULE_HEIGHT = 0.4;

/**
 * A table over as many pages as it needs, with the heads of its columns on each. The first rows stay with the heading,
 * and the last ones with the totals. What is repeated on pages is no part of the text that is read aloud.
 */
export function table(flow: Flow, { heading, note, columns, rows, totals, carried }: Table): void {
  const { paper } = flow;
  const heights = rows.map(heightOf);
  const paginated = (): number[] =>
    paginate(heights, {
      first: PAGE.bottom - flow.y - HEADING_HEIGHT - HEADS,
      other: flow.room - HEADS,
      closing: totals.reduce((sum, row) => sum + heightOf(row), 0),
      carry: carried ? heightOf(carried(0).forward) : 0,
    });
  let pages = paginated();
  if (pages.length > 1 && pages[0] === 0) {
    flow.newPage();
    pages = paginated();
  }
  flow.heading(heading, note);
  const draw = (row: Row): void => drawRow(flow, columns, row);
  paper.tag('Table', () => {
    let from = 0;
    pages.forEach((count, page) => {
      const heads = (): void => drawHeads(flow, columns);
      if (page === 0) paper.tag('THead', heads);
      else {
        flow.newPage();
        paper.aside(heads);
      }
      if (carried && from > 0) paper.aside(() => draw(carried(from).brought));
      const shown = rows.slice(from, from + count);
      paper.tag('TBody', () => shown.forEach(draw));
      from += count;
      if (carried && from < rows.length) paper.aside(() => draw(carried(from).forward));
    });
    if (totals.length > 0) paper.tag('TFoot', () => totals.forEach(draw));
  });
}

function heightOf({ lines }: Row): number {
  return lines * LEADING + PADDING;
}

function drawHeads(flow: Flow, columns: readonly Column[]): void {
  const { paper } = flow;
  const y = flow.y + 9;
  paper.tag('TR', () => {
    for (const { head, x, width, isAmount } of columns) {
      const write = (): void => paper.line(head, isAmount ? x + width : x, y, LABEL, isAmount ? 'right' : 'left');
      paper.tag('TH', write, { scope: 'Column' });
    }
  });
  flow.y += HEADS;
  paper.rule(PAGE.left, PAGE.right, flow.y, HEADING.color, 0.75);
}

function drawRow(flow: Flow, columns: readonly Column[], row: Row): void {
  const { paper } = flow;
  const height = heightOf(row);
  const y = flow.y + PADDING / 2 + BODY.size - 0.8;
  if (row.color) paper.fill(PAGE.left, flow.y + RULE_HEIGHT, PAGE.right - PAGE.left, height - RULE_HEIGHT, row.color);
  paper.tag('TR', () => {
    columns.forEach(({ x, width, isAmount }, index) => {
      const pieces = row.cells[index] ?? [];
      const write = (): void => {
        for (const { text, style, line = 0, indent = 0 } of pieces) {
          const baseline = y + line * LEADING;
          if (isAmount) amount(paper, text, x + width, baseline, style, width);
          else paper.line(text, x + indent, baseline, style);
        }
      };
      if (index === row.named) paper.tag('TH', write, { scope: 'Row' });
      else paper.tag('TD', write);
    });
  });
  flow.y += height;
  paper.rule(PAGE.left, PAGE.right, flow.y, undefined, RULE_HEIGHT);
}
