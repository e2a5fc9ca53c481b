import {
  BODY,
  fitAll,
  type Flow,
  LABEL,
  lines,
  longDate,
  shownNumber,
  SMALL,
  wrapAll,
} from '../../../../lib/typeset/flow.js';
import { ACCENT, INK, PAGE, type Paper, type Style } from '../../../../lib/typeset/paper.js';
import { type Picture } from '../../../../lib/typeset/picture.js';
import { showable, wrap } from '../../../../lib/typeset/text.js';
import { type AccountContent } from '../statement.content.js';
import { ACCOUNT_TYPES, periodText } from './statement.words.js';

const NAME: Style = { weight: 'semibold', size: 17, color: ACCENT };
const LONG_NAME: Style = { ...NAME, size: 13 };
const TITLE: Style = { weight: 'semibold', size: 15, color: BODY.color };
const ADDRESS: Style = { ...BODY, size: 10 };
const FIRM: Style = { ...LABEL, color: INK };
const HEAD = { top: 46, width: 270 };
const LOGO = { height: 40, width: 200, gap: 12 };
/** A logo of this proportion or narrower is a mark, which the name stands beside; a wider one has the name in it. */
const WIDEST_MARK = 1.6;
// The right column of the letterhead, and in it the values beside their labels.
const COLUMN = 348;
const VALUES = 428;
const FACT_LEADING = 11;
// Where the window of a number 10 envelope shows the addressee when a Letter page is folded in three.
const WINDOW = { top: 168, width: 264, lines: 6, leading: 13 };
const OWNERS = { label: 80, perLine: 2, lines: 8, leading: 12 };

/** The words by which a document about an account is told from others. */
export interface DocumentTitle {
  readonly kind: 'statement' | 'report';
  readonly id: string;
  /** The day of the document, and what it is. */
  readonly day: string;
  readonly dated: string;
}

/** Prints who writes, to whom, and about what. */
export function letterhead(flow: Flow, content: AccountContent, title: DocumentTitle, logo: Picture | null): void {
  const { paper } = flow;
  const { issuer, owners, addressLines } = content;
  const isNamed = sender(paper, issuer.name, logo);
  const reach = [...issuer.addressLines.slice(0, 6), ...(issuer.telephone ? [issuer.telephone] : [])];
  paper.tag('P', () => {
    let y = HEAD.top + 8;
    if (!isNamed) y = lines(paper, fitAll([issuer.name], FIRM, PAGE.right - COLUMN, 2), COLUMN, y, FIRM, 10);
    lines(paper, fitAll(reach, SMALL, PAGE.right - COLUMN, 7), COLUMN, y, SMALL, 10);
  });
  const addressee = fitAll([...owners.slice(0, 1), ...addressLines], ADDRESS, WINDOW.width, WINDOW.lines);
  paper.tag('P', () => lines(paper, addressee, PAGE.left, WINDOW.top, ADDRESS, WINDOW.leading));
  paper.tag('H1', () => paper.line(`Account ${title.kind}`, COLUMN, WINDOW.top, TITLE));
  const y = facts(paper, content, title);
  flow.y = Math.max(y, WINDOW.top + WINDOW.lines * WINDOW.leading);
  const [primary = ''] = owners;
  if (owners.length > 1 || !isWhole(primary, addressee)) named(flow, owners);
}

/** The logo and the name. False if the name is only in the logo. */
function sender(paper: Paper, name: string, logo: Picture | null): boolean {
  let left: number = PAGE.left;
  let y = HEAD.top + 20;
  if (logo) {
    const scale = Math.min(LOGO.height / logo.height, LOGO.width / logo.width);
    const [width, height] = [logo.width * scale, logo.height * scale];
    paper.picture(logo, `Logo of ${showable(name)}`, PAGE.left, HEAD.top, width, height);
    if (logo.width > logo.height * WIDEST_MARK) return false;
    left += width + LOGO.gap;
    y = HEAD.top + height / 2 + 6;
  }
  const width = HEAD.width - (left - PAGE.left);
  const isLong = wrap(name, NAME.weight, NAME.size, width, 3).length > 2;
  const style = isLong ? LONG_NAME : NAME;
  const leading = style.size + 2;
  const shown = wrap(name, style.weight, style.size, width, 3);
  const top = logo ? Math.max(HEAD.top + style.size * 0.8, y - ((shown.length - 1) * leading) / 2) : y;
  paper.tag('P', () => lines(paper, shown, left, top, style, leading));
  return true;
}

function facts(paper: Paper, { account, period }: AccountContent, { kind, day, dated }: DocumentTitle): number {
  const number = shownNumber(account.number);
  const shown: [label: string, value: string, read?: string][] = [
    [kind === 'statement' ? 'Statement period' : 'Report period', periodText(period)],
    ['Account number', number.shown, number.read],
    ['Account type', ACCOUNT_TYPES[account.type]],
    [dated, longDate(day)],
  ];
  let y = WINDOW.top + 20;
  for (const [label, value, read] of shown) {
    // A period of two months has no room on one line.
    const fitting = fitAll([value], BODY, PAGE.right - VALUES, 2);
    const write = (): void => {
      paper.line(label, COLUMN, y, LABEL);
      lines(paper, fitting, VALUES, y, BODY, FACT_LEADING);
    };
    paper.tag('P', write, read === undefined ? {} : { actualText: `${label} ${read}` });
    y += 14 + (fitting.length - 1) * FACT_LEADING;
  }
  return y;
}

/** True if the window shows a name without an end that is cut off. */
function isWhole(name: string, addressee: readonly string[]): boolean {
  const whole = wrap(name, ADDRESS.weight, ADDRESS.size, WINDOW.width, WINDOW.lines);
  return whole.length <= WINDOW.lines && whole.every((line, index) => line === addressee[index]);
}

/** The names of all owners in full: of several, and of one whose name the window has no room for. */
function named(flow: Flow, owners: readonly string[]): void {
  const { paper } = flow;
  const left = PAGE.left + OWNERS.label;
  const perLine = owners.length > 1 ? OWNERS.perLine : 1;
  const width = (OWNERS.perLine / perLine) * (COLUMN - left);
  const names = owners.map(name => wrapAll([name], BODY, width - 14, OWNERS.lines, OWNERS.lines));
  flow.y += 4;
  paper.tag('P', () =>
    paper.line(owners.length > 1 ? 'Account owners' : 'Account owner', PAGE.left, flow.y + 8, LABEL),
  );
  paper.tag('L', () => {
    for (let first = 0; first < names.length; first += perLine) {
      const beside = names.slice(first, first + perLine);
      const height = Math.max(1, ...beside.map(({ length }) => length)) * OWNERS.leading;
      flow.needs(height);
      beside.forEach((name, index) => {
        const write = (): void => void lines(paper, name, left + index * width, flow.y + 8, BODY, OWNERS.leading);
        paper.tag('LI', () => paper.tag('LBody', write));
      });
      flow.y += height;
    }
  });
}
