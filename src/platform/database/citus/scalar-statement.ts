import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';

/**
 * Keys of a batch as our statements write them: `unnest($1::text[], $2::int8[]) WITH ORDINALITY k(account_id, seq, n)`.
 */
const KEYS = /unnest\(((?:\$\d+::\w+\[\](?:, )?)+)\)\s+(?:WITH ORDINALITY )?(k|m)\(([\w, ]+)\)/;
/** The columns by which rows are distributed, as keys name them. */
const ACCOUNT = new Set(['account_id', 'parent']);
/** What ends a condition. */
const ENDS = /^(WHERE|ORDER BY|GROUP BY|LIMIT|FOR NO KEY|FOR UPDATE|LEFT JOIN|CROSS JOIN|INNER JOIN|JOIN|RETURNING)\b/;

/**
 * So many keys of one account are read by one statement, as an import has them: it costs as much as two for one key.
 */
const MANY_KEYS = 8;

/** A statement over many keys, as it is sent for one of them. */
export interface ScalarStatement {
  /** Cuts the values of a batch into one statement for each key, or for all keys of an account that has many. */
  cut(values: readonly unknown[]): StatementPart[];
}

/** The statement for keys of which the same parts are given, and the numbers of the parameters that it has left. */
interface Variant {
  readonly statement: Statement;
  readonly used: readonly number[];
}

/**
 * Makes of a statement over many keys one for a single key, whose account is a parameter: Citus sends that to one shard
 * as it is, and keeps its plan if it reads one table. Null for a statement without keys of accounts.
 */
export function scalarStatement({ name, text }: Statement): ScalarStatement | null {
  const found = KEYS.exec(text);
  // What is inserted from keys would go by COPY, which commits in two phases; those statements say themselves how.
  if (!found || text.includes('INSERT INTO')) return null;
  const [source, arrays = '', alias = 'k', names = ''] = found;
  const types = arrays.split(', ').map(array => /::(\w+)\[\]/.exec(array)?.[1] ?? 'text');
  const columns = names.split(', ');
  const account = columns.findIndex(column => ACCOUNT.has(column));
  if (account < 0) return null;
  const ordinal = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number))) + 1;
  const hasOrdinal = columns.length > types.length;
  const placeholders = new Map(columns.map((column, at) => [column, `$${at + 1}::${types[at]}`]));
  if (hasOrdinal) placeholders.set(columns.at(-1) ?? 'n', `$${ordinal}::int`);
  const isOptional = columns.map(column => text.includes(`(${alias}.${column} IS NULL OR `));
  const variants = new Map<string, Variant>();
  const together = hasOrdinal ? keysTogether({ name, text }, found, columns[account] ?? '', ordinal) : null;

  const variantOf = (row: readonly unknown[]): Variant => {
    const given = row.map((value, at) => (isOptional[at] && value === null ? '0' : '1')).join('');
    let variant = variants.get(given);
    if (!variant) {
      const known = columns.reduce(
        (left, column, at) => (isOptional[at] ? withKnown(left, `${alias}.${column}`, given[at] === '0') : left),
        text,
      );
      const joined = withoutKeys(known, source);
      const scalar = joined.replace(new RegExp(`\\b${alias}\\.(\\w+)(?:::int\\b)?`, 'g'), (whole, column: string) => {
        const placeholder = placeholders.get(column);
        if (!placeholder) return whole;
        return whole.endsWith('::int') && !placeholder.endsWith('::int') ? `${placeholder}::int` : placeholder;
      });
      variant = withUsed({ name: `${name.slice(0, 50)}/${given}`, text: flattened(scalar) });
      variants.set(given, variant);
    }
    return variant;
  };

  return {
    cut: values => {
      const lists = values.slice(0, types.length) as readonly (readonly unknown[])[];
      const rest = values.slice(types.length);
      const partOf = (index: number): StatementPart => {
        const row = lists.map(list => list[index]);
        const end = hasOrdinal ? [index + 1] : [];
        const { statement, used } = variantOf(row);
        const all = [...row, ...rest, ...end];
        return { statement, values: used.map(number => all[number - 1]) };
      };
      const keys = (lists[account] ?? []) as readonly string[];
      if (!together || keys.length < MANY_KEYS) return keys.map((_, index) => partOf(index));
      return [...Map.groupBy(keys.keys(), index => keys[index] as string)].flatMap(([key, places]) => {
        if (places.length < MANY_KEYS) return places.map(partOf);
        const rows = lists.map(list => places.map(index => list[index]));
        return [{ statement: together, values: [...rows, ...rest, places.map(index => index + 1), key] }];
      });
    },
  };
}

/**
 * The statement for many keys of one account, with their ordinals and the account behind the other values: by that,
 * Citus sends it to one shard as it is. Null for a statement that does more than read the rows of one table.
 */
