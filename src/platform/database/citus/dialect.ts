import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { replaced } from './replaced.js';
import { scalarStatement } from './scalar-statement.js';

type Cut = (values: readonly unknown[]) => readonly StatementPart[];

/**
 * Tables that have a column `account_id` on Citus alone, where it comes first in their primary key: an idempotency key is
 * committed with its command, on the node of the account.
 */
export const KEPT_WITH_ACCOUNT: ReadonlySet<string> = new Set(['idempotency_key']);

const MOST_STATEMENTS = 2000;
const cuts = new Map<string, Cut | null>();

/**
 * What is asked of many accounts at once, as one statement for each of them: with one value of the column by which
 * tables are distributed, Citus sends a statement to one shard as it is. Null where the statement stays as it is, and
 * nothing for what reads ahead: it joins two tables, which Citus plans anew each time.
 */
export function partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null {
  if (statement.isAhead) return [];
  let cut = cuts.get(statement.text);
  if (cut === undefined) {
    cut = cutOf(statement);
    if (cuts.size < MOST_STATEMENTS) cuts.set(statement.text, cut);
  }
  return cut?.(values) ?? null;
}

function cutOf(statement: Statement): Cut | null {
  const other = replaced(statement);
  if (other) return other;
  if (statement.apart) return statement.apart;
  const scalar = scalarStatement(statement);
  if (scalar) return values => scalar.cut(values);
  return lockOfEach(statement);
}

const ANY = 'account_id = ANY($1::text[])';

/** Locks of many accounts, one after another in the order of their ids: no statement locks rows of several shards. */
function lockOfEach({ name, text }: Statement): Cut | null {
  if (!text.includes(ANY) || !text.includes('FOR NO KEY UPDATE')) return null;
  const statement = { name: `${name}/1`, text: text.replace(ANY, 'account_id = $1::text') };
  return ([keys, ...rest]) => [...new Set(keys as string[])].sort().map(key => ({ statement, values: [key, ...rest] }));
}
