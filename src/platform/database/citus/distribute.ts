import type pg from 'pg';

/** The needs of Citus in the schema beside the migrations. */
export interface Distribution {
  /** Distributed by `account_id` and kept together. The first one comes first. */
  readonly BY_ACCOUNT: readonly string[];
  /** On every node. */
  readonly EVERYWHERE: readonly string[];
  /** Distributed by other columns. */
  readonly BY_COLUMN: Readonly<Record<string, string>>;
  /** Statements before it and behind it. */
  readonly BEFORE: readonly string[];
  readonly AFTER: readonly string[];
  /** Statements that make functions. */
  readonly FUNCTIONS: readonly string[];
}

/** The additions of a noun of a package: tables by `account_id`, tables on every node, and functions. */
export interface TablePlacement {
  readonly byAccount?: readonly string[];
  readonly everywhere?: readonly string[];
  readonly functions?: readonly string[];
}

type QueryClient = Pick<pg.Pool, 'query'>;

/** Where foreign keys and triggers wait while their tables are distributed. */
const WAITING = 'citus_waiting';

/**
 * Distributes the tables that are not distributed yet, and gives their names. Each step commits by itself; after one
 * that was stopped, the next run goes on. Rows are kept. Foreign keys and triggers stand in the way of distributing a
 * table, so they are removed before and made again behind.
 */
export async function distribute(
  client: pg.ClientBase,
  distribution: Distribution,
  progress: (table: string) => void = () => undefined,
): Promise<string[]> {
  const { BY_ACCOUNT, EVERYWHERE, BY_COLUMN, BEFORE, AFTER } = distribution;
  const run = async (text: string, values: unknown[] = []): Promise<Record<string, string>[]> =>
    (await client.query<Record<string, string>>(text, values)).rows;
  const placed = await placedTables(client);
  const missing = [...EVERYWHERE, ...BY_ACCOUNT, ...Object.keys(BY_COLUMN)].filter(table => !placed.has(table));
  const [waiting] = await run(`select to_regclass('${WAITING}')::text as name`);
  if (missing.length === 0 && waiting?.['name'] === null) return [];

  await run(`set client_min_messages = warning`);
  await run(
    `create table if not exists ${WAITING} (of_table text not null, name text not null, made text not null, primary key (of_table, name))`,
  );
  for (const statement of missing.length > 0 ? BEFORE : []) await run(statement);
  await run('begin');
  await run(SAVE, [missing]);
  for (const { of_table: table, name, kind } of await run(REMOVED, [missing])) {
    await run(
      kind === 'trigger' ? `drop trigger "${name}" on "${table}"` : `alter table "${table}" drop constraint "${name}"`,
    );
  }
  await run('commit');
  for (const table of missing) {
    const [first] = BY_ACCOUNT as [string, ...string[]];
    const column = BY_COLUMN[table] ?? 'account_id';
    const together = BY_ACCOUNT.includes(table)
      ? table === first
        ? ''
        : `, colocate_with => '${first}'`
      : `, colocate_with => 'none'`;
    await run(
      EVERYWHERE.includes(table)
        ? `select create_reference_table('"${table}"')`
        : `select create_distributed_table('"${table}"', '${column}'${together})`,
    );
    progress(table);
  }
  for (const statement of AFTER) await run(statement);
  for (const { of_table: table, name, made } of await run(`select * from ${WAITING} order by made`)) {
    await run(made as string).catch((error: unknown) => {
      // Made by a run that was stopped before it could note it.
      if ((error as { readonly code?: string }).code !== DUPLICATE) throw error;
    });
    await run(`delete from ${WAITING} where of_table = $1 and name = $2`, [table, name]);
  }
  await run(`drop table ${WAITING}`);
  return missing;
}

const DUPLICATE = '42710';

/** True if the database has the extension. */
export async function hasCitus(client: QueryClient): Promise<boolean> {
  const { rows } = await client.query(`select 1 as one from pg_extension where extname = 'citus'`);
  return rows.length > 0;
}

/** The tables that Citus has placed. */
export async function placedTables(client: QueryClient): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid where c.relnamespace = 'public'::regnamespace`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Foreign keys and triggers of tables that are going to be distributed. */
const STANDING = `(
    select 'key' as kind, c.relname as of_table, k.conname as name,
      format('alter table %I add constraint %I %s', c.relname, k.conname, pg_get_constraintdef(k.oid)) as made
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = 'public'::regnamespace and k.conparentid = 0
      and (c.relname = any($1) or (select relname from pg_class f where f.oid = k.confrelid) = any($1))
    union all
    select 'trigger', c.relname, t.tgname,
      replace(replace(pg_get_triggerdef(t.oid), 'FOR EACH STATEMENT', 'FOR EACH ROW'), ' OR TRUNCATE', '')
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and c.relname = any($1)
  )`;
/** Rows of a shard are changed on its node, where a trigger for each row is safe if it touches no other table. */
const SAVE = `insert into ${WAITING} select of_table, name, made from ${STANDING} s on conflict do nothing`;
const REMOVED = `select kind, of_table, name from ${STANDING} s`;
