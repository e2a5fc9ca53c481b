import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { MigrationObject, MigrationsOptions } from '@mikro-orm/core';
import { Migrator, type Migration } from '@mikro-orm/migrations';
import { isLockTimeout, isRetryable } from '../../../lib/pg-wire/pg-errors.js';
import {
  distribute,
  hasCitus,
  placedTables,
  type Distribution,
  type TablePlacement,
} from '../database/citus/distribute.js';
import { functionOf, makeFunctions } from '../database/citus/functions.js';
import type { Database } from '../database/orm.js';
import { attempt } from '../database/retry.js';

const TABLE = 'schema_migration';
/** PostgreSQL's advisory locks are numbers. This one is the letters of 'till'. */
const LOCK = 0x74696c6c;
const LOCK_WAIT = '120s';
/**
 * The number of times that a migration is begun again that met a lock of a request (a deadlock, or a wait beyond
 * `lock_timeout`). It gives way each time, since requests wait behind it.
 */
const ATTEMPTS = { most: 20, pauseMs: 500 };

/**
 * The settings that migrations need where Citus distributes the tables: triggers of shards, which touch no other table,
 * and one connection to each node, since they change tables that are on every node with others. Elsewhere the settings
 * mean nothing.
 */
const ON_CITUS = { 'citus.enable_unsafe_triggers': 'on', 'citus.multi_shard_modify_mode': 'sequential' };

export interface MigrationSources {
  /** Where migrations are loaded from: compiled ones if this file is compiled. */
  readonly run: string;
  /** Where new migrations and the snapshot of the schema are written: always the sources. */
  readonly write: string;
  /** Nouns of packages, whose migrations come behind those of the folder. */
  readonly added?: readonly AddedTables[];
}

/** The tables of a noun of a package. */
export interface AddedTables {
  readonly migrations?: readonly MigrationObject[];
  readonly placement?: TablePlacement;
}

/** The folder that has `src` and `migrations`: the project itself, or its compiled copy `dist`. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const RUN = path.join(ROOT, 'migrations');
const PROJECT: MigrationSources = {
  run: RUN,
  write: path.basename(ROOT) === 'dist' ? path.join(ROOT, '..', 'migrations') : RUN,
};

/** The migrations of the project, with those of nouns behind them. */
export function withMigrations(added: readonly AddedTables[]): MigrationSources {
  return { ...PROJECT, added };
}

function addedIn({ added = [] }: MigrationSources): readonly MigrationObject[] {
  return added.flatMap(({ migrations = [] }) => migrations);
}

/**
 * Applies the migrations that the database lacks, each in a transaction of its own, and gives their names. One that
 * fills a large table is not transactional: it commits batches, and does what is left when it is run again. One that
 * meets locks of requests is run again. Several processes may start together: one does the work, the others wait for
 * it. Throws when a migration fails; earlier ones stay. On a server with the extension Citus it distributes the tables
 * and makes the functions that are others there.
 */
export async function migrate(database: Database, sources = PROJECT): Promise<string[]> {
  // An index on a large table takes long. Waiting for a lock stays limited, as later statements queue up behind ours.
  const migrating = await database.reopenDirect({
    poolSize: 3,
    entities: [],
    session: { statement_timeout: '0', idle_in_transaction_session_timeout: '0', ...ON_CITUS },
  });
  try {
    await migrateQueue(migrating);
    const onCitus = await hasCitus(migrating.pool);
    if (!onCitus && (await pendingMigrations(migrating, sources)).length === 0) return [];
    return await alone(migrating, async () => {
      const keptFunctions = onCitus ? await functionsKept(migrating, sources) : [];
      const files = (await filesIn(sources)).map(file => path.join(sources.run, file));
      const migrations = await Promise.all(files.map(file => load(file, keptFunctions)));
      const added = addedIn(sources).map(migration => leaving(migration, keptFunctions));
      const options = { ...migrationOptions(sources), migrationsList: [...migrations, ...added] };
      const pending = await pendingMigrations(migrating, sources);
      const isInTheWay = (error: unknown): boolean => isRetryable(error) || isLockTimeout(error);
      await attempt(ATTEMPTS, isInTheWay, () => migratorOf(migrating, options).up());
      const changes = onCitus ? await distributed(migrating, sources) : [];
      if (changes.length > 0) database.cluster.forget();
      return [...pending, ...changes];
    });
  } finally {
    await migrating.close();
  }
}

/** The tables of the queue of jobs, which brings its own migrations. */
async function migrateQueue(database: Database): Promise<void> {
  const { Logger, runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: database.pool, logger: new Logger(() => () => undefined) });
}

/**
 * True if `migrate` has nothing to do, as most starts find. That is known without the connections and packages that it
 * needs. On Citus only `migrate` knows. A worker brings the tables of the queue up to date itself.
 */
export async function isUpToDate(database: Database, sources = PROJECT): Promise<boolean> {
  return (await pendingMigrations(database, sources)).length === 0 && !(await hasCitus(database.pool));
}

/** The names of the migrations that the database lacks, oldest first. Changes nothing. */
export async function pendingMigrations(database: Database, sources = PROJECT): Promise<string[]> {
  const applied = new Set(await appliedMigrations(database));
  const names = [...(await filesIn(sources)).map(nameOf), ...addedIn(sources).map(({ name }) => name)];
  return names.filter(name => !applied.has(name));
}

async function appliedMigrations(database: Database): Promise<string[]> {
  const [[table] = [null]] = await database.query<[string | null]>({
    name: 'migrate.table',
    text: `select to_regclass('${TABLE}')::text`,
  });
  if (table === null) return [];
  const rows = await database.query<[string]>({ name: 'migrate.applied', text: `select name from ${TABLE}` });
  return rows.map(([name]) => name);
}

