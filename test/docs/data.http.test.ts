import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { NOUNS } from '../../src/app/nouns.js';
import { problemsOf } from '../../src/cli/data-check.js';
import { openDatabase, type Database } from '../../src/platform/database/orm.js';
import { DataClasses } from '../../src/platform/repository/data-classes.js';
import { Sealed } from '../../src/platform/repository/declarations.js';
import { freshDatabase, type FreshDatabase } from '../support/postgres.js';
import { ROOT } from './fences.js';

@Entity({ tableName: 'visitor' })
@DataClasses<Visitor>({
  kept: 'for these tests',
  identifier: ['visitorId'],
  internal: ['visits', 'town'],
  personal: { name: 'in the clear: ', town: 'masked: the first letter', address: 'masked: the town', visits: 'sealed' },
})
class Visitor {
  @PrimaryKey({ type: 'uuid' }) visitorId!: string;
  @Property({ type: 'text' }) name!: string;
  @Property({ type: 'text' }) town!: string;
  @Property({ type: 'text' }) telephone!: string;
  @Sealed({ as: 'letters' })
  @Property({ type: 'blob' })
  address!: Buffer;
  visits!: number;
}

@Entity({ tableName: 'nobody' })
class Nobody {
  @PrimaryKey({ type: 'uuid' }) nobodyId!: string;
}

let fresh: FreshDatabase;
let database: Database;
beforeAll(async () => {
  fresh = await freshDatabase();
  const entities = [...NOUNS.entities, Visitor, Nobody];
  database = await openDatabase({ url: fresh.url, poolSize: 1, entities, applicationName: 'tillgate-test' });
});
afterAll(async () => {
  await database.close();
  await fresh.drop();
});

test('a column without a class, without a reason, or stored otherwise than declared is named', () => {
  const problems = (entity: new () => object) => problemsOf(database.orm.getMetadata().get(entity));
  expect(problems(Visitor).toSorted()).toEqual([
    'Visitor.address is @Sealed: say in @DataClasses how it is stored.',
    "Visitor.name is stored 'in the clear:' without a reason: give one in @DataClasses.",
    'Visitor.telephone has no class: name it in @DataClasses (see docs/data.md).',
    'Visitor.town has several classes: leave it in one.',
    'Visitor.visits has no column: remove it from @DataClasses.',
  ]);
  expect(problems(Nobody)).toEqual(['nobody declares no classes: add @DataClasses to Nobody.']);
  expect(NOUNS.entities.flatMap(problems as never)).toEqual([]);
});

test('every column of a migrated database is on the page of what is stored', async () => {
  const page = await readFile(join(ROOT, 'docs/data.md'), 'utf8');
  const sections = new Map(page.split('\n### ').map(section => [section.split('\n')[0], section]));
  const [beside = ''] = page.split('## Classes');
  const columns = await database.query<[table: string, column: string]>({
    name: 'columns',
    text: `SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema = 'public'`,
  });
  expect(columns.length).toBeGreaterThan(400);
  const missing = columns.filter(
    ([table, column]) => !beside.includes(`\`${table}\``) && !sections.get(table)?.includes(`\n| \`${column}\` `),
  );
  expect(missing).toEqual([]);
});
