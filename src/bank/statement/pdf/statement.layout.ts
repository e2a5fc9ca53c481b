import { row } from '../../../../lib/typeset/figures.js';
import { type Flow, grouped } from '../../../../lib/typeset/flow.js';
import { type Paper } from '../../../../lib/typeset/paper.js';
import { type Logo, type StatementContent } from '../statement.content.js';
import { accountPaper } from './account-paper.js';
import { fees } from './statement.fees.js';
import { entries } from './statement.entries.js';
import { errorResolution } from './statement.notice.js';
import { summary } from './statement.summary.js';
import { isNothing } from './statement.words.js';

/** A monthly statement on paper, US Letter. The same content and logo always give the same bytes. */
export function layout(content: StatementContent, logo: Logo | null): Paper {
  const { statementId: id, issuedOn: day } = content;
  return accountPaper(content, logo, { kind: 'statement', id, day, dated: 'Issued' }, flow => {
    summary(flow, content);
    interest(flow, content);
    fees(flow, content);
    entries(flow, content);
    errorResolution(flow, content);
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
