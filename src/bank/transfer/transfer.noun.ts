import type { AccountService } from '../account/account.service.js';
import type { LimitService } from '../limit/limit.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import type { LedgerService } from '../transaction/ledger.service.js';
import type { TransactionService } from '../transaction/transaction.service.js';
import { Transfer, TransferKey } from './transfer.entity.js';
import { TRANSFER_EVENTS } from './transfer.events.js';
import { TransferRepository } from './transfer.repository.js';
import { AccountTransfersResolver, TransferResolver } from './transfer.resolver.js';
import { transferRest } from './transfer.rest.js';
import { TransferService, type PayeeNames } from './transfer.service.js';

interface Needs {
  readonly accounts: AccountService;
  readonly ledger: LedgerService;
  readonly limits: LimitService;
  readonly searchRecords: PayeeNames;
  readonly history: TransactionService;
}

export const transferNoun = noun({
  entities: [Transfer, TransferKey],
  events: TRANSFER_EVENTS,
  services: ({ database, keys, accounts, ledger, limits, searchRecords }: NounBase & Needs) => ({
    transfers: new TransferService(
      database,
      new TransferRepository(database, keys),
      accounts,
      ledger,
      limits,
      searchRecords,
    ),
  }),
  resolvers: [
    resolver(AccountTransfersResolver, 'transfers'),
    resolver(TransferResolver, 'transfers', 'accounts', 'history'),
  ],
  rest: () => [transferRest],
  imports: {
    transfers: async (of, overTheApi) =>
      (await import('./transfer.import.js')).transferImport(of.accounts, of.ledger, of.transfers.kinds, overTheApi),
  },
  nodes: of => ({ Transfer: (caller, transferId = '') => of.transfers.find(caller, transferId) }),
});