function keysTogether(
  { name, text }: Statement,
  [source, arrays, alias, columns]: RegExpExecArray,
  account: string,
  ordinal: number,
): Statement | null {
  const isPlain = (text.match(/\bJOIN\b/g) ?? []).length === 1 && !/\b(?:LATERAL|LIMIT|FOR|UPDATE|DELETE)\b/.test(text);
  const of = new RegExp(`\\b(\\w+)\\.account_id = ${alias}\\.${account}\\b`, 'g');
  if (!isPlain || (text.match(of) ?? []).length !== 1) return null;
  return {
    name: `${name.slice(0, 50)}/many`,
    text: text
      .replace(source, () => `unnest(${arrays}, $${ordinal}::int8[]) ${alias}(${columns})`)
      .replace(of, (same, table: string) => `${same} AND ${table}.account_id = $${ordinal + 1}::text`),
  };
}

/** Replaces `(k.x IS NULL OR condition)` by what is left of it. */
function withKnown(text: string, column: string, isNull: boolean): string {
  const start = `(${column} IS NULL OR `;
  let left = text;
  for (let at = left.indexOf(start); at >= 0; at = left.indexOf(start)) {
    const end = closing(left, at);
    const condition = left.slice(at + start.length, end);
    left = `${left.slice(0, at)}${isNull ? 'true' : `(${condition})`}${left.slice(end + 1)}`;
  }
  return left;
}

/** The place of the parenthesis that closes the one at `open`. */
function closing(text: string, open: number): number {
  for (let at = open, depth = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

/** Takes the table of keys out of the statement, and what joins it to the others. */
function withoutKeys(text: string, source: string): string {
  const at = text.indexOf(source);
  const before = text.slice(0, at);
  const after = text.slice(at + source.length).trimStart();
  const lateral = /^(?:CROSS JOIN|INNER JOIN|JOIN) (?=LATERAL)/.exec(after);
  if (lateral) {
    const rest = after.slice(lateral[0].length);
    const end = closing(rest, rest.indexOf('('));
    return `${before}${rest.slice(0, end + 1)}${rest.slice(end + 1).replace(/^(\s*\w+) ON true/, '$1')}`;
  }
  const join = /^(?:INNER JOIN|JOIN) (\w+ \w+) ON /.exec(after);
  if (join) {
    const rest = after.slice(join[0].length);
    const end = endOfCondition(rest);
    return withCondition(`${before}${join[1]} ${rest.slice(end)}`, before.length, rest.slice(0, end).trim());
  }
  if (/^(?:LEFT JOIN)/.test(after)) return `${before}(SELECT 1) one ${after}`;
  const bare = before.replace(/\s+(?:FROM|USING)\s+$/, ' ');
  return `${bare}${after.replace(/^ORDER BY k\.n\s*$/, '')}`;
}

function endOfCondition(text: string): number {
  for (let at = 0, depth = 0; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    if (depth < 0) return at;
    if (depth === 0 && /\s/.test(text[at - 1] ?? '') && ENDS.test(text.slice(at))) return at;
  }
  return text.length;
}

/** Adds a condition to the statement whose tables begin at `from`. */
function withCondition(text: string, from: number, condition: string): string {
  for (let at = from, depth = 0; at <= text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')') depth -= 1;
    const word = depth === 0 && /\s/.test(text[at - 1] ?? '') ? ENDS.exec(text.slice(at))?.[1] : undefined;
    if (word?.endsWith('JOIN')) continue;
    if (word === 'WHERE') return `${text.slice(0, at)}WHERE ${condition} AND ${text.slice(at + 'WHERE '.length)}`;
    if (word || depth < 0 || at === text.length) {
      return `${text.slice(0, at)} WHERE ${condition} ${text.slice(at)}`;
    }
  }
  return text;
}

/** A statement that only shows the rows of one inner statement becomes that statement. */
function flattened(text: string): string {
  const whole = /^(SELECT [\s\S]*?) FROM (?:LATERAL )?\(\s*SELECT \* FROM (\w+) (\w+) ([\s\S]*)\)\s*(\w+)\s*$/.exec(
    text,
  );
  const count = /^SELECT \((SELECT count\(\*\)::int) (FROM [\s\S]*)\), (\$\d+::int)\s*$/.exec(text);
  if (count) return `${count[1]}, ${count[3]} ${count[2]}`;
  if (!whole) return text;
  const [, list = '', table, inner, rest, outer] = whole;
  if (inner !== outer || list.split('(').length !== list.split(')').length) return text;
  return `${list} FROM ${table} ${inner} ${rest}`;
}

/** Numbers the parameters anew that a statement uses. */
function withUsed({ name, text }: Statement): Variant {
  const used = [...new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))].sort((a, b) => a - b);
  const numbered = text.replace(/\$(\d+)/g, (_, number: string) => `$${used.indexOf(Number(number)) + 1}`);
  return { statement: { name, text: numbered }, used };
}
