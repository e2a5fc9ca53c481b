import { SMALL } from './flow.js';
import { PAGE, type Paper, type Style } from './paper.js';
import { clip } from './wrapping.js';

const FOOT: Style = { ...SMALL, size: 7 };

/** The foot of every page, when their number is known. */
export function pageNumbers(paper: Paper, documentId: string): void {
  for (let page = 1; page <= paper.pageCount; page += 1) {
    paper.begin('Artifact', page);
    paper.rule(PAGE.left, PAGE.right, 744);
    paper.line(clip(`Document ${documentId}`, FOOT.weight, FOOT.size, 380), PAGE.left, 756, FOOT);
    paper.line(`Page ${page} of ${paper.pageCount}`, PAGE.right, 756, FOOT, 'right');
  }
}
