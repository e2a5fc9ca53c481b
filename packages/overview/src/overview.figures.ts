import {
  BOOKED_SQL,
  CLOSE_ACCOUNT,
  OPEN_ACCOUNT,
  POSTING_ACTIONS,
  keyed,
  oneByOrdinal,
  transpose,
  type FeedEvent,
  type PostedFacts,
  type SqlQuery,
  type StatementSender,
  type WithOrdinal,
} from 'tillgate/noun';
import { statementOf } from '../../../lib/pg-wire/statement.js';

const OF_DAY = ['credits_minor', 'credit_count', 'debits_minor', 'debit_count', 'opened_account_count'] as const;
const OF_TOTAL = [
  'deposits_minor',
  'open_account_count',
  'inactive_card_count',
  'active_card_count',
  'frozen_card_count',
] as const;
type Added<Figure extends string> = Readonly<Partial<Record<Figure, bigint>>>;
type AddedToTotal = Added<(typeof OF_TOTAL)[number]>;

/** The cards that can still be used. Lost, stolen and closed ones are history, which ends with their accounts. */
const CARDS: Readonly<Record<string, (typeof OF_TOTAL)[number]>> = {
  INACTIVE: 'inactive_card_count',
  ACTIVE: 'active_card_count',
  FROZEN: 'frozen_card_count',
};

/** The entries that an event added to the ledger of its account. */
interface AddedEntries {
  readonly program: string;
  readonly accountId: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

/** The effect of an event on the figures of its program, besides entries. */
interface Change {
  readonly program: string;
  readonly accountId: string;
  readonly added: AddedToTotal;
  /** The day on which it opened its account, or null. */
  readonly openedOn: string | null;
}

// A day is that of the account, as on its statements: local times are stored with the entry.
const ENTRIES = keyed(
  'overview_entries',
  { account_id: 'text', first_seq: 'int8', last_seq: 'int8' },
  ({ k, rowsOf }) =>
    rowsOf(
      'date, credits, credit_count, debits, debit_count',
      `(SELECT coalesce(t.posted_time, t.transaction_time)::date AS date,
          coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'CREDIT'), 0)::text AS credits,
          count(*) FILTER (WHERE t.debit_credit_memo = 'CREDIT') AS credit_count,
          coalesce(sum(t.amount_minor) FILTER (WHERE t.debit_credit_memo = 'DEBIT'), 0)::text AS debits,
          count(*) FILTER (WHERE t.debit_credit_memo = 'DEBIT') AS debit_count
        FROM transaction t
        WHERE t.account_id = ${k.account_id} AND t.seq BETWEEN ${k.first_seq} AND ${k.last_seq} AND ${BOOKED_SQL}
        GROUP BY 1) e`,
    ),
  { together: true },
);
type EntriesRow = [date: string, credits: string, creditCount: bigint, debits: string, debitCount: bigint];

const CURRENCIES = keyed('overview_currencies', { account_id: 'text' }, ({ k, rowOf }) =>
  rowOf('t.currency', `account t WHERE t.account_id = ${k.account_id}`),
);

/** The most entries that are summed up at once, if they are of more than one event. */
const MAX_ENTRIES = 20_000;

/** The first of these events: so many that they added at most `MAX_ENTRIES`, and one at least. */
export function countable(events: readonly FeedEvent[]): readonly FeedEvent[] {
  let entries = 0;
  const end = events.findIndex((event, index) => {
    for (const { firstSeq, lastSeq } of entriesOf(event)) entries += lastSeq - firstSeq + 1;
    return entries > MAX_ENTRIES && index > 0;
  });
  return end < 0 ? events : events.slice(0, end);
}

/** Reads what events mean for the figures of their programs, and gives the statements that add it. */
export async function figuresOf(asking: StatementSender, events: readonly FeedEvent[]): Promise<SqlQuery[]> {
  const entries = events.flatMap(entriesOf);
  const changes = events.flatMap(changesOf);
  const accountIds = [...new Set([...entries, ...changes].map(({ accountId }) => accountId))];
  if (accountIds.length === 0) return [];
  const [found, rows] = await Promise.all([
    asking.query<WithOrdinal<[string]>>(CURRENCIES, [accountIds]),
    entries.length === 0
      ? []
      : asking.query<WithOrdinal<EntriesRow>>(
          ENTRIES,
          transpose(entries.map(({ accountId, firstSeq, lastSeq }) => [accountId, firstSeq, lastSeq])),
        ),
  ]);
  const currencies = oneByOrdinal(found, accountIds.length, ([currency]) => currency);
  const currencyOf = new Map(accountIds.map((accountId, index) => [accountId, currencies[index] ?? null]));
  const days = new Sums('overview_day', ['program', 'date', 'currency'], OF_DAY);
  const totals = new Sums('overview_total', ['program', 'currency'], OF_TOTAL);
  for (const [date, credits, creditCount, debits, debitCount, ordinal] of rows) {
    const { program, accountId } = entries[ordinal - 1] as AddedEntries;
    const currency = currencyOf.get(accountId);
    // An account that was deleted since is in no figure, and neither are its entries.
    if (!currency) continue;
    const [creditsMinor, debitsMinor] = [BigInt(credits), BigInt(debits)];
    days.add([program, date, currency], {
      credits_minor: creditsMinor,
      credit_count: creditCount,
      debits_minor: debitsMinor,
      debit_count: debitCount,
    });
    totals.add([program, currency], { deposits_minor: creditsMinor - debitsMinor });
  }
  for (const { program, accountId, added, openedOn } of changes) {
    const currency = currencyOf.get(accountId);
    if (!currency) continue;
    totals.add([program, currency], added);
    if (openedOn !== null) days.add([program, openedOn, currency], { opened_account_count: 1n });
  }
  return [...days.adding(), ...totals.adding()];
}

function entriesOf({ program, accountId, action, data }: FeedEvent): AddedEntries[] {
  if (accountId === null || !POSTING_ACTIONS.has(action)) return [];
  const { transactions, lastSeq } = data as unknown as PostedFacts;
  return transactions > 0 ? [{ program, accountId, firstSeq: lastSeq - transactions + 1, lastSeq }] : [];
}

function changesOf({ program, accountId, action, data }: FeedEvent): Change[] {
  if (accountId === null) return [];
  const of = { program, accountId, openedOn: null };
  if (action === OPEN_ACCOUNT.name) {
    const { openedOn = null } = data as { readonly openedOn?: string };
    return [{ ...of, added: { open_account_count: 1n }, openedOn }];
  }
  if (action === CLOSE_ACCOUNT.name) return [{ ...of, added: { open_account_count: -1n } }];
  if (!action.startsWith('card.')) return [];
  const { status = '', previousStatus = '' } = data as Readonly<Partial<Record<string, string>>>;
  const [from, to] = [CARDS[previousStatus], CARDS[status]];
  if (from === to) return [];
  return [{ ...of, added: { ...(from && { [from]: -1n }), ...(to && { [to]: 1n }) } }];
}

/** Figures by the keys of their rows, which are added to those of a table. */
class Sums<Figure extends string> {
  private readonly byKey = new Map<string, { readonly key: readonly string[]; readonly figures: bigint[] }>();

