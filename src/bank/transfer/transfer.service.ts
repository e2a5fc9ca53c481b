import type { AccountView } from '../account/account.entity.js';
import { type AccountService } from '../account/account.service.js';
import { Refusal } from '../../shared/errors.js';
import type { Database } from '../../platform/database/orm.js';
import { TransferList } from './transfer.list.js';
import { reversingTransfers } from './transfer.reversal.js';
import type { LimitService } from '../limit/limit.service.js';
import { listing, type Cursors } from '../../platform/repository/listing.js';
import type { Caller } from '../../shared/caller.js';
import { BANK_ID } from '../../shared/ids.js';
import type { CursorRequest, Listing, Page, PageRequest } from '../../shared/page.js';
import type { LedgerService } from '../transaction/ledger.service.js';
import { TransferMaking } from './transfer.making.js';
import type { TransferRead, TransferResultView, TransferView } from './transfer.entity.js';
import { SameAccount, TransferNotFound } from './transfer.errors.js';
import { type NewTransfer, type TransferInput } from './transfer.inputs.js';
import { recordedIdOf, shown } from './transfer.record.js';
import type { TransferRepository } from './transfer.repository.js';
import { MAKE_TRANSFER, READ_TRANSFERS } from './transfer.operations.js';

const CURSORS: Cursors<TransferRead> = { form: /^[1-9]\d{0,15}$/, placeOf: ({ seq }) => String(seq) };

/** Limits names of payees that are compared, and puts them on record. */
export interface PayeeNames {
  /** Throws what `SearchRecords.takePayees` throws. */
  takePayees(caller: Caller, names: number): Promise<void>;
  addPayees(caller: Caller, names: number, mismatches: number): Promise<void>;
}

const MISMATCH = 'payee_mismatch';
const NOT_FOUND = 'account_not_found';

/** Money that goes from one account of a program to another. */
export class TransferService {
  /** The lists for operators. */
  readonly ofProgram = new TransferList(this.database, this.repository);
  readonly kinds = new TransferMaking(this.repository, this.accounts, this.ledger, this.limits);
  private readonly reversing = reversingTransfers(this.repository, this.accounts, this.ledger);

  constructor(
    private readonly database: Database,
    private readonly repository: TransferRepository,
    private readonly accounts: AccountService,
    private readonly ledger: LedgerService,
    private readonly limits: LimitService,
    private readonly names: PayeeNames,
  ) {}

  /**
   * Moves money. The same transfer again is given back as it stands. Throws `SameAccount`, `AccountNotFound`,
   * `PayeeMismatch`, `TransferMismatch`, `AccountClosed`, `AccountRestricted`, `CurrencyMismatch`, `LimitExceeded`,
   * `InsufficientFunds`, `ApprovalRequired`, `InvalidInput`.
   */
  async make(caller: Caller, input: NewTransfer, dryRun: boolean): Promise<TransferView> {
    this.kinds.making.allow(caller, null);
    if (input.fromAccountId === input.toAccountId) throw new SameAccount();
    const make = () => this.kinds.making(caller, input.fromAccountId, input, dryRun);
    try {
      return await this.comparingNames(caller, [input], make, () => 0);
    } catch (error) {
      // It says no more to the caller, and may be about an account of another program.
      if (error instanceof Refusal && error.code === MISMATCH) {
        this.accounts.refused({ caller, action: MAKE_TRANSFER.name, accountId: input.toAccountId, code: NOT_FOUND });
      }
      throw error;
    }
  }

  /**
   * Makes up to 100 transfers in their order, each of which is made or refused by itself, with those before it. They
   * are one command, with one idempotency key. Throws `InvalidInput`.
   */
  async makeSeveral(
    caller: Caller,
    inputs: readonly TransferInput[],
    dryRun: boolean,
  ): Promise<readonly TransferResultView[]> {
    const [first] = inputs;
    if (!first) return [];
    const results = await this.comparingNames(
      caller,
      inputs,
      () => this.kinds.makingSeveral(caller, first.fromAccountId, inputs, dryRun),
      made => made.filter(({ refusal }) => refusal?.code === MISMATCH).length,
    );
    const action = MAKE_TRANSFER.name;
    results.forEach(({ refusal }, index) => {
      const { fromAccountId, toAccountId } = inputs[index] as TransferInput;
      if (refusal?.code === NOT_FOUND || refusal?.code === MISMATCH) {
        for (const accountId of [fromAccountId, toAccountId]) {
          this.accounts.refused({ caller, action, accountId, code: NOT_FOUND });
        }
      } else if (refusal) this.accounts.refused({ caller, action, accountId: fromAccountId, code: refusal.code });
    });
    return results;
  }

  /**
   * Takes a transfer back, once: both accounts get a transaction in the other direction. Throws `TransferNotFound`,
   * also where the money went to another account than `receiver`, `AccountClosed`, `AlreadyReversed`,
   * `TransactionMismatch`, `InvalidInput`.
   */
  async reverse(
    caller: Caller,
    transferId: string,
    reason: string,
    dryRun: boolean,
    receiver: string | null = null,
  ): Promise<TransferView> {
    this.reversing.allow(caller, null);
    const found = BANK_ID.test(transferId) ? await this.repository.findNow(caller.program, transferId) : null;
    if (!found || found.toAccountId !== (receiver ?? found.toAccountId)) throw new TransferNotFound();
    const { fromAccountId, toAccountId } = found;
    return await this.reversing(caller, fromAccountId, { transferId, toAccountId, reason }, dryRun);
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

  /** A transfer of which the caller sees one account at least, or null. Customers name theirs as they sent it, too. */
  async find(caller: Caller, transferId: string): Promise<TransferView | null> {
    caller.require(READ_TRANSFERS);
    if (!BANK_ID.test(transferId)) return null;
    const { program, customerId } = caller;
    const own = customerId === null ? null : await this.repository.find(program, recordedIdOf(caller, transferId));
    const transfer = own ?? (await this.repository.find(program, transferId));
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

  /** Limits the names of payees that customers give, and puts them on record: of a known account they are guessed. */
  private async comparingNames<Result>(
    caller: Caller,
    inputs: readonly TransferInput[],
    make: () => Promise<Result>,
    mismatchesIn: (result: Result) => number,
  ): Promise<Result> {
    const names = caller.customerId === null ? 0 : inputs.filter(({ payeeLastName }) => payeeLastName).length;
    if (names === 0) return make();
    await this.names.takePayees(caller, names);
    let mismatches = 0;
    try {
      const result = await make();
      mismatches = mismatchesIn(result);
      return result;
    } catch (error) {
      if (error instanceof Refusal && error.code === MISMATCH) mismatches = names;
      throw error;
    } finally {
      await this.names.addPayees(caller, names, mismatches);
    }
  }
}
