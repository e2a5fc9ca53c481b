import { type Flow, lines, SMALL, wrapAll } from '../../../../lib/typeset/flow.js';
import { PAGE, type Paper } from '../../../../lib/typeset/paper.js';
import { type Logo, type ReportContent } from '../statement.content.js';
import { accountPaper } from './account-paper.js';
import { entries } from './statement.entries.js';
import { summary } from './statement.summary.js';

const NOTE =
  'This is an account report, and not an account statement: it shows the transactions that are booked on these days. A transaction that is booked later with one of these days changes it.';
const LEADING = 10;
const MAX_LINES = 3;

/** A report of any days of an account on paper. The same content and logo always give the same bytes. */
export function layout(content: ReportContent, logo: Logo | null): Paper {
  const { reportId: id, asOf: day } = content;
  return accountPaper(content, logo, { kind: 'report', id, day, dated: 'As of' }, flow => {
    note(flow);
    summary(flow, content);
    entries(flow, content);
  });
}

function note(flow: Flow): void {
  const shown = wrapAll([NOTE], SMALL, PAGE.right - PAGE.left, MAX_LINES, MAX_LINES);
  flow.paper.tag('P', () => lines(flow.paper, shown, PAGE.left, flow.y + 14, SMALL, LEADING));
  flow.y += 10 + shown.length * LEADING;
}
