import type pg from 'pg';
import { isAsElsewhere } from '../../support/citus-differences.js';

/** Money that is in no account or in two: what accounts have differs from what came from outside. */
const TOTALS = `SELECT 'balances differ from what came from outside by ' || have.total - came.total AS wrong
  FROM (SELECT sum(balance_minor) AS total FROM account WHERE program = $1) have,
    (SELECT coalesce(sum(CASE t.debit_credit_memo WHEN 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END), 0) AS total
      FROM transaction t JOIN account a ON a.account_id = t.account_id
      WHERE a.program = $1 AND t.status = 'POSTED' AND t.debit_credit_memo <> 'MEMO' AND t.transaction_id NOT LIKE 'tr-%') came
  WHERE have.total <> came.total`;

/** Accounts beyond their overdraft limit, where that is checked. */
const OVERDRAWN = `SELECT account_id || ' is beyond its overdraft limit' AS wrong FROM account
  WHERE program = $1 AND balance_minor - held_minor + overdraft_limit_minor < 0`;

/** Accounts that let more out than their limit of a day ($2, in minor units). */
const BEYOND_LIMIT = `SELECT account_id || ' let out ' || sum(amount_minor) AS wrong FROM transfer
  WHERE program = $1 AND account_id = from_account_id AND status = 'MADE'
  GROUP BY account_id HAVING sum(amount_minor) > $2`;

/** What must hold once all is over. A transfer has a row for each of its accounts, and so have its entries. */
const AUDIT = [
  `SELECT 'transfer ' || transfer_id || ' has ' || count(*) || ' rows' AS wrong FROM transfer
    WHERE program = $1 GROUP BY transfer_id HAVING count(*) <> 2`,
  `SELECT 'transfer ' || t.transfer_id || ' has ' || count(x.account_id) || ' entries' AS wrong
    FROM transfer t LEFT JOIN transaction x ON x.account_id = t.account_id AND x.transaction_id LIKE t.transfer_id || '~%'
    WHERE t.program = $1 GROUP BY t.transfer_id
    HAVING count(x.account_id) <> max(CASE t.status WHEN 'MADE' THEN 2 ELSE 4 END)`,
  `SELECT a.account_id || ' is not the sum of its ledger' AS wrong
    FROM account a LEFT JOIN transaction x ON x.account_id = a.account_id
    WHERE a.program = $1 GROUP BY a.account_id
    HAVING max(a.last_seq) <> count(x.account_id) OR max(a.balance_minor) <> coalesce(sum(
      CASE WHEN x.status <> 'POSTED' OR x.debit_credit_memo = 'MEMO' THEN 0
        WHEN x.debit_credit_memo = 'CREDIT' THEN x.amount_minor ELSE -x.amount_minor END), 0)`,
];

interface MoneyRules {
  readonly program: string;
  /** No account may be beyond its overdraft limit. */
  readonly isChecked: boolean;
  /** What an account may let out, in units of its currency. */
  readonly mostADay: number;
}

/** What is wrong with the money of a program at one moment, while it moves. */
export async function wrongNow(sql: pg.Pool, { program, isChecked, mostADay }: MoneyRules): Promise<readonly string[]> {
  const client = await sql.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return [
      ...(isAsElsewhere('accountsAtOneMoment') ? await wrongIn(client, TOTALS, [program]) : []),
      ...(isChecked ? await wrongIn(client, OVERDRAWN, [program]) : []),
      ...(await wrongIn(client, BEYOND_LIMIT, [program, mostADay * 100])),
    ];
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** What is wrong with the money of a program, its transfers and their entries once nobody writes any more. */
export async function wrongAfterwards(sql: pg.Pool, program: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const statement of [TOTALS, ...AUDIT]) wrong.push(...(await wrongIn(sql, statement, [program])));
  return wrong;
}

async function wrongIn(sql: pg.Pool | pg.ClientBase, statement: string, values: unknown[]): Promise<readonly string[]> {
  const { rows } = await sql.query<{ wrong: string }>(statement, values);
  return rows.map(row => row.wrong);
}
