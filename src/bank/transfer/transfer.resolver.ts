import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import type { AccountService } from '../account/account.service.js';
import { connectionOf, type Connection } from '../../platform/graphql/connection.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { CursorArgs } from '../../platform/graphql/page-args.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Transaction, type TransactionView } from '../transaction/transaction.entity.js';
import type { TransactionService } from '../transaction/transaction.service.js';
import { TRANSFER_ID, Transfer, CreateTransfersPayload, type TransferView } from './transfer.entity.js';
import {
  CreateTransferInput,
  CreateTransfersInput,
  MAX_TRANSFERS_A_CALL,
  ReverseTransferInput,
  TransferFilter,
} from './transfer.inputs.js';
import type { TransferService } from './transfer.service.js';
import { READ_ACCOUNTS } from '../account/account.operations.js';
import {
  MAKE_TRANSFER,
  MAKE_TRANSFERS,
  READ_PROGRAM_TRANSFERS,
  READ_TRANSFERS,
  REVERSE_TRANSFER,
} from './transfer.operations.js';
import { READ_TRANSACTIONS } from '../transaction/transaction.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const TransferConnection = connectionOf<TransferView>(Transfer);
const CreateTransferPayload = payloadOf<TransferView>('createTransfer', 'transfer', Transfer);
const ReverseTransferPayload = payloadOf<TransferView>('reverseTransfer', 'transfer', Transfer);

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
    description: 'A transfer from or to an account that the caller sees.',
  })
  transfer(
    @Arg('transferId', () => ID, { description: TRANSFER_ID }) transferId: string,
    @Ctx() { caller }: Context,
  ): Promise<TransferView | null> {
    return this.service.find(caller, transferId);
  }

  @Performs(READ_PROGRAM_TRANSFERS)
  @Query(() => TransferConnection, {
    nullable: true,
    description: 'The transfers of the program, newest first.',
  })
  transfers(
    @Args(() => CursorArgs) page: CursorArgs,
    @Arg('filter', () => TransferFilter, { nullable: true }) filter: TransferFilter | null,
    @Ctx() { caller }: Context,
  ): Connection<TransferView> {
    return new TransferConnection(this.service.ofProgram.list(caller, page, filter ?? {}));
  }

  @Performs(MAKE_TRANSFER)
  @Mutation(() => CreateTransferPayload, {
    nullable: true,
    description: 'Moves money between accounts, once for one `transferId`.',
  })
  async createTransfer(
    @Writer() caller: Caller,
    @Arg('input', () => CreateTransferInput) { transfer, dryRun = false }: CreateTransferInput,
  ): Promise<Payload> {
    const making = this.service.make(caller, transfer, dryRun);
    return new CreateTransferPayload(caller, await atPointer('/input/transfer', making));
  }

  @Performs(MAKE_TRANSFERS)
  @Mutation(() => CreateTransfersPayload, {
    nullable: true,
    description: `Makes up to ${MAX_TRANSFERS_A_CALL} transfers, each made or refused by itself.`,
  })
  async createTransfers(
    @Writer() caller: Caller,
    @Arg('input', () => CreateTransfersInput) { transfers, dryRun = false }: CreateTransfersInput,
  ): Promise<CreateTransfersPayload> {
    const making = this.service.makeSeveral(caller, transfers, dryRun);
    return new CreateTransfersPayload(caller, await atPointer('/input/transfers', making));
  }

  @Performs(REVERSE_TRANSFER)
  @Mutation(() => ReverseTransferPayload, {
    nullable: true,
    description: 'Takes a transfer back, once, whatever is available.',
  })
  async reverseTransfer(
    @Writer() caller: Caller,
    @Arg('input', () => ReverseTransferInput) { key, reason, dryRun = false }: ReverseTransferInput,
  ): Promise<Payload> {
    const reversing = this.service.reverse(caller, key.transferId, reason, dryRun);
    return new ReverseTransferPayload(caller, await atPointer('/input', reversing));
  }

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'The account that the money left; null if the caller does not see it.',
  })
  fromAccount(@Root() { fromAccountId }: TransferView, @Ctx() { caller }: Context): Promise<AccountView | null> {
    return this.accounts.find(caller, fromAccountId);
  }

  @Performs(READ_ACCOUNTS)
  @FieldResolver(() => Account, {
    nullable: true,
    description: 'The account that the money went to; null if the caller does not see it.',
  })
  toAccount(@Root() { toAccountId }: TransferView, @Ctx() { caller }: Context): Promise<AccountView | null> {
    return this.accounts.find(caller, toAccountId);
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: 'The debit; null if the caller does not see its account.',
  })
  fromTransaction(@Root() transfer: TransferView, @Ctx() { caller }: Context): Promise<TransactionView | null> {
    return this.entry(caller, transfer.fromAccountId, transfer.fromTransactionId);
  }

  @Performs(READ_TRANSACTIONS)
  @FieldResolver(() => Transaction, {
    nullable: true,
    description: 'The credit; null if the caller does not see its account.',
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
