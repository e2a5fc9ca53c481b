import { Paper, type Style } from '../paper.js';
import { showable } from '../text.js';

const DESCRIPTION = { title: 'A page', author: 'Somebody', documentId: '1', issuedOn: '2026-10-01', program: 'Sample' };

/** One page with a text on each line. */
export function pageOf(texts: readonly string[], style: Style): Buffer {
  const paper = new Paper(DESCRIPTION);
  texts.forEach((text, index) => {
    paper.tag('P', () => paper.line(showable(text), 54, 60 + index * 20, style));
  });
  return paper.finish();
}
