import type { Statement, StatementPart } from '../../../../lib/pg-wire/statement.js';

type Cut = (values: readonly unknown[]) => readonly StatementPart[];
type Lists = readonly (readonly unknown[])[];

/** A statement for each place of the arrays that come first. */
function each(name: string, arrays: number, text: string): Cut {
  const statement = { name: `${name}/1`, text };
  return values => {
    const lists = values.slice(0, arrays) as Lists;
    const rest = values.slice(arrays);
    return (lists[0] ?? []).map((_, index) => {
      const row = lists.map(list => list[index]);
      return { statement, values: [...row, ...rest] };
    });
  };
}

/** Like `each`, and appends the number of the place as the last value. */
function eachNumbered(name: string, arrays: number, text: string): Cut {
  const cut = each(name, arrays, text);
  return values => cut(values).map((part, index) => ({ ...part, values: [...part.values, index + 1] }));
}

/** The statement in another form. */
function once(name: string, text: string): Cut {
  const statement = { name: `${name}/1`, text };
  return values => [{ statement, values }];
}

/** A statement for each row of a JSON text. */
function eachRow(name: string, text: string, valuesOf: (row: Readonly<Record<string, unknown>>) => unknown[]): Cut {
  const statement = { name: `${name}/1`, text };
  return ([json]) =>
    (JSON.parse(json as string) as Readonly<Record<string, unknown>>[]).map(row => ({
      statement,
      values: valuesOf(row),
    }));
}

// Statements whose form on Citus does not follow from their text. The functions are those of migrations/citus.
const REPLACED: Readonly<Record<string, Cut>> = {
  account_events_add: each(
    'account_events_add',
    8,
    'SELECT record_account_event($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::jsonb)',
  ),
  program_events_add: each(
    'program_events_add',
    7,
    'SELECT record_program_event($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::jsonb)',
  ),
  balances_mark: each('balances_mark', 2, 'SELECT mark_balances_of($1::text, $2::int8)'),
  card_insert: eachRow('card_insert', 'SELECT add_card($1::json)', row => [JSON.stringify(row)]),
  cards_deciding: eachRow(
    'cards_deciding',
    'SELECT d.has_holder, d.cards, d.is_taken, $6::int FROM card_deciding($1::text, $2::text, $3::text, $4::uuid, $5::text[]) d',
    row => [row['account_id'], row['program'], row['card_id'], row['holder'], row['digests'], row['n']],
  ),
  card_sealed_number_reseal: once(
    'card_sealed_number_reseal',
    'SELECT r.* FROM reseal_card($1::text, $2::text, $3::bytea, $4::bytea, $5::bytea) r',
  ),
  idempotency_keys_find: eachNumbered(
    'idempotency_keys_find',
    2,
    `SELECT i.outcome, i.expires_at <= now(), $3::int FROM idempotency_key i WHERE i.account_id = $2::text AND i.key_hash = $1::bytea`,
  ),
  idempotency_keys_forget: each(
    'idempotency_keys_forget',
    2,
    'DELETE FROM idempotency_key WHERE account_id = $2::text AND key_hash = $1::bytea AND expires_at <= now()',
  ),
  idempotency_keys_add: each(
    'idempotency_keys_add',
    4,
    `INSERT INTO idempotency_key (account_id, key_hash, program, outcome, expires_at)
      VALUES ($4::text, $1::bytea, $2::text, $3::bytea, now() + $5::int * interval '1 day')`,
  ),
  idempotency_keys_replace: each(
    'idempotency_keys_replace',
    3,
    `UPDATE idempotency_key SET outcome = $2::bytea, expires_at = now() + $4::int * interval '1 day'
      WHERE account_id = $3::text AND key_hash = $1::bytea`,
  ),
  chains_ends: values => [
    {
      statement: { name: 'chains_ends/1', text: 'SELECT * FROM chain_ends($1::text, 5000) c ORDER BY c.of_account' },
      values,
    },
  ],
  webhook_endpoints_deciding: once(
    'webhook_endpoints_deciding',
    `SELECT (SELECT count(*)::int FROM webhook_endpoint e WHERE e.program = k.program),
        are_accounts_of(k.program, k.account_ids), (SELECT s.position::float8 FROM feed_state s), k.n
      FROM json_to_recordset($1) k(n int, program text, account_ids text[])`,
  ),
  holds_due: once('holds_due', 'SELECT d.program, d.account_id, d.hold_id FROM holds_due($1::int) d'),
  // Rows of several shards cannot be locked in one statement. So many are deleted of each shard.
  idempotency_key_sweep: once(
    'idempotency_key_sweep',
    `SELECT coalesce(sum(substring(r.result FROM '^DELETE (\\d+)$')::int), 0)::int
      FROM run_command_on_shards('idempotency_key', format(
        'DELETE FROM %%1$s WHERE ctid = ANY (ARRAY(SELECT ctid FROM %%1$s WHERE expires_at <= now() ORDER BY expires_at LIMIT %s FOR UPDATE SKIP LOCKED))',
        $1::int)) r`,
  ),
};

