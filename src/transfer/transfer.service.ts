import type { AccountView } from '../account/account.entity.js';
import { ReasonInput, type AccountCommand, type AccountService } from '../account/account.service.js';
import { brokenRules } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import { reversingTransfers, type TransferReversal } from './transfer.reversal.js';
import type { CommandRequest, PreparedCommand } from '../platform/command/command.js';
import type { StatementSender } from '../platform/database/transaction.js';
import { listing, type Cursors } from '../platform/repository/listing.js';
import type { Caller } from '../shared/caller.js';
import { BANK_ID } from '../shared/ids.js';
import { shortDecimal } from '../shared/money.js';
import type { CursorRequest, Listing, Page, PageRequest } from '../shared/page.js';
import {
  transferEntry,
  transferEntryId,
  type LedgerPresent,
  type LedgerService,
} from '../transaction/ledger.service.js';
import type { TransferRead, TransferView } from './transfer.entity.js';
import { SameAccount, TransferNotFound } from './transfer.errors.js';
import { eventsOf } from './transfer.events.js';
import type { TransferInput } from './transfer.inputs.js';
import { shown, transferOf, type StoredTransfer } from './transfer.record.js';
import type { TransferDraft, TransferRepository } from './transfer.repository.js';
import { mustBePayable, newAmountOf, permitTransfer, repeatedTransfer, type MakingFacts } from './transfer.rules.js';
import { MAKE_TRANSFER, READ_TRANSFERS } from './transfer.operations.js';

const CURSORS: Cursors<TransferRead> = { form: /^[1-9]\d{0,15}$/, placeOf: ({ seq }) => String(seq) };

/** Money that goes from one account of a program to another. */
export class TransferService {
  private readonly making: AccountCommand<TransferInput, TransferView>;
  private readonly reversing: AccountCommand<TransferReversal, TransferView>;

  constructor(
    private readonly repository: TransferRepository,
    private readonly accounts: AccountService,
    private readonly ledger: LedgerService,
  ) {
    this.making = this.command();
    this.reversing = reversingTransfers(repository, accounts, ledger);
  }

  /** Throws what a caller may not do, before the input of a transfer is read. */
  allow(caller: Caller): void {
    this.making.allow(caller, null);
  }

  /**
   * Moves money. The same transfer again is given back as it stands. Throws `SameAccount`, `AccountNotFound`,
   * `TransferMismatch`, `AccountClosed`, `AccountRestricted`, `CurrencyMismatch`, `InsufficientFunds`, `InvalidInput`.
   */
  async make(caller: Caller, input: TransferInput, dryRun: boolean): Promise<TransferView> {
    this.allow(caller);
    if (input.fromAccountId === input.toAccountId) throw new SameAccount();
    return this.making(caller, input.fromAccountId, input, dryRun);
  }

  /** Throws what a caller may not do, before the input of a reversal is read. */
  allowReversal(caller: Caller): void {
    this.reversing.allow(caller, null);
  }

  /**
   * Takes a transfer back, once: both accounts get a transaction in the other direction. Throws `TransferNotFound`,
   * `AccountClosed`, `AlreadyReversed`, `TransactionMismatch`, `InvalidInput`.
   */
  async reverse(caller: Caller, transferId: string, reason: string, dryRun: boolean): Promise<TransferView> {
    this.allowReversal(caller);
    const broken = brokenRules(Object.assign(new ReasonInput(), { reason }), '');
    if (broken.length > 0) throw new InvalidInput('rule_broken', broken);
    const found = BANK_ID.test(transferId) ? await this.repository.findNow(caller.program, transferId) : null;
    if (!found) throw new TransferNotFound();
    const { fromAccountId, toAccountId } = found;
    return this.reversing(caller, fromAccountId, { transferId, toAccountId, reason }, dryRun);
  }

  /** The transfers of an account that the caller sees, newest first. Throws `InvalidInput`. */
  list(caller: Caller, { accountId }: AccountView, request: CursorRequest): Listing<TransferView> {
    caller.require(READ_TRANSFERS);
    return listing(this.repository, CURSORS, { parent: accountId, request }, (transfer): TransferView => transfer);
  }

  /** A page by offset of the transfers of an account. Throws `AccountNotFound`. */
  async page(caller: Caller, accountId: string, { offset, limit }: PageRequest): Promise<Page<TransferView>> {
    caller.require(READ_TRANSFERS);
    await this.accounts.mustSee(caller, accountId);
    const page = { parent: accountId, skip: offset, size: limit, includeLazyColumns: false };
    const [transfers, total] = await Promise.all([this.repository.page(page), this.repository.count(accountId)]);
    return { items: transfers.map(shown), total };
  }

