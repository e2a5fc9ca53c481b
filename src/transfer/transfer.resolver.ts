import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { REASON, type AccountService } from '../account/account.service.js';
import { connectionOf, type Connection } from '../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../platform/graphql/context.js';
import { DRY_RUN } from '../platform/graphql/dry-run.js';
import { CursorArgs } from '../platform/graphql/page-args.js';
import type { Caller } from '../shared/caller.js';
import { Transaction, type TransactionView } from '../transaction/transaction.entity.js';
import type { TransactionService } from '../transaction/transaction.service.js';
import {
  TRANSFER_ID,
  Transfer,
  TransferResult,
  type TransferResultView,
  type TransferView,
} from './transfer.entity.js';
import { MAX_TRANSFERS_A_CALL, TransferInput } from './transfer.inputs.js';
import type { TransferService } from './transfer.service.js';
import { READ_ACCOUNTS } from '../account/account.operations.js';
import { MAKE_TRANSFER, MAKE_TRANSFERS, READ_TRANSFERS, REVERSE_TRANSFER } from './transfer.operations.js';
import { READ_TRANSACTIONS } from '../transaction/transaction.operations.js';
import { Performs } from '../platform/graphql/performs.js';

const TransferConnection = connectionOf<TransferView>(Transfer);
const NOT_SEEN = 'null for a caller who does not see this account';

@Resolver(() => Account)
export class AccountTransfersResolver {
  constructor(private readonly service: TransferService) {}

  @Performs(READ_TRANSFERS)
  @FieldResolver(() => TransferConnection, {
    nullable: true,
    description: 'The transfers from and to the account, the newest first.',
  })
  transfers(
    @Root() account: AccountView,
    @Args(() => CursorArgs) page: CursorArgs,
    @Ctx() { caller }: Context,
  ): Connection<TransferView> {
    return new TransferConnection(this.service.list(caller, account, page));
  }
}

@Resolver(() => Transfer)
export class TransferResolver {
  constructor(
    private readonly service: TransferService,
    private readonly accounts: AccountService,
    private readonly history: TransactionService,
  ) {}

  @Performs(READ_TRANSFERS)
  @Query(() => Transfer, {
    nullable: true,
    description: 'A transfer of which the caller sees one account at least; null if there is none.',
  })
  transfer(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Ctx() { caller }: Context,
  ): Promise<TransferView | null> {
    return this.service.find(caller, transferId);
  }

  @Performs(MAKE_TRANSFER)
  @Mutation(() => Transfer, {
    name: 'transfer',
    nullable: true,
    description:
      'Moves money from one account of the program to another: a debit and a credit, both or none. The same transfer again is returned as it stands.',
  })
  make(
    @Writer() caller: Caller,
    @Arg('input', () => TransferInput, { description: 'The new transfer.' }) input: TransferInput,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<TransferView> {
    return atPointer('/input', this.service.make(caller, input, dryRun));
  }

  @Performs(MAKE_TRANSFERS)
  @Mutation(() => [TransferResult], {
    nullable: true,
    description: `Makes up to ${MAX_TRANSFERS_A_CALL} transfers in their order. Each one is made, or refused with nothing written of it, as \`transfer\` does, and sees what those before it moved. They are one write with one idempotency key: a repeated request gets all results as they were.`,
  })
  transfers(
    @Writer() caller: Caller,
    @Arg('inputs', () => [TransferInput], { description: `The new transfers, 1 to ${MAX_TRANSFERS_A_CALL}.` })
    inputs: TransferInput[],
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<readonly TransferResultView[]> {
    return atPointer('/inputs', this.service.makeSeveral(caller, inputs, dryRun));
  }

  @Performs(REVERSE_TRANSFER)
  @Mutation(() => Transfer, {
    nullable: true,
    description:
      'Takes a transfer back, once: both histories get a transaction in the other direction, both or none, whatever is available.',
  })
  reverseTransfer(
    @Writer() caller: Caller,
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Arg('reason', () => String, { description: REASON }) reason: string,
    @Arg('dryRun', () => Boolean, DRY_RUN) dryRun: boolean,
  ): Promise<TransferView> {
    return this.service.reverse(caller, transferId, reason, dryRun);
  }

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => Account, {
    nullable: true,
    description: `The account that the money left; ${NOT_SEEN}.`,
  })
  fromAccount(@Root() { fromAccountId }: TransferView, @Ctx() { caller }: Context): Promise<AccountView | null> {
    return this.accounts.find(caller, fromAccountId);
  }

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => Account, {
    nullable: true,
    description: `The account that the money went to; ${NOT_SEEN}.`,
  })
  toAccount(@Root() { toAccountId }: TransferView, @Ctx() { caller }: Context): Promise<AccountView | null> {
    return this.accounts.find(caller, toAccountId);
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: `The debit in the history of the account that the money left; ${NOT_SEEN}.`,
  })
  fromTransaction(@Root() transfer: TransferView, @Ctx() { caller }: Context): Promise<TransactionView | null> {
    return this.entry(caller, transfer.fromAccountId, transfer.fromTransactionId);
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: `The credit in the history of the account that the money went to; ${NOT_SEEN}.`,
  })
  toTransaction(@Root() transfer: TransferView, @Ctx() { caller }: Context): Promise<TransactionView | null> {
    return this.entry(caller, transfer.toAccountId, transfer.toTransactionId);
  }

  private entry(caller: Caller, accountId: string, transactionId: string): Promise<TransactionView | null> {
    return this.accounts.within(caller, READ_TRANSACTIONS, accountId, account =>
      this.history.find(caller, account, transactionId),
    );
  }
}
