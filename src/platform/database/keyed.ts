import { statementOf, type Statement, type StatementPart } from '../../../lib/pg-wire/statement.js';

/** The means with which the text of a statement over keys is written. */
export interface KeyText<Column extends string> {
  /** The values of a key, by their columns; `n` is the number of the key, from 1. */
  readonly k: Readonly<Record<Column | 'n', string>>;
  /** Comes before the first table of FROM: the keys, joined with it. Where there is no table, `(SELECT 1) one`. */
  readonly each: string;
  /** The keys behind FROM or USING, where no other table is. */
  readonly keys: (word: 'FROM' | 'USING') => string;
  /** A value that all keys have. The first one is 0. */
  readonly value: (index: number) => string;
  /** A condition for keys that have a value in the column. */
  readonly ifGiven: (column: Column, condition: () => string) => string;
  /** Each key with the rows of a table `t`, which are chosen and ordered by the key, and limited. */
  readonly rowsOf: (columns: string, body: string) => string;
  /**
   * Each key with its one row of a table `t`, looked up key by key: where statistics say that a table is nearly empty,
   * such as after an import that was only tried, a join would compare each row with each key.
   */
  readonly rowOf: (columns: string, body: string) => string;
  /** Each key with the number of such rows. */
  readonly countOf: (body: string) => string;
  /** The condition on a column `account_id` that a table has only where it is distributed by it. */
  readonly ofAccount: (alias: string) => string;
}

interface Form<Column extends string> {
  readonly text: (build: KeyText<Column>) => string;
  readonly columns: Readonly<Record<Column, string>>;
}

export interface KeyedOptions<Column extends string> {
  /** The column with the account; null where the rows are on one server everywhere. */
  readonly account?: Column | null;
  /** It locks, in the order of the accounts. */
  readonly locks?: boolean;
  /** Many keys of one account may be sent together, as imports have them. */
  readonly together?: boolean;
}

/**
 * The number of keys of one account from which on they are sent together: it costs as much as two of them one by one.
 */
const MANY_KEYS = 8;

/** A transaction reads and writes shards one after the other from here on. */
const READ_IN_TURN: StatementPart = {
  statement: { name: 'citus_in_turn', text: `SET LOCAL citus.multi_shard_modify_mode TO 'sequential'` },
  values: [],
};

/** Those that have another form, by their names: tests try each of them in both. */
const apartByName = new Map<string, Statement>();

/** The statements that are sent in another form where accounts are on many servers. */
export function statementsApart(): readonly Statement[] {
  return [...apartByName.values()];
}

/**
 * A statement over many keys, and the same for one key, from one text. Its parameters are an array for each column, and
 * behind them the values that all keys have. On Citus it is sent for each key by itself: with one value of the column
 * by which tables are distributed, Citus sends a statement to one shard as it is, and keeps its plan if it reads one
 * table. `name`: null for a name that is made of the text.
 */
