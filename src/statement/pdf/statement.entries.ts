import { type StatementContent, type StatementEntry } from '../statement.content.js';
import {
  amount,
  BODY,
  type Flow,
  grouped,
  HEADING,
  LABEL,
  shortDate,
  SMALL,
  STRONG,
} from '../../../lib/typeset/flow.js';
import { PAGE, type Style } from '../../../lib/typeset/paper.js';
import { kindOf } from './statement.words.js';
import { clip, widthOf, wrap } from '../../../lib/typeset/text.js';

// The right edges of the amounts and the left ones of the texts, in points.
const COLUMNS = { date: PAGE.left, description: 92, credit: 390, debit: 474, balance: PAGE.right } as const;
const DESCRIPTION_WIDTH = 216;
const AMOUNT_WIDTH = 76;
const ROW: Style = { ...BODY, size: 8.5 };
const KIND: Style = { ...SMALL, size: 7 };
const LEADING = 10.5;
const PADDING = 3.6;
const MAX_LINES = 6;

/** Every entry in ledger order between the opening and the closing balance, with the column heads on every page. */
export function entries(flow: Flow, content: StatementContent): void {
  const { account, period } = content;
  flow.heading('Transactions', `Amounts in ${account.currency}, days on the clock of ${account.timeZone}`, 60);
  heads(flow);
  balanceRow(flow, period.start, 'Opening balance', content.openingBalance);
  for (const entry of content.entries) entryRow(flow, entry);
  if (content.entries.length === 0) nothing(flow);
  balanceRow(flow, period.end, 'Closing balance', content.closingBalance);
}

function heads(flow: Flow): void {
  const { paper } = flow;
  const y = flow.y + 9;
  paper.line('Date', COLUMNS.date, y, LABEL);
  paper.line('Description', COLUMNS.description, y, LABEL);
  paper.line('Credit', COLUMNS.credit, y, LABEL, 'right');
  paper.line('Debit', COLUMNS.debit, y, LABEL, 'right');
  paper.line('Balance', COLUMNS.balance, y, LABEL, 'right');
  flow.y += 15;
  paper.rule(PAGE.left, PAGE.right, flow.y, HEADING.color, 0.75);
}

function makeRoom(flow: Flow, height: number): void {
  if (flow.needs(height)) heads(flow);
}

function entryRow(flow: Flow, entry: StatementEntry): void {
  const { paper } = flow;
  const description = wrap(entry.description, ROW.weight, ROW.size, DESCRIPTION_WIDTH, MAX_LINES);
  const kind = clip(kindOf(entry.transactionType), KIND.weight, KIND.size, DESCRIPTION_WIDTH);
  const kindAt = widthOf(description.at(-1) ?? '', ROW.weight, ROW.size) + (description.length > 0 ? 6 : 0);
  const isBeside = kindAt + widthOf(kind, KIND.weight, KIND.size) <= DESCRIPTION_WIDTH;
  const lineCount = Math.max(1, description.length + (isBeside || kind === '' ? 0 : 1));
  const height = lineCount * LEADING + PADDING;
  makeRoom(flow, height);
  const y = flow.y + PADDING / 2 + 8.2;
  paper.line(shortDate(entry.postedOn), COLUMNS.date, y, ROW);
  description.forEach((line, index) => paper.line(line, COLUMNS.description, y + index * LEADING, ROW));
  const lastLine = Math.max(0, description.length - (isBeside ? 1 : 0));
  paper.line(kind, COLUMNS.description + (isBeside ? kindAt : 0), y + lastLine * LEADING, KIND);
  const side = entry.direction === 'CREDIT' ? COLUMNS.credit : COLUMNS.debit;
  amount(paper, grouped(entry.amount), side, y, ROW, AMOUNT_WIDTH);
  amount(paper, grouped(entry.balance), COLUMNS.balance, y, ROW, AMOUNT_WIDTH);
  endRow(flow, height);
}

function balanceRow(flow: Flow, day: string, label: string, balance: string): void {
  const height = LEADING + PADDING + 1;
  makeRoom(flow, height);
  const y = flow.y + PADDING / 2 + 8.7;
  const style = { ...STRONG, size: ROW.size };
  flow.paper.line(shortDate(day), COLUMNS.date, y, ROW);
  flow.paper.line(label, COLUMNS.description, y, style);
  amount(flow.paper, grouped(balance), COLUMNS.balance, y, style, AMOUNT_WIDTH);
  endRow(flow, height);
}

function nothing(flow: Flow): void {
  const height = LEADING + PADDING;
  makeRoom(flow, height);
  flow.paper.line('No activity in this period.', COLUMNS.description, flow.y + PADDING / 2 + 8.2, {
    ...ROW,
    color: SMALL.color,
  });
  endRow(flow, height);
}

function endRow(flow: Flow, height: number): void {
  flow.y += height;
  flow.paper.rule(PAGE.left, PAGE.right, flow.y, undefined, 0.4);
}
