import { type StatementContent } from '../statement.content.js';
import {
  amount,
  BODY,
  fitAll,
  Flow,
  grouped,
  HEADING,
  LABEL,
  labelled,
  lines,
  longDate,
  pageNumbers,
  SMALL,
  STRONG,
  wrapAll,
} from '../../../lib/typeset/flow.js';
import { ACCENT, PAGE, Paper, type Style } from '../../../lib/typeset/paper.js';
import { showable, clip, wrap } from '../../../lib/typeset/text.js';
import { entries } from './statement.entries.js';

const ISSUER: Style = { weight: 'semibold', size: 17, color: ACCENT };
const TITLE: Style = { weight: 'semibold', size: 15, color: BODY.color };
const ADDRESS: Style = { ...BODY, size: 10 };
const NOTE: Style = { ...SMALL, size: 8 };
const CLOSING: Style = { ...STRONG, size: 11 };
// The right column of the letterhead, and in it the values beside their labels.
const COLUMN = 348;
const VALUES = 418;
// Where the window of a number 10 envelope shows the addressee when a Letter page is folded in three.
const WINDOW = { top: 168, width: 264, lines: 6, leading: 13 };
// The panels of the summary: their height, and where the second one begins.
const PANEL = { height: 142, middle: 318, inset: 12 };

const ACCOUNT_TYPES: Readonly<Record<StatementContent['account']['type'], string>> = {
  CHECKING: 'Checking account',
  SAVINGS: 'Savings account',
  MONEY_MARKET: 'Money market account',
  CD: 'Certificate of deposit',
};

/** A monthly statement as PDF, US Letter. The same content always gives the same bytes. */
export function renderStatement(content: StatementContent): Buffer {
  const { account, issuer, period, issuedOn, statementId } = content;
  const paper = new Paper({
    title: `${showable(issuer.name)}: statement of account ${showable(account.number)}, ${period.start} to ${period.end}`,
    author: showable(issuer.name),
    documentId: statementId,
    issuedOn,
    program: 'Tillgate',
  });
  const flow = new Flow(paper, next => runningHead(next, content));
  letterhead(flow, content);
  ownership(flow, content.owners);
  summary(flow, content);
  fees(flow, content);
  entries(flow, content);
  pageNumbers(paper, statementId);
  return paper.finish();
}

function runningHead(flow: Flow, { issuer, account, period }: StatementContent): void {
  const { paper } = flow;
  paper.line(clip(issuer.name, 'semibold', LABEL.size, 170), PAGE.left, 44, LABEL);
  paper.line(clip(`${ACCOUNT_TYPES[account.type]} ${account.number}`, 'regular', SMALL.size, 130), 236, 44, SMALL);
  paper.line(`${longDate(period.start)} to ${longDate(period.end)}`, PAGE.right, 44, SMALL, 'right');
  paper.rule(PAGE.left, PAGE.right, 51);
  flow.y = 58;
}