export function keyed<const Columns extends Readonly<Record<string, string>>>(
  name: string | null,
  columns: Columns,
  text: (build: KeyText<keyof Columns & string>) => string,
  options: KeyedOptions<keyof Columns & string> = {},
): Statement {
  type Column = keyof Columns & string;
  const form: Form<Column> = { text, columns };
  const optional = new Set<Column>();
  const whole = text(manyKeys(columns, optional));
  const own = name ?? statementOf(whole).name;
  const account = options.account === undefined ? ('account_id' as Column) : options.account;
  if (account === null) {
    const joined = text(manyKeys(columns, optional, true));
    return joined === whole ? { name: own, text: whole } : apart({ name: own, text: whole }, joined);
  }
  const names = Object.keys(columns) as Column[];
  const at = names.indexOf(account);
  if (at < 0) throw new Error(`${own} has no key ${account}`);
  const together = options.together ? keysOfOne(`${own.slice(0, 50)}/many`, form, account) : null;
  const ones = new Map<string, ReturnType<typeof oneKey<Column>>>();
  const one = (row: readonly unknown[]): ReturnType<typeof oneKey<Column>> => {
    const missing = names.filter((column, index) => optional.has(column) && row[index] === null);
    const which = missing.join(',');
    let made = ones.get(which);
    if (!made) ones.set(which, (made = oneKey(`${own.slice(0, 50)}/${ones.size + 1}`, form, new Set(missing))));
    return made;
  };
  const parts = (values: readonly unknown[]): readonly StatementPart[] => {
    const lists = values.slice(0, names.length) as readonly (readonly unknown[])[];
    const rest = values.slice(names.length);
    const accounts = (lists[at] ?? []) as readonly string[];
    const places = [...accounts.keys()];
    if (options.locks) places.sort((a, b) => ((accounts[a] as string) < (accounts[b] as string) ? -1 : 1));
    const partOf = (place: number): StatementPart => {
      const row = lists.map(list => list[place]);
      return one(row)([...row, place + 1, ...rest]);
    };
    if (!together || places.length < MANY_KEYS) return places.map(partOf);
    return [...Map.groupBy(places, place => accounts[place] as string)].flatMap(([of, theirs]) => {
      if (theirs.length < MANY_KEYS) return theirs.map(partOf);
      const rows = lists.map((list, column) => (column === at ? of : theirs.map(place => list[place])));
      return [together([...rows, theirs.map(place => place + 1), ...rest])];
    });
  };
  return registered({ name: own, text: whole, apart: parts });
}

/**
 * The form of a statement that is sent on Citus in its place: another text with the same values; a text for each place
 * of the first `arrays`; or the statements that the values are made into. With `inTurn` it is the same text, of a
 * transaction that reads all servers and writes afterwards to a table which each of them has: Citus refuses such a
 * write after shards were read side by side, so they are read one after the other from then on.
 */
export type OtherForm =
  | string
  | { readonly arrays: number; readonly text: string }
  | { readonly inTurn: true }
  | ((values: readonly unknown[]) => readonly StatementPart[]);

/** A statement that is another one on Citus, and cannot be `keyed`. A text alone is named after itself. */
export function apart(of: string | Pick<Statement, 'name' | 'text'>, other: OtherForm): Statement {
  const { name, text } = typeof of === 'string' ? statementOf(of) : of;
  if (typeof other === 'function') return registered({ name, text, apart: other });
  const sent = (otherText: string): Statement => ({ name: `${name.slice(0, 60)}/1`, text: otherText });
  if (typeof other === 'string') {
    const statement = sent(other);
    return registered({ name, text, apart: values => [{ statement, values }] });
  }
  if ('inTurn' in other) {
    // Its text is the same everywhere, so there are no two forms to be compared.
    const statement = sent(text);
    return { name, text, apart: values => [READ_IN_TURN, { statement, values }] };
  }
  const statement = sent(other.text);
  return registered({
    name,
    text,
    apart: values => {
      const lists = values.slice(0, other.arrays) as readonly (readonly unknown[])[];
      const rest = values.slice(other.arrays);
      return (lists[0] ?? []).map((_, place) => ({ statement, values: [...lists.map(list => list[place]), ...rest] }));
    },
  });
}

function registered(statement: Statement): Statement {
  apartByName.set(statement.name, statement);
  return statement;
}

/** For many keys, whose columns are arrays. `isJoined`: as Citus takes a statement about all shards. */
function manyKeys<Column extends string>(
  columns: Readonly<Record<Column, string>>,
  optional: Set<Column>,
  isJoined = false,
): KeyText<Column> {
  const names = Object.keys(columns) as Column[];
  const arrays = names.map((column, index) => `$${index + 1}::${columns[column]}[]`);
  const source = `unnest(${arrays.join(', ')}) WITH ORDINALITY k(${[...names, 'n'].join(', ')})`;
  const build = tableOfKeys<Column>(
    source,
    column => `k.${column}`,
    index => `$${names.length + index + 1}`,
    column => optional.add(column),
  );
  const joined = (selected: string, body: string): string => `SELECT ${selected}, k.n::int FROM ${build.each}${body}`;
  return isJoined ? { ...build, rowOf: joined } : build;
}

