import { AccountChangeService } from '../account/account-changes.service.js';
import { AccountDenials } from '../account/account.denials.js';
import { AccountRepository } from '../account/account.repository.js';
import { AccountService } from '../account/account.service.js';
import { OpeningService } from '../account/opening.service.js';
import { OperationsService } from '../account/operations.service.js';
import { OwnershipService } from '../account/ownership.service.js';
import { ApprovalBook } from '../approval/approval.gate.js';
import { ApprovalRepository } from '../approval/approval.repository.js';
import { ApprovalService } from '../approval/approval.service.js';
import { BeneficiaryRepository } from '../beneficiary/beneficiary.repository.js';
import { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import { CardService } from '../card/card.service.js';
import { KeyRingVault } from '../card/card.vault.js';
import { bringUpToDate } from './bring-up-to-date.js';
import type { Config } from './config.js';
import { entities } from './entities.js';
import { EventService } from '../event/event.service.js';
import { RecordedEventService } from '../event/recorded-events.service.js';
import { CustomerService } from '../owner/customer.service.js';
import { CustomerRepository } from '../owner/owner.repository.js';
import { OwnerService } from '../owner/owner.service.js';
import { HoldRepository } from '../hold/hold.repository.js';
import { HoldService } from '../hold/hold.service.js';
import { TransferRepository } from '../transfer/transfer.repository.js';
import { TransferService } from '../transfer/transfer.service.js';
import { IdempotencyRecords } from '../platform/command/idempotency-record.js';
import { loadOrCreateKeys } from '../platform/crypto/secret-file.js';
import { tellKeys } from '../platform/crypto/key-holders.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { openConfiguredDatabase } from '../platform/database/open-configured.js';
import type { Database } from '../platform/database/orm.js';
import type { Logger } from '../platform/logging/logger.js';
import type { CommandWatch, CountCommand } from '../platform/command/counted.js';
import type { Denial } from '../platform/command/denial.js';
import { ForeignIds } from '../platform/command/foreign-ids.js';
import { ProgramCommands } from '../platform/command/program-commands.js';
import { EventFeed } from '../platform/feed/event-feed.js';
import { Feed } from '../platform/feed/feed.js';
import { SINGLE_PROCESS, type ProcessGroup } from '../platform/workers/process-group.js';
import { EVENT_TYPES } from './event-types.js';
import { openImports } from './open-imports.js';
import { openLookUps, type LookUps } from './look-ups.js';
import { DocumentThreads } from '../statement/document-threads.js';
import { openSandbox, sandboxSession, type Sandbox } from './sandbox.js';
import type { ImportService } from '../import/import.service.js';
import { RerunService } from '../statement/run/rerun.service.js';
import { StatementRunService } from '../statement/run/statement-run.service.js';
import { StatementRuns } from '../statement/run/statement-runs.js';
import { ProgramRepository } from '../program/program.repository.js';
import { ProgramService } from '../program/program.service.js';
import { IssuerRecords } from '../statement/issue/issuers.js';
import { StatementRepository } from '../statement/statement.repository.js';
import { StatementService } from '../statement/statement.service.js';
import { StatementVault } from '../statement/statement.vault.js';
import { BalanceService } from '../transaction/balance/balance.service.js';
import { LedgerRanges } from '../transaction/ledger-ranges.js';
import { LedgerService } from '../transaction/ledger.service.js';
import { PostedTransactionService } from '../transaction/posted-transactions.service.js';
import { PostingService } from '../transaction/posting.service.js';
import { ProgramHistoryService } from '../transaction/program-history.service.js';
import { ReportService } from '../transaction/report/report.service.js';
import { SearchRecords } from '../search/search.records.js';
import { ReversalService } from '../transaction/reversal.service.js';
import { TransactionRepository } from '../transaction/transaction.repository.js';
import { TransactionService } from '../transaction/transaction.service.js';
import { AddressGuard } from '../../lib/guarded-connect/address-guard.js';
import { Deliveries } from '../webhook/delivery/deliveries.js';
import { WebhookDeliveryService } from '../webhook/webhook-delivery.service.js';
import { WebhookRepository } from '../webhook/webhook.repository.js';
import { WebhookCommands } from '../webhook/webhook.commands.js';
import { WebhookService } from '../webhook/webhook.service.js';

/** What the gateway and the command line work with: the data, the keys to it, and the services that know the rules. */
export interface Container extends LookUps {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly records: IdempotencyRecords;
  readonly accounts: AccountService;
  readonly opening: OpeningService;
  readonly operations: OperationsService;
  readonly ownership: OwnershipService;
  readonly owners: OwnerService;
  readonly customers: CustomerService;
  readonly beneficiaries: BeneficiaryService;
  readonly cards: CardService;
  readonly history: TransactionService;
  readonly balances: BalanceService;
  readonly reversals: ReversalService;
  readonly programHistory: ProgramHistoryService;
  readonly posting: PostingService;
  readonly holds: HoldService;
  readonly transfers: TransferService;
  readonly reports: ReportService;
  readonly statements: StatementService;
  readonly statementRuns: StatementRunService;
  readonly reruns: RerunService;
  readonly imports: ImportService;
  readonly statementVault: StatementVault;
  readonly documentThreads: DocumentThreads;
  readonly events: EventService;
  readonly feed: EventFeed;
  readonly postedTransactions: PostedTransactionService;
  readonly accountChanges: AccountChangeService;
  readonly recordedEvents: RecordedEventService;
  readonly programCommands: ProgramCommands;
  readonly approvals: ApprovalService;
  /** Which addresses endpoints may be at. */
  readonly webhookGuard: AddressGuard;
  readonly webhooks: WebhookService;
  readonly webhookDeliveries: WebhookDeliveryService;
  readonly denials: AccountDenials;
  readonly searchRecords: SearchRecords;
  readonly programs: ProgramService;
  readonly issuers: IssuerRecords;
  /** null where it is off: nothing of it is served. */
  readonly sandbox: Sandbox | null;
  /** Closes every connection, and leaves the embedded PostgreSQL. */
  close(): Promise<void>;
}

/** What is counted about the bank. */
export interface ContainerCounts {
  readonly countCommand: CountCommand;
  /** Denied attempts that could not be recorded. */
  readonly countUnrecorded: (denials: number) => void;
}

/** Opens the bank on the configured database, or on the embedded one, and brings its tables up to date. */
export async function openContainer(
  config: Config,
  log: Logger,
  counts?: ContainerCounts,
  together: ProcessGroup = SINGLE_PROCESS,
): Promise<Container> {
  const keys = KeyRing.parse(config.fieldKeys ?? (await loadOrCreateKeys(config.dataDir)));
  const { database, close } = await openConfiguredDatabase(
    { ...config, session: sandboxSession(config) },
    entities,
    message => log.warn(message),
  );
  let leaveKeys: () => Promise<void>;
  try {
    await bringUpToDate(database, config, log);
    leaveKeys = await tellKeys(database, keys, error =>
      log.warn({ err: error }, 'the list of processes and their keys could not be updated'),
    );
  } catch (error) {
    await close();
    throw error;
  }

  const records = new IdempotencyRecords(keys, config.idempotencyTtlDays);
  const feed = new EventFeed(new Feed(database, log), EVENT_TYPES);
  const events = new EventService(database, feed, together);
  const denials = new AccountDenials(database, together, (count, err) => {
    counts?.countUnrecorded(count);
    log.error({ err, count }, 'denied attempts could not be recorded');
  });
  const watch: CommandWatch = { count: counts?.countCommand ?? (() => undefined), committed: () => feed.feed.wake() };
  const approvalBook = new ApprovalBook(new ApprovalRepository(database, keys), config.idempotencyTtlDays);
  const accounts = new AccountService(
    database,
    new AccountRepository(database, keys),
    records,
    denials,
    watch,
    approvalBook,
  );
  const deny = (denial: Denial): void => denials.add(denial);
  const searchRecords = new SearchRecords(database, together, config.searchesPerHour, watch.committed, (count, err) => {
    log.error({ err, count }, 'searches could not be recorded');
  });
  const foreignIds = new ForeignIds(together, deny);
  const programCommands = new ProgramCommands(database, records, deny, watch, approvalBook);
  const owners = new OwnerService(new CustomerRepository(database, keys));
  const ownership = new OwnershipService(database, keys, accounts, owners);
  const beneficiaries = new BeneficiaryService(new BeneficiaryRepository(database, keys), accounts);
  const cards = new CardService(database, keys, accounts, new KeyRingVault(keys));
  const transactions = new TransactionRepository(database, keys);
  const ranges = new LedgerRanges(database, transactions);
  const history = new TransactionService(database, accounts, transactions, ranges);
  const posting = new PostingService(accounts, transactions);
  const ledger = new LedgerService(transactions);
  const holds = new HoldService(new HoldRepository(database, keys), accounts, ledger);
  const transfers = new TransferService(new TransferRepository(database, keys), accounts, ledger);
  const programs = new ProgramService(new ProgramRepository(database, keys));
  const documentThreads = new DocumentThreads(1);
  const statementVault = new StatementVault(keys);
  const documents = new StatementRepository(database);
  const statements = new StatementService(database, documents, accounts, statementVault, documentThreads);
  const endpoints = new WebhookRepository(database, keys);
  const guard = new AddressGuard(config.webhooks.allowNets, config.webhooks.allowLoopback);
  const webhooks = new WebhookService(endpoints, new WebhookCommands(endpoints, programCommands, EVENT_TYPES, guard));
  const webhookDeliveries = new WebhookDeliveryService(
    endpoints,
    new Deliveries(database, keys),
    programCommands,
    EVENT_TYPES,
  );
  const issuers = new IssuerRecords(database, keys, programs);
  const statementRuns = new StatementRunService(new StatementRuns(database));
  const bank = { database, accounts, cards, posting, holds, programCommands, issuers, statementRuns };
  const sandbox = config.sandbox ? openSandbox({ ...bank, deny }) : null;
  return {
    ...openLookUps({ database, accounts, owners, beneficiaries, programs, deny, searchRecords }),
    database,
    keys,
    records,
    accounts,
    opening: new OpeningService(accounts, owners, foreignIds),
    operations: new OperationsService(accounts, cards.ofAccounts),
    ownership,
    owners,
    customers: new CustomerService(owners.repository, programCommands, foreignIds),
    beneficiaries,
    cards,
    history,
    programHistory: new ProgramHistoryService(database, transactions),
    posting,
    reversals: new ReversalService(accounts, ledger),
    balances: new BalanceService(database, accounts),
    holds,
    transfers,
    reports: new ReportService(database, accounts, program => programs.nameOf(program)),
    events,
    feed,
    postedTransactions: new PostedTransactionService(ranges, accounts, feed),
    accountChanges: new AccountChangeService(accounts, feed),
    recordedEvents: new RecordedEventService(feed),
    programCommands,
    approvals: new ApprovalService(approvalBook, records, accounts, programCommands, deny),
    webhookGuard: guard,
    webhooks,
    webhookDeliveries,
    denials,
    searchRecords,
    statements,
    statementRuns,
    reruns: new RerunService(programCommands, issuers, statementRuns),
    statementVault,
    documentThreads,
    programs,
    issuers,
    imports: openImports({ programs, owners, accounts, beneficiaries, posting }, programCommands, foreignIds, deny),
    sandbox,
    close: async () => {
      await feed.feed.stop();
      await database.replicas?.stop();
      await documentThreads.close();
      await denials.close();
      await searchRecords.close();
      await leaveKeys();
      await close();
    },
  };
}