  /** A transfer of which the caller sees one account at least, or null. */
  async find(caller: Caller, transferId: string): Promise<TransferView | null> {
    caller.require(READ_TRANSFERS);
    if (!BANK_ID.test(transferId)) return null;
    const transfer = await this.repository.find(caller.program, transferId);
    if (!transfer) return null;
    const ends = [transfer.fromAccountId, transfer.toAccountId];
    const seen = await Promise.all(
      ends.map(accountId => this.accounts.within(caller, READ_TRANSFERS, accountId, async account => account)),
    );
    return seen.some(account => account !== null) ? transfer : null;
  }

  /** Throws `TransferNotFound`. */
  async get(caller: Caller, transferId: string): Promise<TransferView> {
    const found = await this.find(caller, transferId);
    if (!found) throw new TransferNotFound();
    return shown(found);
  }

  private command(): AccountCommand<TransferInput, TransferView> {
    return this.accounts.command<TransferInput, MakingFacts, TransferView, TransferDraft>(MAKE_TRANSFER, {
      recorded: ({ input: { fromAccountId, toAccountId, transferId, amount, description, memo, reference } }) => ({
        fromAccountId,
        toAccountId,
        transferId,
        amount: shortDecimal(amount),
        description: description || null,
        memo: memo || null,
        reference: reference || null,
      }),
      others: ({ toAccountId }) => [toAccountId],
      know: (transaction, asked) => this.know(transaction, asked),
      permit: (from, facts, { caller, input }, [to]) => {
        mustBePayable(caller.customerId, to as AccountView, facts);
        const repeated = repeatedTransfer(facts, input);
        if (repeated) return unchanged(repeated);
        return this.made(caller, input, facts, from, to as AccountView);
      },
      write: done => [
        ...this.repository.adding(done.map(({ draft }) => draft.rows)),
        ...this.ledger.writing(done.flatMap(({ draft }) => draft.additions)),
      ],
      event: ({ result, draft }) => eventsOf(result, draft.additions),
    });
  }

  private made(
    { program, customerId }: Caller,
    input: TransferInput,
    facts: MakingFacts,
    from: AccountView,
    to: AccountView,
  ): PreparedCommand<TransferView, TransferDraft> {
    const { transferId, description, memo, reference } = input;
    const amountMinor = newAmountOf(input, from.currency);
    permitTransfer(from, to, amountMinor, facts, customerId !== null);
    const content = { transferId, amountMinor, description: description || null, memo: memo || null };
    const { now } = facts.from;
    const transfer: Omit<StoredTransfer, 'accountId' | 'seq'> = {
      ...content,
      program,
      currency: from.currency,
      status: 'MADE',
      reference: reference || null,
      fromAccountId: from.accountId,
      toAccountId: to.accountId,
      madeAt: now,
      reversedAt: null,
    };
    const rowOf = ({ accountId, lastSeq }: AccountView) => transferOf({ ...transfer, accountId, seq: lastSeq + 1 });
    const additions = [
      this.ledger.adding(from, program, [transferEntry(content, 'out', now, facts.from.local)]),
      this.ledger.adding(to, program, [transferEntry(content, 'in', now, facts.to.local)]),
    ];
    const rows = { from: rowOf(from), to: rowOf(to) };
    return { result: shown(rows.from), draft: { rows, additions } };
  }

  private async know(
    transaction: StatementSender,
    asked: readonly CommandRequest<TransferInput>[],
  ): Promise<MakingFacts[]> {
    const inputs = asked.map(({ input }) => input);
    const present = (['fromAccountId', 'toAccountId'] as const).flatMap(end =>
      inputs.map(input => ({ accountId: input[end], transactionIds: entryIdsOf(input) })),
    );
    const [recordedWith, recorded, ledgers, rules, payees] = await Promise.all([
      this.repository.accountsOf(
        transaction,
        asked.map(({ caller: { program }, input: { transferId } }) => ({ program, transferId })),
      ),
      this.repository.each(
        transaction,
        inputs.map(({ fromAccountId, transferId }) => [fromAccountId, transferId]),
      ),
      this.ledger.present(transaction, present),
      this.ledger.rules(
        transaction,
        asked.map(({ caller }) => caller.program),
      ),
      asked.some(({ caller }) => caller.customerId !== null)
        ? this.accounts.repository.ownersOf(
            transaction,
            inputs.map(({ toAccountId }) => toAccountId),
          )
        : [],
    ]);
    return rules.map((ofProgram, index) => ({
      recordedWith: recordedWith[index] ?? null,
      recorded: recorded[index] ?? null,
      from: ledgers[index] as LedgerPresent,
      to: ledgers[inputs.length + index] as LedgerPresent,
      rules: ofProgram,
      payees: payees[index] ?? [],
    }));
  }
}

function entryIdsOf({ transferId }: TransferInput): string[] {
  return [transferEntryId(transferId, 'out'), transferEntryId(transferId, 'in')];
}

function unchanged(transfer: TransferRead): PreparedCommand<TransferView, TransferDraft> {
  return {
    result: shown(transfer),
    draft: { rows: { from: transfer, to: transfer }, additions: [] },
    isUnchanged: true,
  };
}
