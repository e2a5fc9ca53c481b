import { BODY, type Flow, HEADING_HEIGHT, lines } from '../../../../lib/typeset/flow.js';
import { PAGE, type Style } from '../../../../lib/typeset/paper.js';
import { wrap } from '../../../../lib/typeset/text.js';
import { type ErrorResolution, type StatementContent } from '../statement.content.js';

/** The setting of the notice: at ease, or closer where that spares a page of its own. */
interface Setting {
  readonly text: Style;
  readonly leading: number;
  /** Between paragraphs, and after the last one. */
  readonly gap: number;
  readonly after: number;
}
const SETTINGS: readonly [Setting, Setting] = [
  { text: { ...BODY, size: 7.8 }, leading: 9.6, gap: 4, after: 10 },
  { text: { ...BODY, size: 7 }, leading: 8.2, gap: 2, after: -4 },
];
const GUTTER = 24;
const INDENT = 12;
const WIDTH = (PAGE.right - PAGE.left - GUTTER) / 2;
const MAX_LINES = 20;

/**
 * Prints how to report an error, in the words of model form A-3(b) (12 CFR 1005, appendix A; 1005.8(b)), and
 * 1005.9(b)(5).
 */
export function errorResolution(flow: Flow, { issuer }: StatementContent): void {
  if (!issuer.errorResolution) return;
  const notice = noticeOf(issuer.errorResolution);
  const [atEase, close] = SETTINGS.map(setting => laidOut(notice, setting)) as [NoticeLayout, NoticeLayout];
  const fits = ({ height }: NoticeLayout): boolean => flow.y + height <= PAGE.bottom;
  write(flow, !fits(atEase) && fits(close) ? close : atEase);
}

interface NoticeLayout {
  readonly setting: Setting;
  readonly inquiries: readonly string[];
  readonly opening: readonly string[];
  readonly steps: readonly (readonly string[])[];
  readonly closing: readonly string[];
  readonly height: number;
}

function laidOut({ inquiries, opening }: ReturnType<typeof noticeOf>, setting: Setting): NoticeLayout {
  const { text, leading, gap, after } = setting;
  const wrapped = (part: string, width = WIDTH): string[] => wrap(part, text.weight, text.size, width, MAX_LINES);
  const parts = { inquiries: wrapped(inquiries), opening: wrapped(opening), closing: wrapped(CLOSING) };
  const steps = STEPS.map(step => wrapped(step, WIDTH - INDENT));
  const heightOf = (paragraphs: readonly (readonly string[])[]): number =>
    paragraphs.reduce((sum, each) => sum + each.length * leading + gap, -gap);
  const [left, right] = [heightOf([parts.inquiries, parts.opening]), heightOf([...steps, parts.closing])];
  return { setting, ...parts, steps, height: HEADING_HEIGHT + Math.max(left, right) + after };
}

function write(
  flow: Flow,
  { setting: { text, leading, gap }, inquiries, opening, steps, closing, height }: NoticeLayout,
): void {
  const { paper } = flow;
  flow.needs(height);
  flow.heading('In case of errors or questions about your electronic transfers', '');
  let y = flow.y + 7;
  const paragraph = (part: readonly string[], x: number): void => {
    paper.tag('P', () => {
      y = lines(paper, part, x, y, text, leading) + gap;
    });
  };
  paragraph(inquiries, PAGE.left);
  paragraph(opening, PAGE.left);
  y = flow.y + 7;
  const x = PAGE.left + WIDTH + GUTTER;
  paper.tag('L', () => {
    steps.forEach((step, index) => {
      const writeStep = (): void => {
        paper.line(`(${index + 1})`, x, y, text);
        y = lines(paper, step, x + INDENT, y, text, leading) + gap;
      };
      paper.tag('LI', () => paper.tag('LBody', writeStep));
    });
  });
  paragraph(closing, x);
  flow.y += height - HEADING_HEIGHT;
}

function noticeOf({ telephone, email, addressLines }: ErrorResolution) {
  const ways = [
    `Telephone us at ${telephone}`,
    ...(addressLines.length > 0 ? [`write us at ${addressLines.join(', ')}`] : []),
    ...(email === null ? [] : [`e-mail us at ${email}`]),
  ].join(' or ');
  const opening = `${ways} as soon as you can, if you think your statement or receipt is wrong or if you need more information about a transfer on the statement or receipt. We must hear from you no later than 60 days after we sent you the FIRST statement on which the error or problem appeared.`;
  const inquiries = `Direct inquiries to: ${[telephone, ...addressLines, ...(email === null ? [] : [email])].join(', ')}`;
  return { inquiries, opening };
}

const STEPS = [
  'Tell us your name and account number (if any).',
  'Describe the error or the transfer you are unsure about, and explain as clearly as you can why you believe it is an error or why you need more information.',
  'Tell us the dollar amount of the suspected error.',
];
const CLOSING =
  'We will investigate your complaint and will correct any error promptly. If we take more than 10 business days to do this, we will credit your account for the amount you think is in error, so that you will have the use of the money during the time it takes us to complete our investigation.';
