import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';
import { replaced } from './replaced.js';
import { scalarStatement } from './scalar-statement.js';

type Cut = (values: readonly unknown[]) => readonly StatementPart[];

const MOST_STATEMENTS = 2000;
const cuts = new Map<string, Cut | null>();

/**
 * What is asked of many accounts at once, as one statement for each of them: with one value of the column by which
 * tables are distributed, Citus sends a statement to one shard as it is. Null where the statement stays as it is.
 */
export function partsOf(statement: Statement, values: readonly unknown[]): readonly StatementPart[] | null {
  let cut = cuts.get(statement.text);
  if (cut === undefined) {
    cut = cutOf(statement);
    if (cuts.size < MOST_STATEMENTS) cuts.set(statement.text, cut);
  }
  return cut?.(values) ?? null;
}

function cutOf(statement: Statement): Cut | null {
  // What is read before it is known whether the caller sees the account joins the two tables, and Citus plans a join anew
  // each time. The account alone and then the rows alone take a third of that.
  if (statement.name.endsWith('_ahead')) return () => [];
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
  return ([keys, ...rest]) =>
    [...new Set(keys as string[])].sort().map(key => ({ statement, values: [key, ...rest], key }));
}
