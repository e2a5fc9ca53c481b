import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { Paper } from '../paper.js';
import { wrap } from '../text.js';

const STYLE = { weight: 'regular', size: 12, color: '0 0 0' } as const;

function paperOf(text: string): Paper {
  const paper = new Paper({ title: 'T', author: 'A', documentId: '1', issuedOn: '2026-10-01', program: 'P' });
  for (const line of wrap(text, STYLE.weight, STYLE.size, 400, 1)) {
    paper.tag('P', () => paper.line(line, 72, 72, STYLE));
  }
  return paper;
}

test.each([
  ['Armenian', 'Արամ Խաչատրյան'],
  ['Georgian', 'გიორგი მაისურაძე'],
  ['Ethiopic', 'አበበ ቢቂላ'],
  ['Devanagari', 'प्रिया शर्मा'],
  ['Devanagari', 'श्रीकृष्ण त्र्यंबक'],
  ['Thai', 'น้ำ'],
])('%s is set with its own font, and reads back as it was written', (_script, text) => {
  const paper = paperOf(text);
  expect(paper.isFlawed).toBe(false);
  const read = execFileSync('pdftotext', ['-', '-'], { input: paper.finish() }).toString();
  expect(read.trim()).toBe(text);
});

test.each(['မောင်', 'தமிழ்', 'ভাষা', 'ខ្មែរ', 'ꦗꦮ', 'Ada தமிழ்', '🎉'])(
  '%s cannot be printed, and the paper says so',
  text => {
    expect(paperOf(text).isFlawed).toBe(true);
  },
);

test.each(['Ada', 'Dvořák', 'ẞ', '42.00 €', 'Αθήνα', 'Łódź', '李明华', '', '\u200b'])('%j can be printed', text => {
  expect(paperOf(text).isFlawed).toBe(false);
});
