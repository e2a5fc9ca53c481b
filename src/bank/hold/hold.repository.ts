import { raw, type FilterQuery } from '@mikro-orm/core';
import type { AccountView } from '../account/account.entity.js';
import type { LimitFacts } from '../limit/limit.service.js';
import { PRESENT, localTime, type AccountService } from '../account/account.service.js';
import type { CardStatus } from '../card/card.entity.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { apart, keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender, SqlQuery } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { cursorOptions, inReadingOrder } from '../../platform/repository/find-options.js';
import { metadataCondition } from '../../platform/repository/metadata-column.js';
import type { Window } from '../../shared/page.js';
import { transpose, oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { Hold, type HoldRead, type HoldStatus } from './hold.entity.js';
import { holdOf, type StoredHold } from './hold.record.js';

// The facts that decide on a hold beside the hold itself and its account. The present is that of the program.
// Commands of a group read theirs together, with local times that the database computes.
const DECIDING = keyed(
  'holds_deciding',
  { account_id: 'text', hold_id: 'text', card_id: 'text' },
  ({ k, each }) => `SELECT p.now, ${localTime('p.now')}, ${localTime('h.expires_at')},
      coalesce((SELECT p.check_funds FROM program p WHERE p.program_id = a.program), false),
      (SELECT ARRAY[c.status, c.last4] FROM card c WHERE c.account_id = ${k.account_id} AND c.card_id = ${k.card_id}),
      EXISTS (SELECT FROM transaction t WHERE t.account_id = ${k.account_id} AND t.transaction_id = ${k.hold_id}), ${k.n}::int
    FROM ${each}account a ${PRESENT} LEFT JOIN hold h ON h.account_id = ${k.account_id} AND h.hold_id = ${k.hold_id}
    WHERE a.account_id = ${k.account_id}`,
);

// Each program has a present of its own. The programs that have active holds are found one after the other in the
// index, and of each those whose time is over.
const DUE = apart(
  {
    name: 'holds_due',
    text: `WITH RECURSIVE holding(program) AS (
      SELECT min(h.program) FROM hold h WHERE h.status = 'ACTIVE'
      UNION ALL SELECT (SELECT min(h.program) FROM hold h WHERE h.status = 'ACTIVE' AND h.program > p.program)
        FROM holding p WHERE p.program IS NOT NULL)
    SELECT d.program, d.account_id, d.hold_id FROM holding p CROSS JOIN LATERAL (
      SELECT h.program, h.account_id, h.hold_id FROM hold h
      WHERE h.status = 'ACTIVE' AND h.program = p.program AND h.expires_at <= program_now(p.program)
      ORDER BY h.expires_at LIMIT $1::int) d`,
  },
  'SELECT d.program, d.account_id, d.hold_id FROM holds_due($1::int) d',
);

/** The card that a hold is for. */
export interface HeldCard {
  readonly status: CardStatus;
  readonly last4: string;
}

/** The facts that decide on a command about a hold. */
export interface HoldCommandFacts {
  readonly hold: HoldRead | null;
  /** The present of the program. */
  readonly now: string;
  /** `now` as local time of the account. */
  readonly localNow: string;
  /** The end of the hold's time as local time of the account; null without a hold. */
  readonly localExpiry: string | null;
  /** True if the program refuses holds beyond what is available. */
  readonly checksFunds: boolean;
  /** Null if the account has no such card. */
  readonly card: HeldCard | null;
  /** The limits of new holds of cards; null for a hold without a card. */
  readonly cardLimits: LimitFacts | null;
  /** True if the ledger has an entry under the id of the hold. */
  readonly isTaken: boolean;
}

/** A hold that is asked about. Null for what cannot be an id. */
export interface HoldLookup {
  readonly accountId: string;
  readonly holdId: string | null;
  readonly cardId: string | null;
}

/** A hold whose time is over. */
export interface DueHold {
  readonly program: string;
  readonly accountId: string;
  readonly holdId: string;
}

type DecidingRow = [
  now: string,
  localNow: string,
  localExpiry: string | null,
  checksFunds: boolean,
  card: readonly [status: CardStatus, last4: string] | null,
  isTaken: boolean,
];

export class HoldRepository extends BatchedRepository<Hold, HoldRead> {
  // The row of the account is locked as long as its holds change, so the figures that were read are still true when
  // they change.
  private readonly holdBack: (rows: readonly (readonly unknown[])[]) => SqlQuery;

  constructor(database: Database, keys: KeyRing, accounts: Pick<AccountService['repository'], 'setting'>) {
    super(database, Hold, keys, { parent: 'accountId', order: ['seq'], descending: true, filter: 'status' });
    this.holdBack = accounts.setting(['heldMinor']);
  }

  /** Reads the facts that decide on commands, whose accounts are locked. */
  async deciding(transaction: StatementSender, lookups: readonly HoldLookup[]): Promise<HoldCommandFacts[]> {
    const keys = lookups.map(({ accountId, holdId, cardId }) => [accountId, holdId, cardId]);
    const [holds, rows] = await Promise.all([
      this.each(
        transaction,
        keys.map(([accountId, holdId]) => [accountId ?? null, holdId ?? null]),
      ),
      // An empty id finds nothing either, and unlike null it leaves the join one on the account.
      transaction.query<WithOrdinal<DecidingRow>>(DECIDING, transpose(keys.map(([a, h, c]) => [a, h ?? '', c]))),
    ]);
    const decidingOf = (
      [now, localNow, localExpiry, checksFunds, found, isTaken]: DecidingRow,
      index: number,
    ): HoldCommandFacts => {
      const hold = holds[index] ?? null;
      const card = found && { status: found[0], last4: found[1] };
      return { hold, now, localNow, localExpiry, checksFunds, card, cardLimits: null, isTaken };
    };
    return oneByOrdinal(rows, lookups.length, decidingOf) as HoldCommandFacts[];
  }

  /** A part of the holds of an account that have pairs of metadata, in the order in which `sliceOf` takes them. */
  async withPairs(
    accountId: string,
    statuses: readonly HoldStatus[] | null,
    pairs: string,
    window: Window<string>,
  ): Promise<HoldRead[]> {
    const placeOf = (seq: string | null) => (seq === null ? null : { seq: Number(seq) });
    const part = { ...window, after: placeOf(window.after), before: placeOf(window.before) };
    const options = { orderBy: { seq: 'desc' }, ...cursorOptions(part) } as const;
    const found = await this.database.em().find(Hold, having(accountId, statuses, pairs), options);
    return inReadingOrder(found, window).map(hold => holdOf(this.found(hold) as unknown as StoredHold));
  }

  countWithPairs(accountId: string, statuses: readonly HoldStatus[] | null, pairs: string): Promise<number> {
    return this.database.em().count(Hold, having(accountId, statuses, pairs));
  }

  /** Holds back what accounts have in their holds. */
  holdingBack(accounts: readonly Pick<AccountView, 'accountId' | 'heldMinor'>[]): SqlQuery {
    return this.holdBack(accounts.map(({ accountId, heldMinor }) => [accountId, heldMinor]));
  }

  /** Active holds whose time is over, of each program so many. */
  async due(ofEachProgram: number): Promise<DueHold[]> {
    const rows = await this.database.query<[string, string, string]>(DUE, [ofEachProgram]);
    return rows.map(([program, accountId, holdId]) => ({ program, accountId, holdId }));
  }
}

function having(accountId: string, statuses: readonly HoldStatus[] | null, pairs: string): FilterQuery<Hold> {
  const ids = `SELECT m.hold_id FROM hold m WHERE m.account_id = ? AND ${metadataCondition('account_id', '?', '?')}`;
  return {
    accountId,
    ...(statuses && { status: { $in: [...statuses] } }),
    [raw('hold_id')]: raw(`ANY (ARRAY(${ids}))`, [accountId, accountId, pairs]),
  };
}