/** Writes the migration from the last snapshot to the entities. Gives its file, or null if nothing has changed. */
export async function createMigration(database: Database, name: string, sources = PROJECT): Promise<string | null> {
  const { fileName } = await migratorOf(database, migrationOptions(sources)).create(undefined, false, false, name);
  return fileName === '' ? null : path.join(sources.write, fileName);
}

/** True if the entities have changed since the last migration was written. */
export async function migrationDrift(database: Database, sources = PROJECT): Promise<boolean> {
  return migratorOf(database, migrationOptions(sources)).checkSchema();
}

/**
 * MikroORM's settings for migrations, without the list of them: this file finds and imports them, so that the same code
 * serves compiled files and those that tests compile on the fly.
 */
function migrationOptions(sources: MigrationSources): MigrationsOptions {
  return {
    tableName: TABLE,
    path: sources.write,
    pathTs: sources.write,
    emit: 'ts',
    snapshotName: '.snapshot',
    // The snapshot belongs to the sources: applying migrations somewhere must not rewrite it.
    snapshotOnMigrate: false,
    transactional: true,
    allOrNothing: false,
    silent: true,
  };
}

function migratorOf(database: Database, options: MigrationsOptions): Migrator {
  // All other options, such as the names of files, keep MikroORM's values.
  database.orm.config.set('migrations', { ...database.orm.config.get('migrations'), ...options });
  return new Migrator(database.orm.em);
}

async function filesIn({ run }: MigrationSources): Promise<string[]> {
  const names = await readdir(run);
  return names.filter(name => /^Migration\w+\.[jt]s$/.test(name)).sort();
}

function nameOf(file: string): string {
  return path.parse(file).name;
}

interface RunnableMigration extends Migration {
  up(): Promise<void> | void;
}
type MigrationClass = new (...args: ConstructorParameters<typeof Migration>) => RunnableMigration;

/** Loads a migration, as `leaving` gives it. */
async function load(file: string, keptFunctions: readonly string[]): Promise<MigrationObject> {
  const name = nameOf(file);
  const module = (await import(pathToFileURL(file).href)) as Record<string, MigrationClass>;
  const migration = module[name];
  if (!migration) throw new Error(`The migration ${file} does not export a class ${name}.`);
  return leaving({ name, class: migration }, keptFunctions);
}

/** A migration without its statements about functions that are kept. */
function leaving({ name, class: migration }: MigrationObject, keptFunctions: readonly string[]): MigrationObject {
  return { name, class: keptFunctions.length === 0 ? migration : keeping(migration as MigrationClass, keptFunctions) };
}

function keeping(migration: MigrationClass, keptFunctions: readonly string[]): MigrationClass {
  return class extends migration {
    override addSql(sql: Parameters<Migration['addSql']>[0]): void {
      if (typeof sql !== 'string' || !keptFunctions.includes(functionOf(sql) ?? '')) super.addSql(sql);
    }
  };
}

/** The tables that Citus places, where there is Citus. */
export async function distributedTables(sources = PROJECT): Promise<string[]> {
  const { BY_ACCOUNT, EVERYWHERE, BY_COLUMN } = await distributionIn(sources);
  return [...EVERYWHERE, ...BY_ACCOUNT, ...Object.keys(BY_COLUMN)];
}

async function distributionIn({ run, added = [] }: MigrationSources): Promise<Distribution> {
  const [file] = (await readdir(path.join(run, 'citus'))).filter(name => /^tables\.[jt]s$/.test(name));
  const own = (await import(pathToFileURL(path.join(run, 'citus', file ?? '')).href)) as Distribution;
  return {
    ...own,
    BY_ACCOUNT: [...own.BY_ACCOUNT, ...added.flatMap(({ placement }) => placement?.byAccount ?? [])],
    EVERYWHERE: [...own.EVERYWHERE, ...added.flatMap(({ placement }) => placement?.everywhere ?? [])],
    FUNCTIONS: [...own.FUNCTIONS, ...added.flatMap(({ placement }) => placement?.functions ?? [])],
  };
}

/**
 * The functions that migrations leave as they are, since gateways use them meanwhile: those that are others where the
 * tables are distributed already.
 */
async function functionsKept(database: Database, sources: MigrationSources): Promise<string[]> {
  if ((await placedTables(database.pool)).size === 0) return [];
  const { FUNCTIONS } = await distributionIn(sources);
  return FUNCTIONS.map(statement => functionOf(statement) ?? '');
}

/**
 * Distributes what is not distributed yet, and makes the functions, as the folder `citus` of the migrations says. A
 * release that is older than the tables leaves the functions of the later one.
 */
async function distributed(database: Database, sources: MigrationSources): Promise<string[]> {
  const distribution = await distributionIn(sources);
  const newest = (await filesIn(sources)).map(nameOf).at(-1) ?? '';
  const isOlder = (await appliedMigrations(database)).some(name => !name.includes('/') && name > newest);
  const client = await database.pool.connect();
  try {
    const tables = await distribute(client, distribution);
    const functions = isOlder ? [] : await makeFunctions(client, distribution.FUNCTIONS);
    return [...tables.map(table => `distribute ${table}`), ...functions.map(name => `function ${name}`)];
  } finally {
    // It has settings of its own.
    client.release(true);
  }
}

/** The lock belongs to the session, so it ends with the process whatever happens. */
async function alone<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const client = await database.pool.connect();
  try {
    await client.query(`set lock_timeout = '${LOCK_WAIT}'`);
    await client.query(`select pg_advisory_lock(${LOCK})`);
    return await work();
  } finally {
    // Closing the connection gives the lock back.
    client.release(true);
  }
}
