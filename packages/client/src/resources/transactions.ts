import {
  PostAccountTransactions,
  type PostAccountTransactionsMutation,
  type TransactionInput,
} from '../generated/documents.js';
import type { DepositTransaction, ReasonInput } from '../generated/rest.js';
import type { Graphql } from '../graphql.js';
import type { Rest } from '../rest.js';
import type { WriteOptions } from '../transport.js';

export interface PostingOptions extends WriteOptions {
  /** Refuses a debit that takes the balance further below zero than the overdraft limit allows. */
  readonly checkFunds?: boolean;
  /** Only tries it. */
  readonly dryRun?: boolean;
}

export class Transactions {
  constructor(
    private readonly rest: Rest,
    private readonly graphql: Graphql,
  ) {}

  /** Posts transactions in this order, all or none. */
  async post(
    accountId: string,
    transactions: readonly TransactionInput[],
    { checkFunds = false, dryRun = false, ...options }: PostingOptions = {},
  ): Promise<NonNullable<PostAccountTransactionsMutation['postAccountTransactions']>['transactions']> {
    const variables = { accountId, transactions: [...transactions], checkFunds, dryRun };
    return (await this.graphql.only(PostAccountTransactions, variables, options)).transactions;
  }

  async reverse(
    accountId: string,
    transactionId: string,
    reason: ReasonInput,
    options?: WriteOptions,
  ): Promise<DepositTransaction> {
    const call = { path: { accountId, transactionId }, body: reason, ...options };
    const route = 'POST /accounts/{accountId}/transactions/{transactionId}/reverse';
    return (await this.rest.call(route, call)).depositTransaction;
  }
}
