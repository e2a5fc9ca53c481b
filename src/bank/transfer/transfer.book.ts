import type { AccountView } from '../account/account.entity.js';
import { AccountNotFound } from '../account/account.errors.js';
import { usedBy, type LimitUse } from '../limit/limit.service.js';
import type { Caller } from '../../shared/caller.js';
import { metadataAfter } from '../../shared/metadata.js';
import {
  transferEntry,
  type LedgerAddition,
  type LedgerService,
  type OpenLedger,
  type TransferSide,
} from '../transaction/ledger.service.js';
import type { TransferRead } from './transfer.entity.js';
import type { NewTransfer } from './transfer.inputs.js';
import { SameAccount } from './transfer.errors.js';
import { recordedIdOf, transferOf, type StoredTransfer } from './transfer.record.js';
import type { MadeTransfer, TransferDraft } from './transfer.repository.js';
import {
  mustOwn,
  newAmountOf,
  payableTo,
  permitTransfer,
  repeatedTransfer,
  type MakingFacts,
  type TransferTerms,
} from './transfer.rules.js';

/** A locked account while transfers of one command move its money. */
interface OpenAccount {
  readonly ledger: OpenLedger;
  /** The use of its limits; null until money leaves it. */
  use: LimitUse | null;
}

/** The transfers of one command: each sees what those before it moved. */
export class TransferBook {
  private readonly accounts: ReadonlyMap<string, AccountView>;
  private readonly opened = new Map<string, OpenAccount>();
  private readonly byId = new Map<string, TransferRead>();
  private readonly transfers: MadeTransfer[] = [];

  /** `accounts`: those that exist in the program of the caller, locked. */
  constructor(
    private readonly ledgers: LedgerService,
    private readonly caller: Caller,
    accounts: readonly (AccountView | null)[],
    private readonly terms: Pick<TransferTerms, 'mayWait'> = { mayWait: true },
  ) {
    this.accounts = new Map(accounts.flatMap(account => (account ? [[account.accountId, account]] : [])));
  }

  /** The draft of all that were made. */
  get draft(): TransferDraft {
    const additions: LedgerAddition[] = [...this.opened.values()].map(({ ledger }) => ledger);
    return { transfers: this.transfers, additions };
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  /** The number of transfers that were made. */
  get count(): number {
    return this.transfers.length;
  }

  /**
   * Makes a transfer, or gives the one that is there with the same content. Nothing is added where it throws:
   * `SameAccount`, `AccountNotFound`, `PayeeMismatch`, and what `permitTransfer` throws.
   */
  make(input: NewTransfer, facts: MakingFacts): TransferRead {
    const { customerId } = this.caller;
    if (input.fromAccountId === input.toAccountId) throw new SameAccount();
    const from = this.present(input.fromAccountId);
    if (!from) throw new AccountNotFound(input.fromAccountId);
    mustOwn(customerId, from.accountId, facts.fromOwners);
    const to = payableTo(customerId, input.toAccountId, this.present(input.toAccountId), facts);
    const transferId = recordedIdOf(this.caller, input.transferId);
    const own = this.byId.get(transferId);
    const repeated = repeatedTransfer(own ? { recordedWith: own.accountId, recorded: own } : facts, input);
    if (repeated) return repeated;
    const amountMinor = newAmountOf(input, from.currency);
    const use = this.opened.get(from.accountId)?.use ?? facts.limits.use;
    const terms = { ...this.terms, isOfCustomer: customerId !== null };
    permitTransfer(from, to, amountMinor, { ...facts, limits: { ...facts.limits, use } }, terms);
    return this.add(from, to, amountMinor, { ...input, transferId }, facts, use);
  }

  private add(
    from: AccountView,
    to: AccountView,
    amountMinor: bigint,
    { transferId, description, memo, reference, metadata }: NewTransfer,
    facts: MakingFacts,
    use: LimitUse,
  ): TransferRead {
    const ends = { out: this.open(from), in: this.open(to) };
    ends.out.ledger.mayMove(-amountMinor);
    ends.in.ledger.mayMove(amountMinor);
    const { now } = facts.from;
    const content = { transferId, amountMinor, description: description || null, memo: memo || null };
    const entryOf = (side: TransferSide) => {
      const { local } = side === 'out' ? facts.from : facts.to;
      return ends[side].ledger.add(transferEntry(content, side, now, local));
    };
    const entries = [entryOf('out'), entryOf('in')] as const;
    ends.out.use = usedBy(use, amountMinor);
    const transfer: Omit<StoredTransfer, 'accountId' | 'seq'> = {
      ...content,
      program: this.caller.program,
      currency: from.currency,
      status: 'MADE',
      reference: reference || null,
      metadata: metadataAfter({}, metadata),
      fromAccountId: from.accountId,
      toAccountId: to.accountId,
      madeAt: now,
      reversedAt: null,
    };
    const rows = {
      from: transferOf({ ...transfer, accountId: from.accountId, seq: entries[0].seq }),
      to: transferOf({ ...transfer, accountId: to.accountId, seq: entries[1].seq }),
    };
    this.transfers.push({ rows, entries });
    this.byId.set(transferId, rows.from);
    return rows.from;
  }

  /** An account as it is after the transfers so far. */
  private present(accountId: string): AccountView | null {
    const account = this.accounts.get(accountId) ?? null;
    const head = this.opened.get(accountId)?.ledger.head;
    return account && head ? { ...account, balanceMinor: head.balanceMinor, lastSeq: head.lastSeq } : account;
  }

  private open(account: AccountView): OpenAccount {
    const { accountId } = account;
    let opened = this.opened.get(accountId);
    if (!opened) {
      opened = { ledger: this.ledgers.open(account, this.caller.program), use: null };
      this.opened.set(accountId, opened);
    }
    return opened;
  }
}