/**
 * Reads of distributed tables in statements that write tables of the coordinator: behind a function, Citus plans them
 * apart.
 */
const READ_APART: readonly (readonly [read: RegExp, by: string])[] = [
  [
    /FROM account_event\) e WHERE e\.id = f\.event_id/g,
    'FROM account_event_of(f.event_id, f.account_id)) e WHERE e.id = f.event_id',
  ],
  [/FROM program_event\) e WHERE e\.id = f\.event_id/g, 'FROM program_event_of(f.event_id)) e WHERE e.id = f.event_id'],
  [
    /NOT EXISTS \(SELECT FROM unnest\(k\.account_ids\) i\(account_id\) WHERE NOT EXISTS\s+\(SELECT FROM account a WHERE a\.account_id = i\.account_id AND a\.program = k\.program\)\)/g,
    '(SELECT count(DISTINCT i) FROM unnest(k.account_ids) i) = (SELECT count(*) FROM accounts_named(k.account_ids, k.program))',
  ],
  [/\(SELECT \* FROM event WHERE id = d\.event_id LIMIT 1\) e/g, 'event_of(d.event_id, d.position) e'],
  [
    /FROM event e JOIN feed f ON f\.event_id = e\.id\s+WHERE e\.program = \$1 AND e\.occurred_at >= \$2/g,
    'FROM events_since($1::text, $2::timestamptz) e JOIN feed f ON f.event_id = e.id',
  ],
  [/FROM account WHERE program = ANY\(\$2::text\[\]\)/g, 'FROM accounts_of($2::text[]) o WHERE true'],
  [
    /JOIN account a ON a\.account_id BETWEEN b\.from_account_id AND b\.to_account_id/g,
    'CROSS JOIN LATERAL accounts_between(b.from_account_id, b.to_account_id) a(account_id)',
  ],
];

function readingApart({ name, text }: Statement): Cut | null {
  const apart = READ_APART.reduce((changed, [read, by]) => changed.replace(read, by), text);
  if (apart === text) return null;
  const statement = { name: `${name.slice(0, 60)}/1`, text: apart };
  return values => [{ statement, values }];
}

/** Shorter ledgers have no marks of balances. */
const SHORT_LEDGER = 128;
const MOVE_MARKS: Statement = {
  name: 'balance_marks_move/1',
  text: 'UPDATE balance_mark SET balance_minor = balance_minor + $3::int8 WHERE account_id = $1::text AND until > $2::timestamptz',
};

/**
 * Entries, each followed by what moves the marks after it. Elsewhere a trigger does that, and a trigger of a shard may
 * not read another table.
 */
function entriesWithMarks({ apart }: Statement): Cut {
  return values => {
    const entries = apart?.(values) ?? [];
    const rows = JSON.parse(values[0] as string) as Readonly<Record<string, string | number | null>>[];
    const moves = rows.flatMap((row): StatementPart[] => {
      const { account_id: key, seq, posted_timestamp: postedAt, status, debit_credit_memo: direction } = row;
      const isBooked = status === 'POSTED' && direction !== 'MEMO' && postedAt !== null && postedAt !== undefined;
      if (!isBooked || Number(seq) < SHORT_LEDGER) return [];
      const moved = BigInt(row['amount_minor'] ?? 0) * (direction === 'CREDIT' ? 1n : -1n);
      return [{ statement: MOVE_MARKS, values: [key, postedAt, moved] }];
    });
    return [...entries, ...moves];
  };
}

const MOVE_MARKS_BEHIND: Statement = {
  name: 'balance_marks_move_behind/1',
  text: 'SELECT move_marks($1::text, $2::int8, $3::int8)',
};

/**
 * The table of entries is the only one into which rows are copied: Citus loses the SQLSTATE of what a node refuses in a
 * COPY, so another import that made the same rows would not be recognised. Entries are added behind the lock of their
 * account.
 */
export const COPIED = 'transaction';

/** The same for entries that were copied. */
export function partsBehindCopy(table: string, rows: readonly Readonly<Record<string, unknown>>[]): StatementPart[] {
  if (table !== COPIED) return [];
  return [...Map.groupBy(rows, row => row['account_id'] as string)].flatMap(([key, added]) => {
    const seqs = added.map(row => Number(row['seq']));
    const [first, last] = [Math.min(...seqs), Math.max(...seqs)];
    return last < SHORT_LEDGER ? [] : [{ statement: MOVE_MARKS_BEHIND, values: [key, first, last] }];
  });
}

/** What is sent in place of a statement on Citus, by its name. */
export function replaced(statement: Statement): Cut | null {
  if (statement.name === 'transaction_insert') return entriesWithMarks(statement);
  // Denied attempts are on the coordinator, though they name accounts.
  if (statement.name === 'attempts_deny') return values => [{ statement, values }];
  return REPLACED[statement.name] ?? readingApart(statement);
}
