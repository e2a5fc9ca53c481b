import { Flow, LABEL, pageNumbers, shownNumber, SMALL } from '../../../../lib/typeset/flow.js';
import { PAGE, Paper } from '../../../../lib/typeset/paper.js';
import { clip, showable } from '../../../../lib/typeset/text.js';
import { type AccountContent, type Logo } from '../statement.content.js';
import { pictureOf } from './logo.js';
import { type DocumentTitle, letterhead } from './statement.letterhead.js';
import { ACCOUNT_TYPES, periodText } from './statement.words.js';

const RUNNING_HEAD = 60;

/** A document about some days of an account on paper, US Letter: its head, its parts, and its page numbers. */
export function accountPaper(
  content: AccountContent,
  logo: Logo | null,
  title: DocumentTitle,
  parts: (flow: Flow) => void,
): Paper {
  const { account, issuer, period } = content;
  const number = shownNumber(account.number);
  const paper = new Paper({
    title: `${showable(issuer.name)}: ${title.kind} of account ${number.shown}, ${periodText(period)}`,
    author: showable(issuer.name),
    documentId: title.id,
    issuedOn: title.day,
    program: 'Tillgate',
  });
  const flow = new Flow(paper, RUNNING_HEAD, () => runningHead(paper, content));
  letterhead(flow, content, title, logo && pictureOf(logo));
  parts(flow);
  if (paper.isFlawed) flaws(flow);
  pageNumbers(paper, title.id);
  return paper;
}

/** Says on the page that some letters could not be shown as they are written. */
function flaws(flow: Flow): void {
  flow.needs(18);
  const note = 'Some letters of names or descriptions cannot be printed, and are shown as boxes. Ask us for them.';
  flow.paper.tag('P', () => flow.paper.line(note, PAGE.left, flow.y + 12, SMALL));
  flow.y += 18;
}

function runningHead(paper: Paper, { issuer, account, period }: AccountContent): void {
  const about = `${ACCOUNT_TYPES[account.type]} ${shownNumber(account.number).shown}`;
  paper.line(clip(issuer.name, LABEL.weight, LABEL.size, 170), PAGE.left, 44, LABEL);
  paper.line(clip(about, SMALL.weight, SMALL.size, 180), 236, 44, SMALL);
  paper.line(periodText(period), PAGE.right, 44, SMALL, 'right');
  paper.rule(PAGE.left, PAGE.right, 51);
}
