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
import { clip, widthOf, wrap } from '../../../lib/typeset/text.js';

// The right edges of the amounts and the left ones of the texts, in points.
const COLUMNS = { date: PAGE.left, description: 92, credit: 390, debit: 474, balance: PAGE.right } as const;
const DESCRIPTION_WIDTH = 216;
const AMOUNT_WIDTH = 76;
const ROW: Style = { ...BODY, size: 8.5 };
const BALANCE: Style = { ...STRONG, size: ROW.size };
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
  if (content.entries.length === 0) {
    row(flow, LEADING + PADDING, y => {
      flow.paper.line('No activity in this period.', COLUMNS.description, y + 8.2, { ...ROW, color: SMALL.color });
    });
  }
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

/** Draws a row on this page or the next one, and a line below it. */
function row(flow: Flow, height: number, draw: (y: number) => void): void {
  if (flow.needs(height)) heads(flow);
  draw(flow.y + PADDING / 2);
  flow.y += height;
  flow.paper.rule(PAGE.left, PAGE.right, flow.y, undefined, 0.4);
}

function entryRow(flow: Flow, entry: StatementEntry): void {
  const { paper } = flow;
  const description = wrap(entry.description, ROW.weight, ROW.size, DESCRIPTION_WIDTH, MAX_LINES);
  const kind = clip(kindOf(entry.transactionType), KIND.weight, KIND.size, DESCRIPTION_WIDTH);
  const kindAt = widthOf(description.at(-1) ?? '', ROW.weight, ROW.size) + (description.length > 0 ? 6 : 0);
  const isBeside = kindAt + widthOf(kind, KIND.weight, KIND.size) <= DESCRIPTION_WIDTH;
  const lineCount = Math.max(1, description.length + (isBeside || kind === '' ? 0 : 1));
  row(flow, lineCount * LEADING + PADDING, top => {
    const y = top + 8.2;
    paper.line(shortDate(entry.postedOn), COLUMNS.date, y, ROW);
    description.forEach((line, index) => paper.line(line, COLUMNS.description, y + index * LEADING, ROW));
    const lastLine = Math.max(0, description.length - (isBeside ? 1 : 0));
    paper.line(kind, COLUMNS.description + (isBeside ? kindAt : 0), y + lastLine * LEADING, KIND);
    const side = entry.direction === 'CREDIT' ? COLUMNS.credit : COLUMNS.debit;
    amount(paper, grouped(entry.amount), side, y, ROW, AMOUNT_WIDTH);
    amount(paper, grouped(entry.balance), COLUMNS.balance, y, ROW, AMOUNT_WIDTH);
  });
}

function balanceRow(flow: Flow, day: string, label: string, balance: string): void {
  row(flow, LEADING + PADDING + 1, top => {
    const y = top + 8.7;
    flow.paper.line(shortDate(day), COLUMNS.date, y, ROW);
    flow.paper.line(label, COLUMNS.description, y, BALANCE);
    amount(flow.paper, grouped(balance), COLUMNS.balance, y, BALANCE, AMOUNT_WIDTH);
  });
}

const ABBREVIATIONS: ReadonlySet<string> = new Set(['ACH', 'ATM', 'POS', 'NSF', 'SEPA', 'RTP']);
// Codes without a mark between their words.
const KINDS: Readonly<Record<string, string>> = { DIRECTDEPOSIT: 'Direct deposit', DIRECTDEBIT: 'Direct debit' };

/**
 * The type of a transaction as people write it: `ACH_CREDIT` is `ACH credit`. A type of another form stays as it is.
 */
function kindOf(transactionType: string): string {
  const known = KINDS[transactionType];
  if (known !== undefined) return known;
  if (!/^[A-Z][A-Z0-9_]*$/.test(transactionType)) return transactionType;
  const words = transactionType.split('_').map(word => (ABBREVIATIONS.has(word) ? word : word.toLowerCase()));
  const kind = words.join(' ');
  return kind[0]!.toUpperCase() + kind.slice(1);
}
