import { PRESENT, keptDayOf, limitDayOf } from '../account/account.service.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { dayOf, startOfDay } from '../../shared/days.js';
import type { TransferRules } from '../../shared/transfer-rules.js';
import { AccountLimit } from './limit.entity.js';
import { NO_USE, type LimitFacts, type LimitUse, type Limits } from './limit.rules.js';

/** The number of days over which transfers are summed up, today included. */
const DAYS = 30;

/**
 * An account with what its program says, its own limits, and the beginning of its day as `d.today`. `OFFSET 0` has the
 * day and these instants computed once for an account: without it PostgreSQL puts their expressions into each other,
 * and computes them for each transfer, which took 150 times as long for an account with 220 of them.
 */
const OF_ACCOUNT = `account a ${PRESENT} LEFT JOIN program r ON r.program_id = a.program
    LEFT JOIN account_limit o ON o.account_id = a.account_id
    CROSS JOIN LATERAL (SELECT ${dayOf('p.now', 'a.time_zone')} AS day OFFSET 0) n
    CROSS JOIN LATERAL (SELECT ${limitDayOf('p.now', 'n.day')} AS today,
      least(${startOfDay(`n.day - ${DAYS - 1}`, 'a.time_zone')}, ${keptDayOf('p.now')} - interval '${DAYS - 1} days') AS first OFFSET 0) d`;
const LIMITS = `r.transfers, coalesce(o.version, 0), o.per_transfer_minor::text, o.per_day_minor::text, o.per_30_days_minor::text,
    o.transfers_per_day, o.card_holds_per_day_minor::text`;

// The sum of transfers is read from an index that has all of it, and only for accounts that have limits, unless the
// limits are to be shown.
const TRANSFERS = keyed(
  'limits_transfers',
  { account_id: 'text' },
  ({ k, each, value }) => `SELECT ${LIMITS}, u.today::text, u.count::int, u.days30::text, ${k.n}::int
    FROM ${each}${OF_ACCOUNT}
    CROSS JOIN LATERAL (SELECT coalesce(sum(t.amount_minor) FILTER (WHERE t.made_at >= d.today), 0) AS today,
        count(*) FILTER (WHERE t.made_at >= d.today) AS count, coalesce(sum(t.amount_minor), 0) AS days30
      FROM transfer t WHERE (${value(0)}::bool OR o.account_id IS NOT NULL OR json_array_length(r.transfers -> 'limits') > 0)
        AND t.account_id = ${k.account_id} AND t.account_id = t.from_account_id AND t.status = 'MADE' AND t.made_at >= d.first) u
    WHERE a.account_id = ${k.account_id}`,
);

// A hold that has ended counts with the amount that it took, and not with what it released.
const CARD_HOLDS = keyed(
  'limits_card_holds',
  { account_id: 'text' },
  ({ k, each, value }) => `SELECT ${LIMITS}, u.today::text, ${k.n}::int
    FROM ${each}${OF_ACCOUNT}
    CROSS JOIN LATERAL (SELECT coalesce(sum(CASE WHEN h.status = 'ACTIVE' THEN h.amount_minor ELSE h.captured_minor END), 0) AS today
      FROM hold h WHERE (${value(0)}::bool OR o.account_id IS NOT NULL OR json_array_length(r.transfers -> 'limits') > 0)
        AND h.account_id = ${k.account_id} AND h.card_id IS NOT NULL AND h.placed_at >= d.today) u
    WHERE a.account_id = ${k.account_id}`,
);

type OfProgram = [
  rules: TransferRules | null,
  version: number,
  perTransfer: string | null,
  perDay: string | null,
  per30Days: string | null,
  transfersPerDay: number | null,
  cardHoldsPerDay: string | null,
];
type TransfersRow = [...OfProgram, todayMinor: string, transfersToday: number, days30Minor: string];
type CardHoldsRow = [...OfProgram, todayMinor: string];

const NO_FACTS: LimitFacts = { rules: null, own: null, version: 0, use: NO_USE };

/** The limits of accounts, and what counts against them. */
export class LimitRepository extends BatchedRepository<AccountLimit, AccountLimit> {
  private readonly rewriting = this.updating();

  constructor(database: Database) {
    super(database, AccountLimit);
  }

  /**
   * Reads the facts that decide on transfers from accounts. `always`: what counts is read even where there is no limit.
   */
  async ofTransfers(
    transaction: StatementSender,
    accountIds: readonly string[],
    always = false,
  ): Promise<LimitFacts[]> {
    const rows = await transaction.query<WithOrdinal<TransfersRow>>(TRANSFERS, [accountIds, always]);
    const facts = oneByOrdinal(rows, accountIds.length, row => {
      const [, , , , , , , todayMinor, transfersToday, days30Minor] = row;
      return factsOf(row, { todayMinor: BigInt(todayMinor), transfersToday, days30Minor: BigInt(days30Minor) });
    });
    return facts.map(one => one ?? NO_FACTS);
  }

  /** Reads the facts that decide on holds of cards of accounts. */
  async ofCardHolds(
    transaction: StatementSender,
    accountIds: readonly string[],
    always = false,
  ): Promise<LimitFacts[]> {
    const rows = await transaction.query<WithOrdinal<CardHoldsRow>>(CARD_HOLDS, [accountIds, always]);
    const facts = oneByOrdinal(rows, accountIds.length, row => {
      const [, , , , , , , todayMinor] = row;
      return factsOf(row, { cardHoldsTodayMinor: BigInt(todayMinor) });
    });
    return facts.map(one => one ?? NO_FACTS);
  }

  /** Both together, whether there is a limit or not. */
  async all(transaction: StatementSender, accountIds: readonly string[]): Promise<LimitFacts[]> {
    const [transfers, cardHolds] = await Promise.all([
      this.ofTransfers(transaction, accountIds, true),
      this.ofCardHolds(transaction, accountIds, true),
    ]);
    return transfers.map((one, index) => ({
      ...one,
      use: { ...one.use, cardHoldsTodayMinor: cardHolds[index]?.use.cardHoldsTodayMinor ?? 0n },
    }));
  }

  /** The statements that write limits of accounts, of which some had none. */
  writing(
    changed: readonly { readonly accountId: string; readonly version: number; readonly own: Limits }[],
  ): SqlQuery[] {
    const draft = ({ accountId, own, version }: (typeof changed)[number]) => this.draft({ accountId, ...own, version });
    const [added, others] = [
      changed.filter(({ version }) => version === 1),
      changed.filter(({ version }) => version > 1),
    ];
    return [
      ...(added.length > 0 ? [this.insertion(added.map(draft))] : []),
      ...(others.length > 0 ? [this.rewriting(others.map(draft))] : []),
    ];
  }
}

function factsOf(row: readonly unknown[], use: Partial<LimitUse>): LimitFacts {
  const [rules, version, perTransfer, perDay, per30Days, transfersPerDay, cardHoldsPerDay] = row as OfProgram;
  const minor = (text: string | null) => (text === null ? null : BigInt(text));
  const own = {
    perTransferMinor: minor(perTransfer),
    perDayMinor: minor(perDay),
    per30DaysMinor: minor(per30Days),
    transfersPerDay,
    cardHoldsPerDayMinor: minor(cardHoldsPerDay),
  };
  return { rules, own: version > 0 ? own : null, version, use: { ...NO_USE, ...use } };
}
