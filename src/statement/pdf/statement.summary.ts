import { type StatementContent } from '../statement.content.js';
import {
  amount,
  BODY,
  type Flow,
  grouped,
  HEADING,
  labelled,
  longDate,
  SMALL,
  STRONG,
} from '../../../lib/typeset/flow.js';
import { PAGE, type Style } from '../../../lib/typeset/paper.js';
import { wrap } from '../../../lib/typeset/text.js';

const HEIGHT = 142;
const MIDDLE = 318;
const INSET = 12;
const NOTE: Style = { ...SMALL, size: 8 };
const CLOSING: Style = { ...STRONG, size: 11 };

/** What came and went, and what it earned: two panels beside each other (12 CFR 1030.6(a)(1) and (2) is the second). */
export function summary(flow: Flow, content: StatementContent): void {
  flow.y += 10;
  flow.needs(HEIGHT);
  flow.paper.begin('Artifact');
  flow.paper.fill(PAGE.left, flow.y, MIDDLE - 10 - PAGE.left, HEIGHT);
  balances(flow, content);
  interest(flow, content);
  flow.y += HEIGHT + 6;
}

function balances({ paper, y }: Flow, content: StatementContent): void {
  const { account, period, credits, debits } = content;
  const from = PAGE.left + INSET;
  const to = MIDDLE - 10 - INSET;
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
  const from = MIDDLE + 10;
  paper.begin('H2');
  paper.line('Interest', from, y + 20, HEADING);
  paper.begin('P');
  const rows: [string, string][] = [
    ['Interest paid this period', grouped(earned.paid)],
    ['Interest paid, year to date', grouped(earned.paidYearToDate)],
    [
      'Annual percentage yield earned',
      earned.annualPercentageYieldEarned === null ? 'none' : `${earned.annualPercentageYieldEarned}%`,
    ],
    ['Average daily balance', grouped(earned.averageDailyBalance)],
    ['Days in period', String(period.days)],
  ];
  rows.forEach(([label, text], index) => {
    const line = y + 40 + index * 18;
    labelled(paper, label, text, from, PAGE.right, line, BODY);
    paper.rule(from, PAGE.right, line + 6);
  });
}

/** Each kind of fee with its total (12 CFR 1030.6(a)(3)). */
export function fees(flow: Flow, { fees: charged }: StatementContent): void {
  flow.heading('Fees', charged.items.length === 0 ? 'No fees were charged in this period' : '', 30);
  const { paper } = flow;
  paper.rule(PAGE.left, PAGE.right, flow.y, HEADING.color, 0.75);
  for (const item of charged.items) {
    const [first = '', ...more] = wrap(item.description, BODY.weight, BODY.size, 330, 3);
    flow.needs(15 + more.length * 11);
    paper.line(first, PAGE.left, flow.y + 11, BODY);
    paper.line(`${item.count} ×`, 440, flow.y + 11, NOTE, 'right');
    amount(paper, grouped(item.amount), PAGE.right, flow.y + 11, BODY, 104);
    more.forEach((line, index) => paper.line(line, PAGE.left, flow.y + 22 + index * 11, BODY));
    flow.y += 15 + more.length * 11;
    paper.rule(PAGE.left, PAGE.right, flow.y);
  }
  flow.needs(18);
  labelled(paper, 'Total fees', grouped(charged.total), PAGE.left, PAGE.right, flow.y + 12, STRONG);
  flow.y += 20;
}
