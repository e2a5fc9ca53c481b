import { expect, jest, test } from '@jest/globals';
import * as nodeModule from 'node:module';
import { read } from './reading.js';

// As if only the fonts that have to be there were installed.
jest.unstable_mockModule('node:module', () => ({
  ...nodeModule,
  createRequire: (from: string) => ({
    resolve(id: string) {
      if (id.includes('source-sans')) return nodeModule.createRequire(from).resolve(id);
      throw Object.assign(new Error(`Cannot find module '${id}'`), { code: 'MODULE_NOT_FOUND' });
    },
  }),
}));
const { pageOf } = await import('./pages.js');

test.each([
  ['Chinese', '李明华 Corp'],
  ['Japanese', 'さくら電気料金'],
  ['Korean', '홍길동 씨'],
  ['Hebrew', 'Refund יוסי 4521'],
  ['Arabic', 'محمد'],
])('characters of a font that is not installed are boxes that can be read back: %s', async (_script, line) => {
  const pdf = pageOf([line], { weight: 'regular', size: 10, color: '0 0 0' });
  const names = pdf.toString('latin1').match(/\/FontName \S+/g) ?? [];
  expect(new Set(names.map(name => name.split('+')[1]))).toEqual(new Set(['SourceSans3-Regular']));
  const { text } = await read(pdf);
  for (const word of line.split(' ')) expect(text.normalize('NFKC')).toContain(word);
});
