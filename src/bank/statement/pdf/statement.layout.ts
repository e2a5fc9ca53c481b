import { row, sum } from '../../../../lib/typeset/figures.js';
import { Flow, grouped, LABEL, longDate, pageNumbers, shownNumber, SMALL } from '../../../../lib/typeset/flow.js';
import { ACCENT, PAGE, Paper, TINT } from '../../../../lib/typeset/paper.js';
import { type Picture } from '../../../../lib/typeset/picture.js';
import { clip, showable } from '../../../../lib/typeset/text.js';
import { type Logo, type StatementContent } from '../statement.content.js';
import { pictureOf } from './logo.js';
import { entries } from './statement.entries.js';
import { fees } from './statement.fees.js';
import { letterhead } from './statement.letterhead.js';
import { errorResolution } from './statement.notice.js';
import { ACCOUNT_TYPES, isNothing, periodText } from './statement.words.js';

const RUNNING_HEAD = 60;

/** A monthly statement on paper, US Letter. The same content and logo always give the same bytes. */
export function layout(content: StatementContent, logo: Logo | null): Paper {
  const { account, issuer, period, issuedOn, statementId } = content;
  const number = shownNumber(account.number);
  const paper = new Paper({
    title: `${showable(issuer.name)}: statement of account ${number.shown}, ${periodText(period)}`,
    author: showable(issuer.name),
    documentId: statementId,
    issuedOn,
    program: 'Tillgate',
  });
  const flow = new Flow(paper, RUNNING_HEAD, () => runningHead(paper, content));
  const picture: Picture | null = logo && pictureOf(logo);
  letterhead(flow, content, picture);
  summary(flow, content);
  interest(flow, content);
  fees(flow, content);
  entries(flow, content);
  errorResolution(flow, content);
  if (paper.isFlawed) flaws(flow);
  pageNumbers(paper, statementId);
  return paper;
}

/** Says on the page that some letters could not be shown as they are written. */
function flaws(flow: Flow): void {
  flow.needs(18);
  const note = 'Some letters of names or descriptions cannot be printed, and are shown as boxes. Ask us for them.';
  flow.paper.tag('P', () => flow.paper.line(note, PAGE.left, flow.y + 12, SMALL));
  flow.y += 18;
}

function runningHead(paper: Paper, { issuer, account, period }: StatementContent): void {
  const about = `${ACCOUNT_TYPES[account.type]} ${shownNumber(account.number).shown}`;
  paper.line(clip(issuer.name, LABEL.weight, LABEL.size, 170), PAGE.left, 44, LABEL);
  paper.line(clip(about, SMALL.weight, SMALL.size, 180), 236, 44, SMALL);
  paper.line(periodText(period), PAGE.right, 44, SMALL, 'right');
  paper.rule(PAGE.left, PAGE.right, 51);
}

/** Prints how the closing balance comes of the opening one. */
function summary(flow: Flow, content: StatementContent): void {
  const { account, period, credits, debits, openingBalance, closingBalance } = content;
  const of = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`;
  flow.needs(90);
  flow.heading('Summary', `Amounts in ${account.currency}`);
  sum(flow, {
    figures: [
      { label: 'Opening balance', value: grouped(openingBalance), note: longDate(period.start) },
      { label: 'Credits', value: grouped(credits.amount), note: of(credits.count) },
      { label: 'Debits', value: grouped(debits.amount), note: of(debits.count) },
      {
        label: closingBalance.startsWith('-') ? 'Closing balance, overdrawn' : 'Closing balance',
        value: grouped(closingBalance),
        note: longDate(period.end),
      },
    ],
    signs: ['+', '−', '='],
    color: TINT,
    resultColor: ACCENT,
  });
}

/** 12 CFR 1030.6(a)(1) and (2). An account without interest this year has none. */
function interest(flow: Flow, { interest: earned, period }: StatementContent): void {
  if (isNothing(earned.paid) && isNothing(earned.paidYearToDate)) return;
  const percent = earned.annualPercentageYieldEarned;
  flow.needs(64);
  flow.heading('Interest', '');
  row(flow, [
    { label: 'Interest paid this period', value: grouped(earned.paid) },
    { label: 'Interest paid, year to date', value: grouped(earned.paidYearToDate) },
    ...(isNothing(earned.paid)
      ? []
      : [
          {
            label: 'Annual percentage yield earned',
            value: percent === null ? 'Cannot be computed' : `${percent}%`,
          },
        ]),
    { label: 'Average daily balance', value: grouped(earned.averageDailyBalance) },
    { label: 'Days in period', value: String(period.days) },
  ]);
}
