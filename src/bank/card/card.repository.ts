import type { StatementPart } from '../../../lib/pg-wire/statement.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository, type Draft } from '../../platform/repository/batched-repository.js';
import { oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { Card, type CardView } from './card.entity.js';

// A number may be that of a card on another server, so the functions for one card ask the table of numbers.
const DECIDING_ONE = {
  name: 'cards_deciding/1',
  text: `SELECT d.has_holder, d.cards, d.is_taken, $6::int
    FROM card_deciding($1::text, $2::text, $3::text, $4::uuid, $5::text[]) d`,
};
const ADD_ONE = { name: 'card_insert/1', text: 'SELECT add_card($1::json)' };

// Commands of a group read theirs together: what decides about a card, of several tables.
const DECIDING = apart(
  {
    name: 'cards_deciding',
    text: `SELECT EXISTS (SELECT FROM customer c WHERE c.customer_id = k.holder AND c.program = k.program AND c.erased_at IS NULL FOR KEY SHARE),
        (SELECT count(*)::int FROM card c WHERE c.account_id = k.account_id),
        EXISTS (SELECT FROM card c WHERE c.account_id = k.account_id AND c.card_id = k.card_id)
          OR EXISTS (SELECT FROM card c WHERE c.number_digest IN
            (SELECT card_number_digest(decode(d, 'base64'), k.program) FROM unnest(k.digests) d)), k.n
      FROM json_to_recordset($1) k(n int, account_id text, program text, card_id text, holder uuid, digests text[])`,
  },
  ([keys]) =>
    (JSON.parse(keys as string) as (CardKey & { readonly n: number })[]).map(key => ({
      statement: DECIDING_ONE,
      values: [key.account_id, key.program, key.card_id, key.holder, key.digests, key.n],
    })),
);

/** A card that is to be created. */
export interface CardKey {
  readonly account_id: string;
  readonly program: string;
  readonly card_id: string | null;
  /** Null for what cannot be the id of a customer. */
  readonly holder: string | null;
  /** Every keyed digest of its number, base64. */
  readonly digests: readonly string[];
}

/** The facts that decide on a new card beside its account. */
export interface NewCardFacts {
  /** True if its holder is a customer of the program. */
  readonly hasHolder: boolean;
  /** The number of cards of the account. */
  readonly cards: number;
  /** True if the card's id or number is taken. */
  readonly isTaken: boolean;
}

export class CardRepository extends BatchedRepository<Card, CardView> {
  constructor(database: Database, keys: KeyRing) {
    super(database, Card, keys, { parent: 'accountId', order: ['created', 'cardId'], cursor: 'cardId' });
  }

  /** The cards that a customer holds, in whatever accounts. */
  async heldBy(cardHolderId: string): Promise<CardView[]> {
    const orderBy = { accountId: 'asc', cardId: 'asc' } as const;
    const found = await this.database.em().find(Card, { cardHolderId }, { orderBy });
    return found.map(card => this.found(card));
  }

  async deciding(transaction: StatementSender, cards: readonly CardKey[]): Promise<NewCardFacts[]> {
    const keys = cards.map((card, index) => ({ ...card, n: index + 1 }));
    const rows = await transaction.query<WithOrdinal<[boolean, number, boolean]>>(DECIDING, [JSON.stringify(keys)]);
    return oneByOrdinal(rows, cards.length, ([hasHolder, count, isTaken]) => ({
      hasHolder,
      cards: count,
      isTaken,
    })) as NewCardFacts[];
  }

  protected override insertionApart(drafts: readonly Draft[]): StatementPart[] {
    return drafts.map(draft => ({ statement: ADD_ONE, values: [JSON.stringify(draft)] }));
  }
}
