import {
  CardNotFound,
  Refusal,
  type Caller,
  type Capture,
  type CardService,
  type HoldService,
  type HoldView,
  type NamedHold,
} from 'tillgate/noun';
import { SHOPS, amountOf } from './demo/demo-words.js';
import type { SandboxAccess } from './sandbox.access.js';
import type { SandboxDraw } from './sandbox.draw.js';
import { SeedUsed } from './sandbox.errors.js';
import type { PaymentWish } from './sandbox-postings.service.js';

const DAY_MS = 86_400_000;
/** The days for which an authorisation lasts unless the wish says otherwise. */
const AUTHORIZED_DAYS = 7;

export interface AuthorizationWish extends PaymentWish {
  /** The first active card of the account without it. */
  readonly cardId?: string | null;
  readonly expiresAt?: string | null;
}
export interface CaptureWish extends NamedHold {
  readonly accountId: string;
  readonly amount?: string | null;
  readonly keepRest?: boolean | null;
}
export type HoldWish = NamedHold & { readonly accountId: string };

/** Purchases by card, as the card network would tell of them: holds on the account. */
export class SandboxCardService {
  constructor(
    private readonly draw: SandboxDraw,
    private readonly access: SandboxAccess,
    private readonly cards: CardService,
    private readonly holds: HoldService,
  ) {}

  /** Throws what placing a hold throws, and `SeedUsed`. */
  async authorize(caller: Caller, wish: AuthorizationWish): Promise<HoldView> {
    const { accountId, description, seed } = wish;
    const sender = caller.sending({ simulation: 'card-authorization', ...wish });
    const { currency } = await this.access.account(caller, accountId);
    const cardId = wish.cardId ?? (await this.cards.firstActive(accountId))?.cardId;
    if (cardId === undefined) throw new CardNotFound();
    const { id, random, now } = await this.draw.next(caller.program, 'card-authorization', seed);
    const shop = random.pick(SHOPS);
    const drawnAmount = amountOf(random.between(350, 14_000) / 100, currency);
    const input = {
      holdId: id,
      cardId,
      amount: wish.amount ?? drawnAmount,
      description: description || shop,
      expiresAt: wish.expiresAt ?? new Date(Date.parse(now) + AUTHORIZED_DAYS * DAY_MS).toISOString(),
    };
    try {
      return await this.holds.place(sender, accountId, { ...input, isOwnId: true });
    } catch (error) {
      throw error instanceof Refusal && error.code === 'hold_exists' ? new SeedUsed() : error;
    }
  }

  /** Throws what capturing a hold throws. */
  capture(caller: Caller, { accountId, holdId, amount = null, keepRest }: CaptureWish): Promise<HoldView> {
    const capture: Capture = { holdId, amount, keepRest: keepRest ?? false };
    return this.holds.capture(caller, accountId, capture);
  }

  /** Throws what releasing a hold throws. */
  async reverse(caller: Caller, { accountId, holdId }: HoldWish): Promise<HoldView> {
    await this.access.account(caller, accountId);
    return this.holds.release(caller, accountId, { holdId });
  }

  /** Ends a hold as if its time were over. Throws `AccountNotFound`, `HoldNotFound`, `HoldEnded`. */
  expire(caller: Caller, { accountId, holdId }: HoldWish): Promise<HoldView> {
    return this.holds.expireEarly(caller, accountId, { holdId });
  }
}
