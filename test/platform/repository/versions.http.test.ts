import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { Account } from '../../../src/bank/account/account.entity.js';
import { Beneficiary } from '../../../src/bank/beneficiary/beneficiary.entity.js';
import { Card } from '../../../src/bank/card/card.entity.js';
import { Customer } from '../../../src/bank/owner/owner.entity.js';
import { fieldNamesOf } from '../../../src/platform/repository/fields.js';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import { openedDatabase } from '../../support/opened-database.js';

const database = openedDatabase(1);

/** The columns of a table behind its key, and whether a change of each of them counts as a version. */
const COLUMNS = statementOf(`SELECT a.attname::text, a.attnum = ANY (t.tgattr) FROM pg_trigger t
  JOIN pg_attribute a ON a.attrelid = t.tgrelid AND a.attnum > 0 AND NOT a.attisdropped
  JOIN pg_index i ON i.indrelid = t.tgrelid AND i.indisprimary
  WHERE t.tgname = 'count_version' AND t.tgrelid = $1::regclass AND a.attnum <> ALL (i.indkey)`);

// A statement may write one column alone, and so may somebody at the database.
test.each([
  ['account', Account],
  ['beneficiary', Beneficiary],
  ['card', Card],
  ['customer', Customer],
])('the version of a row of %s counts a change of each column that the API shows', async (table, entity) => {
  const shown = fieldNamesOf(entity).map(name => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`));
  const columns = await database().query<[string, boolean]>(COLUMNS, [table]);
  expect(columns.length).toBeGreaterThan(5);
  const isShown = (column: string) =>
    shown.some(name => column === name || (name === 'name' && column.startsWith('name_')));
  const own = ['version', 'updated_at'];
  const uncounted = columns.filter(([column, isCounted]) => isShown(column) && !own.includes(column) && !isCounted);
  expect(uncounted).toEqual([]);
});
