import { randomUUID } from 'node:crypto';
import type { AccountView } from '../account/account.entity.js';
import { mustBeOpen } from '../account/account.errors.js';
import { type AccountCommand, type AccountService } from '../account/account.service.js';
import { waitsForAgents, type CommandRequest } from '../../platform/command/command.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { Draft } from '../../platform/repository/batched-repository.js';
import { pick } from '../../platform/repository/fields.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID, UUID_TEXT } from '../../shared/ids.js';
import { mask } from '../../shared/mask.js';
import { hasPairs, metadataAfter } from '../../shared/metadata.js';
import { firstVersion, mustBeExpected, nextVersion, type VersionCondition } from '../../shared/version.js';
import { CARD_FIELDS, FINAL_STATUSES, type CardLoss, type CardStatus, type CardView } from './card.entity.js';
import {
  CardExists,
  CardNotFound,
  CardStateConflict,
  MAX_CARDS,
  TooManyCards,
  UnknownCardHolder,
} from './card.errors.js';
import { cardFacts } from './card.events.js';
import { CardClosing } from './card.closing.js';
import { CardErasure } from './card.erasure.js';
import type { CardFilter, NewCard } from './card.inputs.js';
import { CardRepository, type NewCardFacts } from './card.repository.js';
import type { CardVault } from './card.vault.js';
import { CARD_STEPS, CREATE_CARD, READ_CARDS, REPORT_CARD } from './card.operations.js';
import type { DeclaredOperation } from '../../shared/operation.js';

export type { HeldCard } from './card.erasure.js';

/** The statuses from which each step of a card's life begins, and the one to which it leads. */
const STEPS = {
  activate: { from: ['INACTIVE'], to: 'ACTIVE' },
  freeze: { from: ['ACTIVE'], to: 'FROZEN' },
  unfreeze: { from: ['FROZEN'], to: 'ACTIVE' },
  close: { from: ['INACTIVE', 'ACTIVE', 'FROZEN'], to: 'CLOSED' },
} as const satisfies Record<string, { from: readonly CardStatus[]; to: CardStatus }>;
export type CardStep = keyof typeof STEPS;

/** A card, and the status that it is to have. */
interface Move extends VersionCondition {
  readonly cardId: string;
  readonly to: CardStatus;
}

