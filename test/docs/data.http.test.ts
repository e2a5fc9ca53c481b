import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import type * as Inside from './data.inside.js';
import { ROOT } from './fences.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

test('a column without a class, without a reason, or stored otherwise than declared is named', async () => {
  const { visitor, nobody, nouns } = await gateway
    .module<typeof Inside>('test/docs/data')
    .problems(gateway.databaseUrl);
  expect(visitor.toSorted()).toEqual([
    'Visitor.address is @Sealed: say in @DataClasses how it is stored.',
    "Visitor.name is stored 'in the clear:' without a reason: give one in @DataClasses.",
    'Visitor.telephone has no class: name it in @DataClasses (see docs/data.md).',
    'Visitor.town has several classes: leave it in one.',
    'Visitor.visits has no column: remove it from @DataClasses.',
  ]);
  expect(nobody).toEqual(['nobody declares no classes: add @DataClasses to Nobody.']);
  expect(nouns).toEqual([]);
});

test('every column of a migrated database is on the page of what is stored', async () => {
  const page = await readFile(join(ROOT, 'docs/data.md'), 'utf8');
  const sections = new Map(page.split('\n### ').map(section => [section.split('\n')[0], section]));
  const [beside = ''] = page.split('## Classes');
  const { rows: columns } = await gateway.sql.query<[table: string, column: string]>({
    text: `SELECT table_name::text, column_name::text FROM information_schema.columns
      WHERE table_schema = 'public' AND NOT (SELECT relispartition FROM pg_class WHERE oid = format('%I', table_name)::regclass)`,
    rowMode: 'array',
  });
  expect(columns.length).toBeGreaterThan(400);
  const missing = columns.filter(
    ([table, column]) => !beside.includes(`\`${table}\``) && !sections.get(table)?.includes(`\n| \`${column}\` `),
  );
  expect(missing).toEqual([]);
});
