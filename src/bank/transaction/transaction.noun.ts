import type { AccountService } from '../account/account.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { BalanceMark } from './balance/balance-mark.entity.js';
import { BalanceResolver } from './balance/balance.resolver.js';
import { BalanceService } from './balance/balance.service.js';
import { LedgerRanges } from './ledger-ranges.js';
import { LedgerService } from './ledger.service.js';
import { PostedTransactionResolver } from './posted-transactions.resolver.js';
import { PostedTransactionService } from './posted-transactions.service.js';
import { PostingService } from './posting.service.js';
import { ProgramHistoryService } from './program-history.service.js';
import { ReportService, type ReportPrinter } from './report/report.service.js';
import { ReversalService } from './reversal.service.js';
import { TransactionReferenceResolver } from './transaction-reference.resolver.js';
import { Transaction } from './transaction.entity.js';
import { TRANSACTION_EVENTS } from './transaction.events.js';
import { TransactionRepository } from './transaction.repository.js';
import { ReverseTransactionPayload, TransactionResolver } from './transaction.resolver.js';
import { PostAccountTransactionsPayload } from './transaction.payload.js';
import { TransactionService } from './transaction.service.js';
import { READ_TRANSACTIONS } from './transaction.operations.js';
import { transactionRest } from './transaction.rest.js';

interface Needs {
  readonly accounts: AccountService;
  readonly programs: { nameOf(program: string): Promise<string> };
  readonly reportPrinting: ReportPrinter;
}

export const transactionNoun = noun({
  entities: [Transaction, BalanceMark],
  events: TRANSACTION_EVENTS,
  services: ({ database, keys, feed, accounts, programs }: NounBase & Needs) => {
    const transactions = new TransactionRepository(database, keys, accounts.repository);
    const ranges = new LedgerRanges(database, transactions);
    const ledger = new LedgerService(transactions);
    return {
      history: new TransactionService(database, accounts, transactions, ranges),
      programHistory: new ProgramHistoryService(database, transactions),
      posting: new PostingService(accounts, transactions),
      reversals: new ReversalService(accounts, ledger),
      balances: new BalanceService(database, accounts),
      ledger,
      reports: new ReportService(database, accounts, program => programs.nameOf(program)),
      postedTransactions: new PostedTransactionService(ranges, accounts, feed),
    };
  },
  resolvers: [
    resolver(PostedTransactionResolver, 'postedTransactions'),
    resolver(BalanceResolver, 'balances'),
    resolver(TransactionResolver, 'history', 'programHistory', 'posting', 'reversals'),
    resolver(TransactionReferenceResolver, 'accounts', 'history'),
  ],
  belongToAccount: [Transaction, PostAccountTransactionsPayload, ReverseTransactionPayload],
  rest: () => [transactionRest],
  routesTried: 'first',
  nodes: ({ accounts, history }) => ({
    Transaction: accounts.finding(READ_TRANSACTIONS, (...key) => history.find(...key)),
  }),
  imports: {
    transactions: async (of, overTheApi) =>
      (await import('./transaction.import.js')).transactionImport(of.accounts, of.posting.repository, overTheApi),
  },
});