  constructor(
    private readonly table: string,
    private readonly keys: readonly string[],
    private readonly figures: readonly Figure[],
  ) {}

  add(key: readonly string[], added: Added<Figure>): void {
    const name = JSON.stringify(key);
    const row = this.byKey.get(name) ?? { key, figures: this.figures.map(() => 0n) };
    this.byKey.set(name, {
      key,
      figures: row.figures.map((sum, at) => sum + (added[this.figures[at] as Figure] ?? 0n)),
    });
  }

  /** The statement that adds the figures; none for none. */
  adding(): SqlQuery[] {
    if (this.byKey.size === 0) return [];
    const { table, keys, figures } = this;
    const columns = [...keys, ...figures];
    const arrays = columns.map((column, at) => `$${at + 1}::${column in TYPES ? TYPES[column] : 'numeric'}[]`);
    const sums = figures.map(figure => `${figure} = o.${figure} + excluded.${figure}`);
    const statement = statementOf(
      `INSERT INTO ${table} AS o (${columns.join(', ')}) SELECT * FROM unnest(${arrays.join(', ')})
       ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${sums.join(', ')}`,
    );
    const rows = [...this.byKey.values()].map(({ key, figures: sum }) => [...key, ...sum]);
    return [{ statement, values: transpose(rows) }];
  }
}

/** The types of columns that are no sums. */
const TYPES: Readonly<Record<string, string>> = { program: 'text', currency: 'text', date: 'date' };
