import { type StatementContent } from '../statement.content.js';
import { Flow, LABEL, longDate, pageNumbers, SMALL } from '../../../lib/typeset/flow.js';
import { PAGE, Paper } from '../../../lib/typeset/paper.js';
import { clip, showable } from '../../../lib/typeset/text.js';
import { entries } from './statement.entries.js';
import { letterhead } from './statement.letterhead.js';
import { fees, summary } from './statement.summary.js';
import { ACCOUNT_TYPES } from './statement.words.js';

/** A monthly statement as PDF, US Letter. The same content always gives the same bytes. */
export function renderStatement(content: StatementContent): Buffer {
  const { account, issuer, period, issuedOn, statementId } = content;
  const paper = new Paper({
    title: `${showable(issuer.name)}: statement of account ${showable(account.number)}, ${period.start} to ${period.end}`,
    ...{ author: showable(issuer.name), documentId: statementId, issuedOn, program: 'Tillgate' },
  });
  const flow = new Flow(paper, next => runningHead(next, content));
  letterhead(flow, content);
  summary(flow, content);
  fees(flow, content);
  entries(flow, content);
  pageNumbers(paper, statementId);
  return paper.finish();
}

function runningHead(flow: Flow, { issuer, account, period }: StatementContent): void {
  const { paper } = flow;
  const dates = `${longDate(period.start)} to ${longDate(period.end)}`;
  paper.line(clip(issuer.name, 'semibold', LABEL.size, 170), PAGE.left, 44, LABEL);
  paper.line(clip(`${ACCOUNT_TYPES[account.type]} ${account.number}`, 'regular', SMALL.size, 130), 236, 44, SMALL);
  paper.line(dates, PAGE.right, 44, SMALL, 'right');
  paper.rule(PAGE.left, PAGE.right, 51);
  flow.y = 58;
}
