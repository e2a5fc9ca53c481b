import {
  BANK_ID,
  decimalOf,
  derivedDescription,
  type Caller,
  type Database,
  type PostingService,
  type TransactionView,
} from 'tillgate/noun';
import { ACH_RETURNS, type AchReturnCode } from './sandbox.entity.js';
import { AlreadyReturned, SeedUsed, UnfitTransaction } from './sandbox.errors.js';
import { idAfter, type SandboxDraw } from './sandbox.draw.js';
import type { SandboxAccess } from './sandbox.access.js';
import type { PaymentWish, SandboxPosting, SandboxPostingService } from './sandbox-postings.service.js';

export interface ReturnWish {
  readonly accountId: string;
  readonly transactionId: string;
  readonly code: AchReturnCode;
}
export interface RefundWish extends PaymentWish {
  readonly transactionId: string;
}

type ReturnableTransaction = Awaited<ReturnType<PostingService['repository']['referenced']>>[number];
type Entry = NonNullable<ReturnableTransaction['entry']>;

/** Payments that come back: a new transaction, linked to the one that it takes back. */
export class SandboxReturnService {
  constructor(
    private readonly database: Database,
    private readonly draw: SandboxDraw,
    private readonly access: SandboxAccess,
    private readonly posting: PostingService,
    private readonly postings: SandboxPostingService,
  ) {}

  /** Returns an ACH payment, once. Throws `AccountNotFound`, `AccountClosed`, `AlreadyReturned`, `UnfitTransaction`. */
  async achReturn(caller: Caller, wish: ReturnWish): Promise<TransactionView> {
    const { accountId, transactionId, code } = wish;
    const sender = caller.sending({ simulation: 'ach-return', ...wish });
    const { currency } = await this.access.account(caller, accountId);
    const { entry: original } = await this.original(accountId, transactionId);
    if (original.category !== 'ACH' || original.transactionType === 'RETURN') throw new UnfitTransaction();
    const { now } = await this.draw.next(caller.program, 'ach-return', null);
    const posting: SandboxPosting = {
      transactionId: idAfter('ach-return', transactionId),
      referenceTransactionId: transactionId,
      amount: decimalOf(original.amountMinor, currency),
      category: 'ACH',
      transactionType: 'RETURN',
      status: 'POSTED',
      debitCreditMemo: original.debitCreditMemo === 'CREDIT' ? 'DEBIT' : 'CREDIT',
      reference: original.reference,
      description: derivedDescription('Returned: ', wordsOf(original)),
      memo: ACH_RETURNS[code],
      transactionTimestamp: now,
      postedTimestamp: now,
      additionalInformation: [
        {
          key: 'returnCode',
          value: code,
        },
      ],
    };
    return this.postings.post(sender, accountId, posting, () => new AlreadyReturned());
  }

  /**
   * Refunds a purchase by card: what is left of it, or a part. Throws what a payment throws, `UnfitTransaction`,
   * `BeyondTransaction`.
   */
  async cardRefund(caller: Caller, wish: RefundWish): Promise<TransactionView> {
    const { accountId, transactionId, amount, description, seed } = wish;
    const sender = caller.sending({ simulation: 'card-refund', ...wish });
    const { currency } = await this.access.account(caller, accountId);
    const { entry: original, creditMinor: refundedMinor } = await this.original(accountId, transactionId);
    if (original.category !== 'CARD' || original.debitCreditMemo !== 'DEBIT') throw new UnfitTransaction();
    // Refused for what it would have been: nothing is left to refund.
    const leftMinor =
      refundedMinor < original.amountMinor ? original.amountMinor - refundedMinor : original.amountMinor;
    const { id, now } = await this.draw.next(caller.program, 'card-refund', seed);
    const posting: SandboxPosting = {
      transactionId: id,
      referenceTransactionId: transactionId,
      reference: original.reference,
      amount: amount ?? decimalOf(leftMinor, currency),
      debitCreditMemo: 'CREDIT',
      category: 'CARD',
      transactionType: 'REFUND',
      status: 'POSTED',
      description: description ?? derivedDescription('', wordsOf(original), ', returned'),
      transactionTimestamp: now,
      postedTimestamp: now,
    };
    return this.postings.post(sender, accountId, posting, () => new SeedUsed());
  }

  /**
   * The posted one, and what was given back of it. It never changes, so it is read before the account is locked. Throws
   * `UnfitTransaction`.
   */
  private async original(
    accountId: string,
    transactionId: string,
  ): Promise<ReturnableTransaction & { readonly entry: Entry }> {
    if (!BANK_ID.test(transactionId)) throw new UnfitTransaction();
    const [found] = await this.posting.repository.referenced(this.database, [{ accountId, transactionId }]);
    if (found?.entry?.status !== 'POSTED') throw new UnfitTransaction();
    return { ...found, entry: found.entry };
  }
}

function wordsOf({ description, transactionType }: Entry): string {
  return description || transactionType;
}
