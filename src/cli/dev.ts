import 'reflect-metadata';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EntityClass } from '@mikro-orm/core';
import { print } from 'graphql';
import { Command } from 'commander';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { createMigration, migrationDrift, type MigrationSources } from '../platform/migrations/migrate.js';
import { openDatabase, type Database } from '../platform/database/orm.js';
import { documentOf } from '../platform/graphql/directives.js';
import { GATEWAY_SETTINGS, readConfig } from '../app/config.js';
import { BANK_NOUNS, NOUNS, TABLES_OF_PACKAGES } from '../app/nouns.js';
import { describeGateway } from '../app/openapi.js';
import { buildGraphqlSchema } from '../app/schema.js';
import { Comments } from './entity-comments.js';
import { UnclassifiedData, withDataInventory } from './data-docs.js';
import { withEventTypes } from './event-docs.js';
import { exampleOf, withSettings } from './setting-docs.js';
import { sandboxExtensions } from './sandbox-schema.js';

const EVENT_PAGE = 'docs/events.md';
const DATA_PAGE = 'docs/data.md';
const SETTING_PAGE = 'docs/install.md';
/** The settings of the gateway, and of the packages that come with it. */
const ALL_SETTINGS = [...GATEWAY_SETTINGS, ...NOUNS.settings];

/** Commands for people who work on the gateway. */
const program = new Command('dev');

program
  .command('schema')
  .description('Write schema.graphql and packages/sandbox/schema.graphql, or check that they are up to date.')
  .option('--check', 'only compare')
  .action(async ({ check }: { check?: boolean }) => {
    const production = buildGraphqlSchema();
    const files = {
      'schema.graphql': `${print(documentOf(production))}\n`,
      'packages/sandbox/schema.graphql': sandboxExtensions(production, buildGraphqlSchema(undefined, true)),
    };
    for (const [file, printed] of Object.entries(files)) {
      const current = await readFile(file, 'utf8').catch(() => '');
      if (isSame(current, printed)) continue;
      if (check) fail(`${file} is not what the code serves. Run: npm run generate -- schema`);
      else await writeFile(file, printed);
    }
  });

program
  .command('events')
  .description('Write the types of events into docs/events.md, or check that they are up to date.')
  .option('--check', 'only compare')
  .action(async ({ check }: { check?: boolean }) => {
    const current = await readFile(EVENT_PAGE, 'utf8');
    const printed = withEventTypes(current, NOUNS.eventTypes);
    if (!check) return writeFile(EVENT_PAGE, printed);
    if (!isSame(current, printed)) fail('docs/events.md does not have the types. Run: npm run generate -- events');
  });

program
  .command('data')
  .description(
    'Write the classes of all columns into docs/data.md, or check that each has one and that they are up to date.',
  )
  .option('--check', 'only compare')
  .action(async ({ check }: { check?: boolean }) => {
    const current = await readFile(DATA_PAGE, 'utf8');
    // Entities are known without a connection.
    const database = await openEntities('postgres://localhost/none');
    try {
      const printed = withDataInventory(current, {
        entities: [...database.orm.getMetadata().getAll().values()].filter(meta => !meta.embeddable && !meta.abstract),
        schema: buildGraphqlSchema(undefined, true),
        openApi: describeGateway(readConfig({})),
        events: NOUNS.eventTypes,
        comments: await Comments.read(),
      });
      if (!check) await writeFile(DATA_PAGE, printed);
      else if (!isSame(current, printed)) fail('docs/data.md does not have the columns. Run: npm run generate -- data');
    } catch (error) {
      if (!(error instanceof UnclassifiedData)) throw error;
      fail(error.message);
    } finally {
      await database.close();
    }
  });

program
  .command('settings')
  .description('Write .env.example and the tables of settings in docs/install.md, or check that they are up to date.')
  .option('--check', 'only compare')
  .action(async ({ check }: { check?: boolean }) => {
    const files = {
      '.env.example': () => exampleOf(ALL_SETTINGS),
      [SETTING_PAGE]: (present: string) => withSettings(present, ALL_SETTINGS),
    };
    for (const [file, write] of Object.entries(files)) {
      const present = await readFile(file, 'utf8').catch(() => '');
      const printed = write(present);
      if (!check) await writeFile(file, printed);
      else if (!isSame(present, printed)) fail(`${file} does not have the settings. Run: npm run generate -- settings`);
    }
  });

program
  .command('openapi')
  .description('Print the OpenAPI document of a gateway on its defaults.')
  .action(() => void process.stdout.write(`${JSON.stringify(describeGateway(readConfig({})), null, 2)}\n`));

const migration = program.command('migration').description('Migrations of the database.');

migration
  .command('create <name>')
  .description("Write the migrations that take the last schema to today's entities, of the bank and of packages.")
  .action((name: string) =>
    withEntities(async (database, sources) => {
      const file = await createMigration(database, name, sources);
      if (file !== null) process.stdout.write(`${file}\n`);
    }),
  );

migration
  .command('check')
  .description('Check that no migration is missing.')
  .action(() =>
    withEntities(async (database, sources) => {
      if (await migrationDrift(database, sources)) {
        fail(
          `The entities have changed since the last migration in ${sources.write}. Run: npm run migration:create -- <name>`,
        );
      }
    }),
  );

/** The entities that have tables, by the folder with their migrations and the snapshot of their schema. */
const SCHEMAS: Readonly<Record<string, readonly EntityClass[]>> = {
  migrations: BANK_NOUNS.entities,
  ...Object.fromEntries(
    Object.entries(TABLES_OF_PACKAGES).map(([name, { entities = [] }]) => [`packages/${name}/migrations`, entities]),
  ),
};

// Entities are held against a snapshot, but MikroORM wants an empty database beside it.
async function withEntities(work: (database: Database, sources: MigrationSources) => Promise<void>): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-dev-'));
  const server = await startEmbeddedPostgres(dataDir, { program: 'Tillgate', parameters: { fsync: 'off' } });
  try {
    for (const [folder, entities] of Object.entries(SCHEMAS)) {
      const database = await openEntities(server.url('postgres'), entities);
      try {
        await work(database, { run: folder, write: folder });
      } finally {
        await database.close();
      }
    }
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true });
  }
}

function openEntities(url: string, entities = NOUNS.entities): Promise<Database> {
  return openDatabase({ url, poolSize: 2, entities, applicationName: 'tillgate-dev' });
}

/** True if two texts have the same words. A formatter has been over a page since it was written. */
function isSame(current: string, printed: string): boolean {
  const words = (text: string): string => text.replaceAll(/\s|-(?=-)/g, '');
  return words(current) === words(printed);
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

await program.parseAsync();
