import type { Statement } from '../../../../lib/pg-wire/statement.js';
import type { Shard } from './placements.js';

/** What names a table, and what may stand there beside it. */
const NAMED =
  /(?<!\b(?:FOR|KEY|DO|DISTINCT) )\b(DELETE FROM|FROM|JOIN|INTO|UPDATE|USING)(\s+)(?:"(\w+)"|(\w+))(\s*\()?/g;
const OTHERS = new Set(['LATERAL', 'unnest', 'json_to_recordset', 'generate_series']);
const WRITES = new Set(['DELETE FROM', 'INTO', 'UPDATE']);
/** The names of what `WITH` makes. */
const MADE = /\b(\w+) AS (?:MATERIALIZED )?\(/g;
const LOCKS = /\bFOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE)\b(?: OF (\w+))?/;
/** Functions of `migrations/citus`, which ask several nodes or the coordinator, and sequences, which are there. */
const OF_COORDINATOR =
  /\b(?:nextval|record_account_event|record_program_event|add_card|reseal_card|card_deciding|chain_ends|move_marks|account_event_of|program_event_of|event_of|events_since|accounts_of|accounts_named|accounts_between|are_accounts_of|holds_due|mark_balances_of|feed_advance)\(/;
const LONGEST_NAME = 63;
const MOST_STATEMENTS = 20_000;

const known = new Map<number, Map<string, Statement | null>>();
let count = 0;

/**
 * A statement with the tables of one shard in place of those that Citus distributes: a plain statement of the node that
 * has the shard. Null where it needs more than that node, or writes or locks what is on every node. `isOfAccount`:
 * whether it is about accounts of this shard; otherwise it reads what is on every node.
 */
export function shardStatement(statement: Statement, shard: Shard, isOfAccount: boolean): Statement | null {
  let ofShard = known.get(shard.id);
  const found = ofShard?.get(statement.text);
  if (found !== undefined) return found;
  if (count >= MOST_STATEMENTS) {
    known.clear();
    ofShard = undefined;
    count = 0;
  }
  if (!ofShard) known.set(shard.id, (ofShard = new Map<string, Statement | null>()));
  const made = shardStatementOf(statement, shard, isOfAccount);
  ofShard.set(statement.text, made);
  count += 1;
  return made;
}

function shardStatementOf(statement: Statement, shard: Shard, isOfAccount: boolean): Statement | null {
  const { name, text } = statement;
  if (OF_COORDINATOR.test(text)) return null;
  const locks = LOCKS.exec(text);
  const made = new Set([...text.matchAll(MADE)].map(([, one = '']) => one));
  let isPlain = true;
  const placed = text.replace(
    NAMED,
    (whole, word: string, space: string, quoted = '', bare = '', open = '', at: number) => {
      const table = `${quoted}${bare}`;
      const isFunction = open !== '' && !WRITES.has(word);
      if (OTHERS.has(table) || (!isFunction && made.has(table))) return whole;
      const ofShard = isFunction ? undefined : shard.tables.get(table);
      const isEverywhere = shard.everywhere.has(table);
      const [alias] = /^\s*\w*/.exec(text.slice(at + whole.length)) ?? [];
      const isChanged = WRITES.has(word) || (locks !== null && (!locks[1] || locks[1] === alias?.trim()));
      if (ofShard === undefined || (isEverywhere ? isChanged : !isOfAccount)) isPlain = false;
      return `${word}${space}${ofShard ?? table}${open}`;
    },
  );
  if (!isPlain) return null;
  if (placed === text) return statement;
  const end = `@${shard.id}`;
  return { name: `${name.slice(0, LONGEST_NAME - end.length)}${end}`, text: placed };
}
