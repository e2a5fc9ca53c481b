import { BODY, type Flow, grouped, STRONG } from '../../../../lib/typeset/flow.js';
import { type Column, type Row, table } from '../../../../lib/typeset/table.js';
import { wrap } from '../../../../lib/typeset/text.js';
import { type StatementContent } from '../statement.content.js';
import { isNothing } from './statement.words.js';

// The heads are those of sample form B-10 (12 CFR 1030, appendix B).
const COLUMNS: readonly Column[] = [
  { head: 'Fee', x: 54, width: 290 },
  { head: 'Number', x: 354, width: 30, isAmount: true },
  { head: 'Total for this period', x: 390, width: 84, isAmount: true },
  { head: 'Total year-to-date', x: 480, width: 78, isAmount: true },
];
const MAX_LINES = 3;

/**
 * Each kind of fee with its total (12 CFR 1030.6(a)(3)), and the totals of overdrafts and returned items (1030.11(a)).
 * A year without fees has none.
 */
export function fees(flow: Flow, { fees: charged, overdraft }: StatementContent): void {
  const { items, total, totalYearToDate } = charged;
  if (items.length === 0 && isNothing(totalYearToDate ?? '0') && !overdraft) return;
  const rows = items.map(({ description, count, amount }): Row => {
    const lines = wrap(description, BODY.weight, BODY.size, COLUMNS[0]!.width, MAX_LINES);
    return {
      lines: Math.max(1, lines.length),
      cells: [
        lines.map((text, line) => ({ text, style: BODY, line })),
        [{ text: String(count), style: BODY }],
        [{ text: grouped(amount), style: BODY }],
        [],
      ],
    };
  });
  const totals = [totalRow('Total fees', total, totalYearToDate)];
  if (overdraft) {
    const { fees: ofOverdrafts, returnedItemFees: ofReturns } = overdraft;
    totals.push(totalRow('Total Overdraft Fees', ofOverdrafts.period, ofOverdrafts.yearToDate));
    totals.push(totalRow('Total Returned Item Fees', ofReturns.period, ofReturns.yearToDate));
  }
  table(flow, { heading: 'Fees', note: '', columns: COLUMNS, rows, totals });
}

function totalRow(label: string, period: string, yearToDate: string | undefined): Row {
  return {
    lines: 1,
    named: 0,
    cells: [
      [{ text: label, style: STRONG }],
      [],
      [{ text: grouped(period), style: STRONG }],
      yearToDate === undefined ? [] : [{ text: grouped(yearToDate), style: STRONG }],
    ],
  };
}
