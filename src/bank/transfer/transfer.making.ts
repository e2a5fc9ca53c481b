import type { AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { Refusal } from '../../shared/errors.js';
import type { LimitFacts, LimitService } from '../limit/limit.service.js';
import type { CommandRequest, Work } from '../../platform/command/command.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import type { Caller } from '../../shared/caller.js';
import { decimalOf, isAboveAny, shortDecimal } from '../../shared/money.js';
import type { Plain } from '../../shared/json.js';
import { maskName } from '../../shared/mask.js';
import { metadataAfter } from '../../shared/metadata.js';
import {
  ledgerChanges,
  transferEntryId,
  type LedgerPresent,
  type LedgerService,
} from '../transaction/ledger.service.js';
import { TransferBook } from './transfer.book.js';
import type { TransferResultView, TransferView } from './transfer.entity.js';
import { eventsOf } from './transfer.events.js';
import type { NewTransfer, TransferInput } from './transfer.inputs.js';
import { recordedIdOf, shown } from './transfer.record.js';
import type { TransferDraft, TransferRepository } from './transfer.repository.js';
import { mustOwn, type MakingFacts } from './transfer.rules.js';
import { MAKE_TRANSFER, MAKE_TRANSFERS } from './transfer.operations.js';

/** The number of transfers of one request that are as large as one ordinary command. */
const TRANSFERS_A_COMMAND = 5;

type AskedTransfer = Pick<CommandRequest<TransferInput>, 'caller' | 'input'>;

/** The kinds of commands that make transfers: one, and several of which each is made or refused by itself. */
export class TransferMaking {
  constructor(
    private readonly repository: TransferRepository,
    private readonly accounts: AccountService,
    private readonly ledger: LedgerService,
    private readonly limits: LimitService,
  ) {}

  /** The writes of commands that are done, and the events of their transfers. */
  readonly writing: Pick<Work<unknown, AccountView, unknown, unknown, TransferDraft>, 'write' | 'event'> = {
    write: accepted => [
      ...this.repository.adding(accepted.flatMap(({ draft }) => draft.transfers.map(({ rows }) => rows))),
      ...this.ledger.writing(accepted.flatMap(({ draft }) => draft.additions)),
    ],
    event: ({ draft }) => draft.transfers.flatMap(transfer => eventsOf(MAKE_TRANSFER.name, transfer)),
  };

  readonly making = this.accounts.command<NewTransfer, MakingFacts, TransferView, TransferDraft>(MAKE_TRANSFER, {
    recorded: ({ input }) => compared(input),
    others: ({ toAccountId }) => [toAccountId],
    payable: request => this.payable(request.caller, [request.input]),
    mayLack: 'others',
    readFacts: (transaction, requests) => this.readFacts(transaction, requests),
    permit: (from, facts, { caller, input }, others) => {
      const book = new TransferBook(this.ledger, caller, [from, ...others]);
      return { result: shown(book.make(input, facts)), draft: book.draft, isUnchanged: book.isEmpty };
    },
    ...this.writing,
    approval: {
      isForCustomers: true,
      needs: ({ transfersAbove }, { draft }) =>
        draft.transfers.some(({ rows }) => isAboveAny(rows.from, transfersAbove)),
      facts: ({ input: { fromAccountId, toAccountId }, result: { transferId, amount, currency } }) => ({
        object: `transfer/${transferId}`,
        data: { fromAccountId, toAccountId, amount, currency },
      }),
      changes: ({ draft: { additions } }, { accountId, currency, heldMinor }) =>
        additions.flatMap(({ accountId: of, head }) => {
          const field = `accounts/${of}/balances`;
          const left = (minor: bigint) => decimalOf(minor - heldMinor, currency);
          return [
            ...ledgerChanges(head).map(change => ({ ...change, field: `accounts/${of}/${change.field}` })),
            ...(of === accountId
              ? [
                  {
                    field: `${field}/available`,
                    before: left(head.balanceBeforeMinor),
                    after: left(head.balanceMinor),
                  },
                ]
              : []),
          ];
        }),
      keepsBack: ({ draft: { transfers } }, { heldMinor }) => {
        const amountMinor = transfers.reduce((sum, { rows }) => sum + rows.from.amountMinor, 0n);
        return { amountMinor, heldMinor: heldMinor + amountMinor };
      },
      describe: async ({ input: { fromAccountId, toAccountId } }) => {
        const names = await this.repository.ownerNames([fromAccountId, toAccountId]);
        return [fromAccountId, toAccountId].map((accountId, index) => {
          const owners = (names[index] ?? []).map(maskName).join(', ') || null;
          return { field: `accounts/${accountId}/owners`, before: owners, after: owners };
        });
      },
    },
  });

  readonly makingSeveral = this.accounts.command<
    readonly TransferInput[],
    MakingFacts[],
    TransferResultView[],
    TransferDraft
  >(MAKE_TRANSFERS, {
    recorded: ({ input }) => ({ transfers: input.map(compared) }),
    // Each transfer says which of its accounts there are not.
    others: accountsOf,
    payable: ({ caller, input }) => this.payable(caller, input),
    mayLack: 'all',
    weight: inputs => Math.ceil(inputs.length / TRANSFERS_A_COMMAND),
    readFacts: (transaction, requests) => this.readFactsOfSeveral(transaction, requests),
    permit: (_account, facts, { caller, input }, accounts) => {
      const book = new TransferBook(this.ledger, caller, accounts, { mayWait: false });
      const result = input.map((one, index) => {
        const make = () => shown(book.make(one, facts[index] as MakingFacts));
        return resultOf(one, () => ({ transferId: one.transferId, transfer: make(), refusal: null }));
      });
      return { result, draft: book.draft, isUnchanged: book.isEmpty };
    },
    replay: (results, facts, { caller, input }) =>
      input.map((one, index) =>
        resultOf(one, () => {
          mustOwn(caller.customerId, one.fromAccountId, facts[index]?.fromOwners ?? []);
          return results[index] as TransferResultView;
        }),
      ),
    ...this.writing,
  });

  /** Reads the facts that decide on the transfers of each command. */
  async readFactsOfSeveral(
    transaction: StatementSender,
    requests: readonly Pick<CommandRequest<readonly TransferInput[]>, 'caller' | 'input'>[],
  ): Promise<MakingFacts[][]> {
    const each = requests.flatMap(({ caller, input }) => input.map(one => ({ caller, input: one })));
    const facts = await this.readFacts(transaction, each);
    let from = 0;
    return requests.map(({ input }) => facts.slice(from, (from += input.length)));
  }

  /** The accounts of payees that a customer names as its program wants it. */
  private async payable(caller: Caller, inputs: readonly TransferInput[]): Promise<readonly string[]> {
    const named = inputs.flatMap(({ toAccountId: accountId, payeeLastName: lastName }) =>
      lastName ? [{ accountId, lastName }] : [],
    );
    return named.length === 0 ? [] : this.repository.payableOf(caller.program, named);
  }

  private async readFacts(transaction: StatementSender, requests: readonly AskedTransfer[]): Promise<MakingFacts[]> {
    const inputs = requests.map(({ input }) => input);
    const count = inputs.length;
    const ids = requests.map(({ caller, input: { transferId } }) => recordedIdOf(caller, transferId));
    const wanted = (['fromAccountId', 'toAccountId'] as const).flatMap(end =>
      inputs.map((input, index) => ({ accountId: input[end], transactionIds: entryIdsOf(ids[index] as string) })),
    );
    const named = requests.flatMap(({ caller, input: { toAccountId: accountId, payeeLastName: lastName } }, index) =>
      caller.customerId !== null && lastName ? [{ accountId, lastName, index }] : [],
    );
    const [recordedWith, recorded, ledgers, rules, limits, confirmed, owners] = await Promise.all([
      this.repository.accountsOf(
        transaction,
        requests.map(({ caller: { program } }, index) => ({ program, transferId: ids[index] as string })),
      ),
      this.repository.each(
        transaction,
        inputs.map(({ fromAccountId }, index) => [fromAccountId, ids[index] as string]),
      ),
      this.ledger.present(transaction, wanted),
      this.ledger.rules(
        transaction,
        requests.map(({ caller }) => caller.program),
      ),
      this.limits.ofTransfers(
        transaction,
        inputs.map(({ fromAccountId }) => fromAccountId),
      ),
      named.length > 0 ? this.repository.payees(transaction, named) : [],
      requests.some(({ caller }) => caller.customerId !== null)
        ? this.accounts.repository.ownersOf(
            transaction,
            wanted.map(({ accountId }) => accountId),
          )
        : [],
    ]);
    return rules.map((ofProgram, index) => ({
      recordedWith: recordedWith[index] ?? null,
      recorded: recorded[index] ?? null,
      from: ledgers[index] as LedgerPresent,
      to: ledgers[count + index] as LedgerPresent,
      rules: ofProgram,
      limits: limits[index] as LimitFacts,
      fromOwners: owners[index] ?? [],
      toOwners: owners[count + index] ?? [],
      isPayeeConfirmed: confirmed[named.findIndex(one => one.index === index)] ?? false,
    }));
  }
}

/** The accounts of transfers, each once. */
export function accountsOf(
  transfers: readonly Pick<TransferInput, 'fromAccountId' | 'toAccountId'>[],
): readonly string[] {
  return [...new Set(transfers.flatMap(({ fromAccountId, toAccountId }) => [fromAccountId, toAccountId]))];
}

/** Returns the content that distinguishes a repeated transfer from another. */
function compared(input: TransferInput): Plain<TransferInput> {
  const { fromAccountId, toAccountId, transferId, amount, description, memo, reference, payeeLastName } = input;
  const metadata = metadataAfter({}, input.metadata);
  return {
    fromAccountId,
    toAccountId,
    transferId,
    amount: shortDecimal(amount),
    description: description || null,
    memo: memo || null,
    reference: reference || null,
    metadata,
    ...(payeeLastName && { payeeLastName }),
  };
}

/** Returns the outcome of one transfer of several. What is only impossible for a moment ends the whole command. */
function resultOf({ transferId }: TransferInput, result: () => TransferResultView): TransferResultView {
  try {
    return result();
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'unavailable') throw error;
    const { code, message, errors = [] } = error;
    return { transferId, transfer: null, refusal: { code, message, errors } };
  }
}

function entryIdsOf(transferId: string): string[] {
  return [transferEntryId(transferId, 'out'), transferEntryId(transferId, 'in')];
}
