import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import { batcher } from '../platform/repository/batcher.js';
import { byOrdinal, type WithOrdinal } from '../platform/repository/by-ordinal.js';
import type { Database } from '../platform/database/orm.js';
import { isUniqueViolation } from '../../lib/pg-wire/pg-errors.js';
import type { Caller } from '../shared/caller.js';
import { mask } from '../shared/mask.js';
import { Card, type CardLoss, type CardStatus, type CardView } from './card.entity.js';
import {
  CardExists,
  CardNotFound,
  CardStateConflict,
  MAX_CARDS,
  TooManyCards,
  UnknownCardHolder,
} from './card.errors.js';
import type { CardInput } from './card.inputs.js';
import { CARD_COLUMNS, cardOf, type CardRow } from './card.row.js';
import type { CardVault } from './card.vault.js';
import { BANK_ID, UUID_TEXT } from '../shared/ids.js';

const OF_ACCOUNTS = {
  name: 'cards_of_accounts',
  text: `SELECT ${CARD_COLUMNS}, k.n::int FROM unnest($1::text[]) WITH ORDINALITY k(account_id, n)
    CROSS JOIN LATERAL (SELECT * FROM card c WHERE c.account_id = k.account_id ORDER BY c.created, c.card_id LIMIT ${MAX_CARDS}) c
    ORDER BY k.n, c.created, c.card_id`,
};

const TAKEN = `SELECT FROM card WHERE (account_id = ? AND card_id = ?)
  OR number_digest IN (SELECT card_number_digest(decode(value, 'base64'), ?) FROM jsonb_array_elements_text(?::jsonb)) LIMIT 1`;

const FINAL: ReadonlySet<CardStatus> = new Set(['LOST', 'STOLEN', 'CLOSED']);

/** What each step of a card's life begins from, and where it leads. */
const STEPS = {
  activate: { from: ['INACTIVE'], to: 'ACTIVE' },
  freeze: { from: ['ACTIVE'], to: 'FROZEN' },
  unfreeze: { from: ['FROZEN'], to: 'ACTIVE' },
  close: { from: ['INACTIVE', 'ACTIVE', 'FROZEN'], to: 'CLOSED' },
} as const satisfies Record<string, { from: readonly CardStatus[]; to: CardStatus }>;
export type CardStep = keyof typeof STEPS;

export class CardService {
  private readonly ofAccount = batcher<string, CardView[]>(async accountIds => {
    const rows = await this.database.queryTogether<WithOrdinal<CardRow>>(OF_ACCOUNTS, [accountIds]);
    return byOrdinal(rows, accountIds.length, cardOf);
  });

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly owners: OwnerService,
    private readonly vault: CardVault,
  ) {}

  /** The cards of an account that the caller sees, the oldest first. */
  async list(caller: Caller, { accountId }: AccountView): Promise<CardView[]> {
    caller.require('cards.read');
    return this.ofAccount(accountId);
  }

  /** One card of an account that the caller sees, or null. */
  async find(caller: Caller, account: AccountView, cardId: string): Promise<CardView | null> {
    return (await this.list(caller, account)).find(card => card.cardId === cardId) ?? null;
  }

  /** Throws `AccountNotFound`, `CardNotFound`. */
  async get(caller: Caller, accountId: string, cardId: string): Promise<CardView> {
    caller.require('cards.read');
    const card = await this.find(caller, await this.accounts.mustSee(caller, accountId), cardId);
    if (!card) throw new CardNotFound();
    return card;
  }

  /** Throws `AccountNotFound`, `UnknownCardHolder`, `CardExists`, `TooManyCards`. */
  create(caller: Caller, input: CardInput): Promise<CardView> {
    const { accountId, number, pin = null, type, currency, expiration, cardProductId } = input;
    const cardHolderId = input.cardHolderId.toLowerCase();
    const { cardId = null, status = null, created = null } = input;
    // The CVV is not even part of what a retry is compared by: nothing of it may be kept.
    const asked = {
      accountId,
      cardId,
      type,
      number,
      currency,
      expiration,
      cardHolderId,
      cardProductId,
      pin,
      status,
      created,
    };
    const command = { name: 'card.create', scope: 'cards.write' as const, accountId, input: asked, event };
    return this.accounts.change(caller, command, async em => {
      const holders = UUID_TEXT.test(cardHolderId)
        ? await this.owners.inProgram(em, caller.program, [cardHolderId])
        : new Map();
      if (!holders.has(cardHolderId)) throw new UnknownCardHolder();
      if ((await em.count(Card, { accountId })) >= MAX_CARDS) throw new TooManyCards();
      const id = cardId ?? randomUUID();
      const digests = this.vault.digestsOf(number).map(digest => digest.toString('base64'));
      const taken = await em.execute(TAKEN, [accountId, id, caller.program, JSON.stringify(digests)]);
      if (taken.length > 0) throw new CardExists();
      const card = em.create(
        Card,
        {
          ...{ accountId, cardId: id, type, currency, expiration, cardHolderId, cardProductId },
          ...{ number: mask(number), last4: number.slice(-4), pinIsSet: pin !== null },
          ...{ status: status ?? 'INACTIVE', created: created === null ? new Date() : new Date(created) },
          ...this.vault.keep({ accountId, cardId: id }, number, pin),
        },
        { persist: true },
      );
      // Two requests for the same number through different accounts hold different locks; the index decides.
      await em.flush().catch((error: unknown) => {
        throw isUniqueViolation(error) ? new CardExists() : error;
      });
      return shown(card);
    });
  }

  /** A step of a card's life. Throws `AccountNotFound`, `CardNotFound`, `CardStateConflict`. */
  take(caller: Caller, step: CardStep, accountId: string, cardId: string): Promise<CardView> {
    const { from, to }: { from: readonly CardStatus[]; to: CardStatus } = STEPS[step];
    return this.move(caller, `card.${step}`, accountId, cardId, to, status => from.includes(status));
  }

  /** The card is gone: lost or stolen, for good. Throws `AccountNotFound`, `CardNotFound`, `CardStateConflict`. */
  report(caller: Caller, accountId: string, cardId: string, loss: CardLoss): Promise<CardView> {
    return this.move(caller, 'card.report', accountId, cardId, loss, status => !FINAL.has(status));
  }

  private move(
    caller: Caller,
    name: string,
    accountId: string,
    cardId: string,
    to: CardStatus,
    isAllowed: (from: CardStatus) => boolean,
  ): Promise<CardView> {
    const command = { name, scope: 'cards.write' as const, accountId, input: { accountId, cardId, to }, event };
    return this.accounts.change(caller, command, async em => {
      const card = await findCard(em, accountId, cardId);
      if (!isAllowed(card.status)) throw new CardStateConflict();
      card.status = to;
      return shown(card);
    });
  }
}

async function findCard(em: EntityManager, accountId: string, cardId: string): Promise<Card> {
  const card = BANK_ID.test(cardId) ? await em.findOne(Card, { accountId, cardId }) : null;
  if (!card) throw new CardNotFound();
  return card;
}

function event({ cardId, type, status, last4 }: CardView): {
  object: string;
  data: { type: string; status: string; last4: string };
} {
  return { object: `card/${cardId}`, data: { type, status, last4 } };
}

function shown(card: Card): CardView {
  const {
    accountId,
    cardId,
    type,
    number,
    last4,
    currency,
    expiration,
    cardHolderId,
    cardProductId,
    pinIsSet,
    status,
  } = card;
  return {
    ...{ accountId, cardId, type, number, last4, currency, expiration, cardHolderId, cardProductId, pinIsSet, status },
    created: card.created.toISOString(),
  };
}
