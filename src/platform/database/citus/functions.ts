import { createHash } from 'node:crypto';
import type pg from 'pg';
import { UnfitDatabase } from '../unfit-database.js';

const DEFINED = /^\s*(?:create(?: or replace)?|drop) function (?:if exists )?"?(\w+)/i;

/** The name of the function that a statement makes or drops; null for other statements. */
export function functionOf(statement: string): string | null {
  return DEFINED.exec(statement)?.[1] ?? null;
}

/**
 * Makes the functions whose statements are not those that they were made by, and gives their names. Each has the digest
 * of its statement in its body, so one that something else replaced is made again.
 */
export async function makeFunctions(client: pg.ClientBase, statements: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string; body: string }>(
    `select proname as name, prosrc as body from pg_proc where pronamespace = current_schema()::regnamespace and proname = any($1)`,
    [statements.map(functionOf)],
  );
  const made: string[] = [];
  for (const statement of statements) {
    const name = functionOf(statement) ?? '';
    const mark = `-- ${createHash('sha256').update(statement).digest('hex')}`;
    if (rows.some(row => row.name === name && row.body.includes(mark))) continue;
    await client.query(statement.replace('$$', () => `$$ ${mark}\n`));
    made.push(name);
  }
  return made;
}

/**
 * Gateways of release 0.2 write to workers, past the coordinator, and hold the numbers of their events there by locks
 * that only their `feed_advance` looks for.
 */
const WRITING_PAST = `select 1 as one from pg_proc p
    cross join run_command_on_workers($q$select count(*) from pg_stat_activity
      where datname = current_database() and application_name like 'tillgate%'$q$) w
  where p.pronamespace = current_schema()::regnamespace and p.proname = 'feed_advance' and p.prosrc like '%pg_locks%'
    and w.result <> '0'`;

/** Throws `UnfitDatabase` while a gateway that writes past the coordinator is connected to a worker. */
export async function refuseWritersPastCoordinator(client: pg.ClientBase | pg.Pool): Promise<void> {
  const { rows } = await client.query<{ one: number }>(WRITING_PAST);
  if (rows.length === 0) return;
  throw new UnfitDatabase([
    'A gateway of release 0.2 is connected to workers of the Citus cluster, and the feed would lose its events. Stop all gateways, then run: tillgate migrate',
  ]);
}