/** Text in which the keys are a table `k`. */
function tableOfKeys<Column extends string>(
  source: string,
  columnOf: (column: Column | 'n') => string,
  value: (index: number) => string,
  note: (column: Column) => void = () => undefined,
): KeyText<Column> {
  const k = new Proxy({} as Record<Column | 'n', string>, { get: (_, column) => columnOf(column as Column) });
  const rowsOf = (selected: string, body: string): string =>
    `SELECT ${selected}, k.n::int FROM ${source} CROSS JOIN LATERAL (SELECT * FROM ${body}) t`;
  return {
    k,
    each: `${source} CROSS JOIN `,
    keys: word => `${word} ${source}`,
    value,
    ifGiven: (column, condition) => {
      note(column);
      return `(k.${column} IS NULL OR ${condition()})`;
    },
    rowsOf,
    rowOf: (selected, body) => rowsOf(selected, `${body} LIMIT 1`),
    countOf: body => `SELECT (SELECT count(*)::int FROM ${body}), k.n::int FROM ${source}`,
    ofAccount: () => '',
  };
}

type PartBuilder = (values: readonly unknown[]) => StatementPart;

/** Numbers the parameters that a text uses. The values of the key come first, then its number, then the others. */
class Parameters {
  private readonly used: number[] = [];

  readonly at = (index: number): string => {
    const place = this.used.indexOf(index);
    return `$${place < 0 ? this.used.push(index) : place + 1}`;
  };

  filling(name: string, text: string): PartBuilder {
    const statement = { name, text };
    return values => ({ statement, values: this.used.map(index => values[index]) });
  }
}

/** For one key, whose columns are parameters. */
function oneKey<Column extends string>(
  name: string,
  { text, columns }: Form<Column>,
  missing: ReadonlySet<Column>,
): PartBuilder {
  const names = Object.keys(columns) as Column[];
  const parameters = new Parameters();
  const columnOf = (column: Column | 'n'): string => {
    const index = names.indexOf(column as Column);
    return index < 0 ? `${parameters.at(names.length)}::int` : `${parameters.at(index)}::${columns[column as Column]}`;
  };
  const k = new Proxy({} as Record<Column | 'n', string>, { get: (_, column) => columnOf(column as Column) });
  const rowsOf = (selected: string, body: string): string => `SELECT ${selected}, ${k.n} FROM ${body}`;
  const made = text({
    k,
    each: '',
    keys: () => '',
    value: index => parameters.at(names.length + 1 + index),
    ifGiven: (column, condition) => (missing.has(column) ? 'true' : `(${condition()})`),
    rowsOf,
    rowOf: rowsOf,
    countOf: body => `SELECT count(*)::int, ${k.n} FROM ${body}`,
    ofAccount: alias => `${alias}.account_id = ${columnOf('account_id' as Column)} AND `,
  });
  return parameters.filling(name, made);
}

/** For many keys of one account, which is a parameter: by that, Citus sends the statement to one shard as it is. */
function keysOfOne<Column extends string>(name: string, { text, columns }: Form<Column>, account: Column): PartBuilder {
  const names = Object.keys(columns) as Column[];
  const others = names.filter(column => column !== account);
  const parameters = new Parameters();
  const arrays = [
    ...others.map(column => `${parameters.at(names.indexOf(column))}::${columns[column]}[]`),
    `${parameters.at(names.length)}::int8[]`,
  ];
  const of = `${parameters.at(names.indexOf(account))}::${columns[account]}`;
  const made = text(
    tableOfKeys(
      `unnest(${arrays.join(', ')}) k(${[...others, 'n'].join(', ')})`,
      column => (column === account ? of : `k.${column}`),
      index => parameters.at(names.length + 1 + index),
    ),
  );
  return parameters.filling(name, made);
}
