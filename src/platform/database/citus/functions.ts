import { createHash } from 'node:crypto';
import type pg from 'pg';

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
