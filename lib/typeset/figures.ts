import { amount, type Flow, HEADING, LABEL, SMALL, STRONG } from './flow.js';
import { INK, PAGE, type Paper, type Style, WHITE } from './paper.js';
import { widthOf } from './text.js';

/** A number under its label, and a note below it. */
export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly note: string;
}

/** The rule by which figures lead from one to the next: `+`, `−` and `=`. Software that reads aloud skips these. */
export interface Sum {
  readonly figures: readonly Figure[];
  readonly signs: readonly string[];
  /** Areas behind the figures, and behind the last one, which is the result. */
  readonly color: string;
  readonly resultColor: string;
}

const VALUE: Style = { weight: 'semibold', size: 14, color: INK };
const INSET = 12;
const SIGN = 18;

/** A sum of figures beside each other, each of which has the same width. */
export function sum(flow: Flow, { figures, signs, color, resultColor }: Sum): void {
  const { paper, y } = flow;
  const width = (PAGE.right - PAGE.left) / figures.length;
  const height = 58;
  const leftOf = (index: number): number => PAGE.left + index * width;
  paper.fill(PAGE.left, y, PAGE.right - PAGE.left, height, color);
  paper.fill(leftOf(figures.length - 1), y, width, height, resultColor);
  const write = (index: number, text: string, line: number, style: Style): void => {
    const shown = index === figures.length - 1 ? { ...style, color: WHITE } : style;
    amount(paper, text, leftOf(index) + INSET, y + line, shown, width - INSET - SIGN, 'left');
  };
  paper.tag('Table', () => {
    heads(paper, figures, (label, index) => write(index, label, 18, LABEL));
    paper.tag('TR', () =>
      figures.forEach(({ value, note }, index) => {
        paper.tag('TD', () => {
          paper.tag('P', () => write(index, value, 35, VALUE));
          paper.tag('P', () => write(index, note, 48, SMALL));
        });
      }),
    );
  });
  paper.aside(() =>
    signs.forEach((sign, index) =>
      paper.line(sign, leftOf(index + 1) - 4, y + 35, { ...VALUE, ...SIGN_STYLE }, 'right'),
    ),
  );
  flow.y += height;
}

const SIGN_STYLE = { weight: 'regular', color: SMALL.color } as const;

/** Figures beside each other as a table of one row, each as wide as its label asks for. */
export function row(flow: Flow, figures: readonly Omit<Figure, 'note'>[]): void {
  const { paper, y } = flow;
  const widths = figures.map(({ label }) => widthOf(label, LABEL.weight, LABEL.size));
  const spare = (PAGE.right - PAGE.left - widths.reduce((all, width) => all + width, 0)) / (figures.length - 1);
  const lefts = figures.map((_, index) =>
    widths.slice(0, index).reduce((left, width) => left + width + spare, PAGE.left as number),
  );
  paper.tag('Table', () => {
    heads(paper, figures, (label, index) => paper.line(label, lefts[index]!, y + 9, LABEL));
    paper.tag('TR', () =>
      figures.forEach(({ value }, index) => {
        paper.tag('TD', () => amount(paper, value, lefts[index]!, y + 26, STRONG, widths[index]!, 'left'));
      }),
    );
  });
  paper.rule(PAGE.left, PAGE.right, y + 15, HEADING.color, 0.75);
  paper.rule(PAGE.left, PAGE.right, y + 32);
  flow.y += 32;
}

function heads(
  paper: Paper,
  figures: readonly { readonly label: string }[],
  write: (label: string, index: number) => void,
): void {
  paper.tag('TR', () =>
    figures.forEach(({ label }, index) => paper.tag('TH', () => write(label, index), { scope: 'Column' })),
  );
}