/** Who writes, to whom, and about what. */
function letterhead(flow: Flow, content: StatementContent): void {
  const { paper } = flow;
  const { account, issuer, owners, addressLines, period, issuedOn } = content;
  lines(paper, wrap(issuer.name, ISSUER.weight, ISSUER.size, 270, 3), PAGE.left, 68, ISSUER, 19);
  const reach = [...issuer.addressLines.slice(0, 6), ...(issuer.telephone ? [issuer.telephone] : [])];
  lines(paper, fitAll(reach, SMALL, PAGE.right - COLUMN, 7), COLUMN, 62, SMALL, 10);
  paper.begin('P');
  const addressee = fitAll([...owners.slice(0, 1), ...addressLines], ADDRESS, WINDOW.width, WINDOW.lines);
  const left = lines(paper, addressee, PAGE.left, WINDOW.top, ADDRESS, WINDOW.leading);
  paper.begin('H1');
  paper.line('Account statement', COLUMN, WINDOW.top, TITLE);
  paper.begin('P');
  const facts = {
    Period: `${longDate(period.start)} to ${longDate(period.end)}`,
    Account: account.number,
    Type: ACCOUNT_TYPES[account.type],
    Issued: longDate(issuedOn),
  };
  let y = WINDOW.top + 20;
  for (const [label, value] of Object.entries(facts)) {
    paper.line(label, COLUMN, y, LABEL);
    y = lines(paper, wrap(value, BODY.weight, BODY.size, PAGE.right - VALUES, 2), VALUES, y, BODY, 11) + 3;
  }
  flow.y = Math.max(left, y, 236) + 8;
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

/** Two panels beside each other: the balances, and the interest (12 CFR 1030.6(a)(1) and (2)). */
function summary(flow: Flow, content: StatementContent): void {
  flow.y += 10;
  flow.needs(PANEL.height);
  flow.paper.begin('Artifact');
  flow.paper.fill(PAGE.left, flow.y, PANEL.middle - 10 - PAGE.left, PANEL.height);
  balances(flow, content);
  interest(flow, content);
  flow.y += PANEL.height + 6;
}

function balances({ paper, y }: Flow, content: StatementContent): void {
  const { account, period, credits, debits } = content;
  const from = PAGE.left + PANEL.inset;
  const to = PANEL.middle - 10 - PANEL.inset;
  paper.begin('H2');
  paper.line('Summary', from, y + 20, HEADING);
  paper.begin('P');
  paper.line(`Amounts in ${account.currency}`, to, y + 20, SMALL, 'right');
  const rows: [string, string, Style][] = [
    [`Opening balance on ${longDate(period.start)}`, content.openingBalance, BODY],
    [`Credits (${credits.count})`, credits.amount, BODY],
    ['Interest paid, among the credits', content.interest.paid, NOTE],
    [`Debits (${debits.count})`, debits.amount, BODY],
    ['Fees charged, among the debits', content.fees.total, NOTE],
  ];
  rows.forEach(([label, text, style], index) => {
    const indent = style === NOTE ? 8 : 0;
    labelled(paper, label, grouped(text), from + indent, to, y + 40 + index * 16, style);
  });
  paper.rule(from, to, y + 112, HEADING.color, 0.75);
  labelled(paper, 'Closing balance', grouped(content.closingBalance), from, to, y + 129, CLOSING);
}

function interest({ paper, y }: Flow, { interest: earned, period }: StatementContent): void {
  const from = PANEL.middle + 10;
  paper.begin('H2');
  paper.line('Interest', from, y + 20, HEADING);
  paper.begin('P');
  const percent = earned.annualPercentageYieldEarned;
  const rows = {
    'Interest paid this period': grouped(earned.paid),
    'Interest paid, year to date': grouped(earned.paidYearToDate),
    'Annual percentage yield earned': percent === null ? 'none' : `${percent}%`,
    'Average daily balance': grouped(earned.averageDailyBalance),
    'Days in period': String(period.days),
  };
  Object.entries(rows).forEach(([label, text], index) => {
    const line = y + 40 + index * 18;
    labelled(paper, label, text, from, PAGE.right, line, BODY);
    paper.rule(from, PAGE.right, line + 6);
  });
}

/** Each kind of fee with its total (12 CFR 1030.6(a)(3)). */
function fees(flow: Flow, { fees: charged }: StatementContent): void {
  flow.heading('Fees', charged.items.length === 0 ? 'No fees were charged in this period' : '', 30);
  const { paper } = flow;
  paper.rule(PAGE.left, PAGE.right, flow.y, HEADING.color, 0.75);
  for (const item of charged.items) {
    const [first = '', ...more] = wrap(item.description, BODY.weight, BODY.size, 330, 3);
    flow.needs(15 + more.length * 11);
    paper.line(first, PAGE.left, flow.y + 11, BODY);
    paper.line(`${item.count} ×`, 440, flow.y + 11, NOTE, 'right');
    amount(paper, grouped(item.amount), PAGE.right, flow.y + 11, BODY, 104);
    lines(paper, more, PAGE.left, flow.y + 22, BODY, 11);
    flow.y += 15 + more.length * 11;
    paper.rule(PAGE.left, PAGE.right, flow.y);
  }
  flow.needs(18);
  labelled(paper, 'Total fees', grouped(charged.total), PAGE.left, PAGE.right, flow.y + 12, STRONG);
  flow.y += 20;
}
