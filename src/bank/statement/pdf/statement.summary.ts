import { sum } from '../../../../lib/typeset/figures.js';
import { type Flow, grouped, longDate } from '../../../../lib/typeset/flow.js';
import { ACCENT, TINT } from '../../../../lib/typeset/paper.js';
import { type AccountContent } from '../statement.content.js';

/** Prints how the closing balance comes of the opening one. */
export function summary(flow: Flow, content: AccountContent): void {
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
