import { type StatementContent } from '../statement.content.js';
import { BODY, fitAll, type Flow, LABEL, lines, longDate, SMALL, wrapAll } from '../../../lib/typeset/flow.js';
import { ACCENT, PAGE, type Paper, type Style } from '../../../lib/typeset/paper.js';
import { ACCOUNT_TYPES } from './statement.words.js';
import { wrap } from '../../../lib/typeset/text.js';

const ISSUER: Style = { weight: 'semibold', size: 17, color: ACCENT };
const TITLE: Style = { weight: 'semibold', size: 15, color: BODY.color };
const ADDRESS: Style = { ...BODY, size: 10 };
// The right column, and in it the values beside their labels.
const COLUMN = 348;
const VALUES = 418;
// Where the window of a number 10 envelope shows the addressee when a Letter page is folded in three.
const WINDOW = { top: 168, width: 264, lines: 6, leading: 13 };

/** The first page down to the owners: who writes, to whom, and about what. */
export function letterhead(flow: Flow, content: StatementContent): void {
  const { paper } = flow;
  const { issuer, owners, addressLines } = content;
  lines(paper, wrap(issuer.name, ISSUER.weight, ISSUER.size, 270, 3), PAGE.left, 68, ISSUER, 19);
  const reach = [...issuer.addressLines.slice(0, 6), ...(issuer.telephone ? [issuer.telephone] : [])];
  lines(paper, fitAll(reach, SMALL, PAGE.right - COLUMN, 7), COLUMN, 62, SMALL, 10);
  paper.begin('P');
  const addressee = fitAll([...owners.slice(0, 1), ...addressLines], ADDRESS, WINDOW.width, WINDOW.lines);
  const left = lines(paper, addressee, PAGE.left, WINDOW.top, ADDRESS, WINDOW.leading);
  const right = about(paper, content);
  flow.y = Math.max(left, right, 236) + 8;
  ownership(flow, owners);
}

function about(paper: Paper, { account, period, issuedOn }: StatementContent): number {
  paper.begin('H1');
  paper.line('Account statement', COLUMN, WINDOW.top, TITLE);
  paper.begin('P');
  const facts: [string, string][] = [
    ['Period', `${longDate(period.start)} to ${longDate(period.end)}`],
    ['Account', account.number],
    ['Type', ACCOUNT_TYPES[account.type]],
    ['Issued', longDate(issuedOn)],
  ];
  let y = WINDOW.top + 20;
  for (const [label, value] of facts) {
    paper.line(label, COLUMN, y, LABEL);
    y = lines(paper, wrap(value, BODY.weight, BODY.size, PAGE.right - VALUES, 2), VALUES, y, BODY, 11) + 3;
  }
  return y;
}

function ownership(flow: Flow, owners: readonly string[]): void {
  if (owners.length === 0) return;
  const { paper } = flow;
  const label = owners.length === 1 ? 'Account owner' : 'Account owners';
  const names = wrapAll(owners, BODY, PAGE.right - PAGE.left - 80, 8, Infinity);
  paper.begin('P');
  flow.y += 6;
  names.forEach((line, index) => {
    flow.needs(12);
    if (index === 0) paper.line(label, PAGE.left, flow.y + 8, LABEL);
    paper.line(line, PAGE.left + 80, flow.y + 8, BODY);
    flow.y += 12;
  });
}
