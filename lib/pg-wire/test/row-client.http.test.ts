import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { statementOf } from '../statement.js';
import { anyCharacters } from '../../../test/support/any-characters.js';
import { openedDatabase } from '../../../test/support/opened-database.js';
import { rounds } from '../../../test/support/rounds.js';

const database = openedDatabase(2);

/** PostgreSQL has no U+0000 in its texts. */
const text = fc
  .oneof(fc.string({ unit: 'grapheme' }), anyCharacters(), fc.string({ unit: 'grapheme-ascii' }))
  .map(each => each.replaceAll('\0', ''));
/** Short and long ones: as long as a row that is read at once may be, and longer. */
const column = fc.oneof(
  fc.constant(null),
  text,
  fc.tuple(text, fc.integer({ min: 1, max: 2000 })).map(([each, times]) => each.repeat(times).slice(0, 40_000)),
);
const rows = fc
  .integer({ min: 1, max: 12 })
  .chain(columns =>
    fc.array(fc.array(column, { minLength: columns, maxLength: columns }), { minLength: 1, maxLength: 8 }),
  );

test('every column of every row arrives as it was sent, whatever its characters and its length', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async sent => {
      const columns = sent[0]?.map((_, index) => sent.map(row => wellFormed(row[index] ?? null))) ?? [];
      const names = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
      const got = await database().query(statementOf(`SELECT * FROM unnest(${names})`), columns);
      expect(got).toEqual(sent.map(row => row.map(wellFormed)));
    }),
    { numRuns: rounds(150) },
  );
});

/** Half of a surrogate pair is no character, so it cannot be sent in UTF-8. */
function wellFormed(each: string | null): string | null {
  return each?.toWellFormed() ?? null;
}