export class CardService {
  private readonly repository = new CardRepository(this.database, this.keys);
  /** For commands on accounts. */
  readonly ofAccounts = new CardClosing(this.repository);
  /** For the end of personal data. */
  readonly ofPeople = new CardErasure(this.vault);

  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
    private readonly accounts: AccountService,
    private readonly vault: CardVault,
  ) {}

  private readonly creating = this.accounts.command<NewCard, NewCardFacts, CardView, Draft>(CREATE_CARD, {
    recorded: ({ accountId, input }) => {
      const { number, type, currency, expiration, cardProductId } = input;
      const { pin = null, cardId = null, status = null, created = null } = input;
      const metadata = metadataAfter({}, input.metadata);
      const cardHolderId = input.cardHolderId.toLowerCase();
      // The CVV is not even part of what a repeated request is compared by: nothing of it may be kept.
      const fixed = { accountId, type, number, currency, expiration, cardHolderId, cardProductId };
      return { ...fixed, cardId, pin, status, created, metadata };
    },
    readFacts: (transaction, requests) => this.readFacts(transaction, requests),
    prepare: ({ accountId, input }) => {
      const { number, type, currency, expiration, cardProductId, pin = null, status, created } = input;
      const cardId = input.cardId ?? randomUUID();
      const first = firstVersion();
      const card: CardView = {
        accountId,
        cardId,
        type,
        number: mask(number),
        last4: number.slice(-4),
        currency,
        expiration,
        cardHolderId: input.cardHolderId.toLowerCase(),
        cardProductId,
        pinIsSet: pin !== null,
        status: status ?? 'INACTIVE',
        created: created ?? first.updatedAt,
        metadata: metadataAfter({}, input.metadata),
        ...first,
      };
      return { result: card, draft: this.repository.draft({ ...card, ...this.vault.keep(card, number, pin) }) };
    },
    permit: (account, { hasHolder, cards, isTaken }) => {
      mustBeOpen(account);
      if (!hasHolder) throw new UnknownCardHolder();
      if (cards >= MAX_CARDS) throw new TooManyCards();
      if (isTaken) throw new CardExists();
    },
    // Two requests for the same number through different accounts hold different locks. The index refuses one, which
    // runs again and finds it taken.
    write: accepted => [this.repository.insertion(accepted.map(({ draft }) => draft))],
    event: ({ result }) => cardFacts(result, null),
  });

  /**
   * Throws `AccountNotFound`, `AccountClosed`, `AccountRestricted`, `UnknownCardHolder`, `CardExists`, `TooManyCards`.
   */
  async create(caller: Caller, accountId: string, input: NewCard, dryRun = false): Promise<CardView> {
    return await this.creating(caller, accountId, input, dryRun);
  }

  private readonly moving = this.repository.updating(['status', 'updatedAt']);
  private readonly steps: Readonly<Record<CardStep, AccountCommand<Move, CardView>>> = {
    activate: this.step('activate'),
    freeze: this.step('freeze'),
    unfreeze: this.step('unfreeze'),
    close: this.step('close'),
  };

  /**
   * A step of a card's life. Throws `AccountNotFound`, `CardNotFound`, `PreconditionFailed`, `CardStateConflict`.
   */
  async take(
    caller: Caller,
    step: CardStep,
    accountId: string,
    cardId: string,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<CardView> {
    return await this.steps[step](caller, accountId, { cardId, to: STEPS[step].to, ...expected }, dryRun);
  }

  private readonly reporting = this.move(REPORT_CARD, status => !FINAL_STATUSES.has(status));

  /**
   * The card is gone: lost or stolen, for good. Throws `AccountNotFound`, `CardNotFound`, `PreconditionFailed`,
   * `CardStateConflict`.
   */
  async report(
    caller: Caller,
    accountId: string,
    cardId: string,
    loss: CardLoss,
    expected: VersionCondition = {},
    dryRun = false,
  ): Promise<CardView> {
    return await this.reporting(caller, accountId, { cardId, to: loss, ...expected }, dryRun);
  }

  /** The cards of an account that the caller sees, the oldest first. */
  async list(caller: Caller, { accountId }: AccountView, filter: CardFilter = {}): Promise<CardView[]> {
    caller.require(READ_CARDS);
    const page = { parent: accountId, skip: 0, size: MAX_CARDS, includeLazyColumns: false };
    const cards = await this.repository.page(page);
    const { statuses, metadata } = filter;
    return cards.filter(card => (statuses?.includes(card.status) ?? true) && hasPairs(card.metadata, metadata));
  }

  /** The cards that a customer of the caller's program holds, in whatever accounts. */
  async heldBy(caller: Caller, customerId: string): Promise<CardView[]> {
    caller.require(READ_CARDS);
    return this.repository.heldBy(customerId);
  }

  /** The oldest card of an account with which can be paid, or null. */
  async firstActive(accountId: string): Promise<CardView | null> {
    const cards = await this.repository.page({
      parent: accountId,
      skip: 0,
      size: MAX_CARDS,
      includeLazyColumns: false,
    });
    return cards.find(({ status }) => status === 'ACTIVE') ?? null;
  }

  /** One card of an account that the caller sees, or null. */
  async find(caller: Caller, account: AccountView, cardId: string): Promise<CardView | null> {
    return (await this.list(caller, account)).find(card => card.cardId === cardId) ?? null;
  }

  /** Throws `AccountNotFound`, `CardNotFound`. */
  async get(caller: Caller, accountId: string, cardId: string): Promise<CardView> {
    caller.require(READ_CARDS);
    const card = await this.find(caller, await this.accounts.mustSee(caller, accountId), cardId);
    if (!card) throw new CardNotFound();
    return card;
  }

  private async readFacts(
    transaction: StatementSender,
    requests: readonly CommandRequest<NewCard>[],
  ): Promise<NewCardFacts[]> {
    const keys = requests.map(({ accountId, caller, input: { cardId, cardHolderId, number } }) => ({
      account_id: accountId,
      program: caller.program,
      card_id: cardId ?? null,
      holder: UUID_TEXT.test(cardHolderId.toLowerCase()) ? cardHolderId : null,
      digests: this.vault.digestsOf(number).map(digest => digest.toString('base64')),
    }));
    return this.repository.deciding(transaction, keys);
  }

  private step(step: CardStep): AccountCommand<Move, CardView> {
    const from: readonly CardStatus[] = STEPS[step].from;
    return this.move(CARD_STEPS[step], status => from.includes(status));
  }

  /** A command that gives a card another status. */
  private move(operation: DeclaredOperation, isAllowed: (from: CardStatus) => boolean): AccountCommand<Move, CardView> {
    return this.accounts.command<Move, CardView | null, CardView, Draft>(operation, {
      readFacts: (transaction, requests) =>
        this.repository.each(
          transaction,
          requests.map(({ accountId, input: { cardId } }) => [accountId, BANK_ID.test(cardId) ? cardId : null]),
        ),
      permit: (_account, card, { input }) => {
        if (!card) throw new CardNotFound();
        mustBeExpected(card, input);
        const { to } = input;
        if (!isAllowed(card.status)) throw new CardStateConflict();
        const { accountId, cardId } = card;
        const result = { ...pick<CardView>(card, CARD_FIELDS), status: to, ...nextVersion(card) };
        const draft = { account_id: accountId, card_id: cardId, status: to, updated_at: result.updatedAt };
        return { result, draft };
      },
      write: accepted => [this.moving(accepted.map(({ draft }) => draft))],
      event: ({ fact, result }) => cardFacts(result, fact?.status ?? null),
      approval: waitsForAgents(({ fact, input: { cardId, to } }) => [
        { field: `cards/${cardId}/status`, before: fact?.status ?? null, after: to },
      ]),
    });
  }
}
