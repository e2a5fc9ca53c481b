import { BODY, type Flow, grouped, shortDate, SMALL, STRONG } from '../../../../lib/typeset/flow.js';
import { PAGE, type Style, TINT } from '../../../../lib/typeset/paper.js';
import { type Column, type Piece, type Row, table } from '../../../../lib/typeset/table.js';
import { clip, widthOf, wrap } from '../../../../lib/typeset/text.js';
import { labelOf } from '../../../shared/labels.js';
import { type AccountContent, type StatementEntry } from '../statement.content.js';

const DESCRIPTION = { x: 96, width: 216 };
const COLUMNS: readonly Column[] = [
  { head: 'Date', x: PAGE.left, width: 38 },
  { head: 'Description', ...DESCRIPTION },
  { head: 'Credit', x: 314, width: 76, isAmount: true },
  { head: 'Debit', x: 398, width: 76, isAmount: true },
  { head: 'Balance', x: 482, width: 76, isAmount: true },
];
const ROW: Style = { ...BODY, size: 8.5 };
const BALANCE: Style = { ...STRONG, size: ROW.size };
const KIND: Style = { ...SMALL, size: 7 };
const MAX_LINES = 6;

/**
 * Every entry in ledger order between the opening and the closing balance. A page that is not the last one ends with
 * the balance up to there, and the next one begins with it.
 */
export function entries(flow: Flow, content: AccountContent): void {
  const { account, period, openingBalance, closingBalance } = content;
  const rows = content.entries.map(entry => entryRow(entry, period.start.slice(0, 4)));
  if (rows.length === 0) {
    rows.push({
      lines: 1,
      cells: [[], [{ text: 'No transactions in this period', style: { ...ROW, color: SMALL.color } }], [], [], []],
    });
  }
  // The first row is the opening balance.
  const balanceAfter = (shown: number): string => content.entries[shown - 2]?.balance ?? openingBalance;
  table(flow, {
    heading: 'Transactions',
    note: `Amounts in ${account.currency}, days on the clock of ${account.timeZone}`,
    columns: COLUMNS,
    rows: [balanceRow(shortDate(period.start), 'Opening balance', openingBalance), ...rows],
    totals: [{ ...balanceRow(shortDate(period.end), 'Closing balance', closingBalance), color: TINT }],
    carried: shown => ({
      forward: { ...balanceRow('', 'Balance carried forward', balanceAfter(shown)), color: TINT },
      brought: { ...balanceRow('', 'Balance brought forward', balanceAfter(shown)), color: TINT },
    }),
  });
}

function entryRow(entry: StatementEntry, year: string): Row {
  const type = labelOf(entry.transactionType);
  // The type stands in place of a description that is missing.
  const said = entry.description === entry.transactionType ? type : entry.description;
  const description = wrap(said, ROW.weight, ROW.size, DESCRIPTION.width, MAX_LINES);
  const isSaid = type.toLowerCase() === description[0]?.toLowerCase();
  const kind = isSaid ? '' : clip(type, KIND.weight, KIND.size, DESCRIPTION.width);
  const kindAt = widthOf(description.at(-1) ?? '', ROW.weight, ROW.size) + (description.length > 0 ? 6 : 0);
  const isBeside = kindAt + widthOf(kind, KIND.weight, KIND.size) <= DESCRIPTION.width;
  const kindLine = Math.max(0, description.length - (isBeside ? 1 : 0));
  const shown: Piece[] = description.map((text, line) => ({ text, style: ROW, line }));
  if (kind !== '') shown.push({ text: kind, style: KIND, line: kindLine, indent: isBeside ? kindAt : 0 });
  const date: Piece[] = [{ text: shortDate(entry.postedOn), style: ROW }];
  // A transaction that was posted late can be of another year.
  const of = entry.postedOn.slice(0, 4);
  if (of !== year) date.push({ text: of, style: KIND, line: 1 });
  const amount: Piece[] = [{ text: grouped(entry.amount), style: ROW }];
  const [credit, debit] = entry.direction === 'CREDIT' ? [amount, []] : [[], amount];
  return {
    lines: Math.max(date.length, description.length, kind === '' ? 0 : kindLine + 1),
    cells: [date, shown, credit, debit, [{ text: grouped(entry.balance), style: ROW }]],
  };
}

function balanceRow(day: string, label: string, balance: string): Row {
  const cells = [
    [{ text: day, style: ROW }],
    [{ text: label, style: BALANCE }],
    [],
    [],
    [{ text: grouped(balance), style: BALANCE }],
  ];
  return { lines: 1, cells, named: 1 };
}
