import { BODY, type Flow, HEADING_HEIGHT, lines } from '../../../lib/typeset/flow.js';
import { PAGE, type Style } from '../../../lib/typeset/paper.js';
import { wrap } from '../../../lib/typeset/text.js';
import { type ErrorResolution, type StatementContent } from '../statement.content.js';

const TEXT: Style = { ...BODY, size: 7.8 };
const LEADING = 9.6;
const GAP = 4;
const GUTTER = 24;
const INDENT = 12;
const WIDTH = (PAGE.right - PAGE.left - GUTTER) / 2;
const MAX_LINES = 20;

/** How to report an error, in the words of model form A-3(b) (12 CFR 1005, appendix A; 1005.8(b)). */
export function errorResolution(flow: Flow, { issuer }: StatementContent): void {
  if (!issuer.errorResolution) return;
  const { paper } = flow;
  const wrapped = (text: string, width = WIDTH): string[] => wrap(text, TEXT.weight, TEXT.size, width, MAX_LINES);
  const opening = wrapped(openingOf(issuer.errorResolution));
  const steps = STEPS.map(text => wrapped(text, WIDTH - INDENT));
  const closing = wrapped(CLOSING);
  const left = opening.length * LEADING;
  const right = [...steps, closing].reduce((sum, each) => sum + each.length * LEADING + GAP, -GAP);
  const height = HEADING_HEIGHT + Math.max(left, right) + 10;
  flow.needs(height);
  flow.heading('In case of errors or questions about your electronic transfers', '');
  const top = flow.y + 7;
  paper.tag('P', () => lines(paper, opening, PAGE.left, top, TEXT, LEADING));
  let y = top;
  const x = PAGE.left + WIDTH + GUTTER;
  paper.tag('L', () => {
    steps.forEach((step, index) => {
      const write = (): void => {
        paper.line(`(${index + 1})`, x, y, TEXT);
        y = lines(paper, step, x + INDENT, y, TEXT, LEADING) + GAP;
      };
      paper.tag('LI', () => paper.tag('LBody', write));
    });
  });
  paper.tag('P', () => lines(paper, closing, x, y, TEXT, LEADING));
  flow.y += height - HEADING_HEIGHT;
}

function openingOf({ telephone, email, addressLines }: ErrorResolution): string {
  const ways = [
    `Telephone us at ${telephone}`,
    ...(addressLines.length > 0 ? [`write us at ${addressLines.join(', ')}`] : []),
    ...(email === null ? [] : [`e-mail us at ${email}`]),
  ].join(' or ');
  return `${ways} as soon as you can, if you think your statement or receipt is wrong or if you need more information about a transfer on the statement or receipt. We must hear from you no later than 60 days after we sent you the FIRST statement on which the error or problem appeared.`;
}

const STEPS = [
  'Tell us your name and account number (if any).',
  'Describe the error or the transfer you are unsure about, and explain as clearly as you can why you believe it is an error or why you need more information.',
  'Tell us the dollar amount of the suspected error.',
];
const CLOSING =
  'We will investigate your complaint and will correct any error promptly. If we take more than 10 business days to do this, we will credit your account for the amount you think is in error, so that you will have the use of the money during the time it takes us to complete our investigation.';
