import { hash } from 'node:crypto';
import {
  totalOf,
  type AccountReport,
  type EntryOrder,
  type ReportEntry,
} from '../../../../lib/account-report/report.js';
import { Account, type AccountView } from '../../account/account.entity.js';
import { AccountNotFound } from '../../account/account.errors.js';
import type { AccountService } from '../../account/account.service.js';
import type { Database } from '../../../platform/database/orm.js';
import { nextPart } from '../../../platform/rate/reading-queue.js';
import type { Caller } from '../../../shared/caller.js';
import { BANK_ID } from '../../../shared/ids.js';
import { decimalOf } from '../../../shared/money.js';
import { TooManyTransactions } from '../transaction.errors.js';
import { readDays, readEntries, type DayRange, type LedgerDays, type Turn } from './report-query.js';
import { READ_TRANSACTIONS } from '../transaction.operations.js';

/** The most entries of a report over REST. The command line has no limit. */
export const MAX_REPORT_ENTRIES = 100_000;

/** The most entries of a report as a PDF, which are some 120 pages. */
export const MAX_PRINTED_ENTRIES = 5_000;

/** Prints reports as PDF, as the documents of a bank are printed. */
export interface ReportPrinter {
  /** Throws `InsufficientScope`, `NotForAgents`, `RateLimited`. */
  print(caller: Caller, report: AccountReport): Promise<Buffer>;
}

/** Digits of a digest that is the id of a report. */
const ID_DIGITS = 32;

/** A report, and how many entries it has. */
export interface SizedReport {
  readonly report: AccountReport;
  readonly count: number;
}

/** Reports of any range of days, from the ledger: booked entries alone, by the days on which they were posted. */
export class ReportService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    /** The name under which a program issues documents. */
    private readonly issuerOf: (program: string) => Promise<string>,
  ) {}

  /** A report for a caller, of `most` entries at most. Throws `AccountNotFound`, `TooManyTransactions`. */
  async open(caller: Caller, accountId: string, range: DayRange, most: number): Promise<SizedReport> {
    caller.require(READ_TRANSACTIONS);
    const account = await this.accounts.mustSee(caller, accountId);
    const sized = await this.reportOf(account, caller.program, range, ask => nextPart(caller, ask));
    if (sized.count > most) throw new TooManyTransactions(most);
    return sized;
  }

  /** A report for the operator, of an account of any program. Throws `AccountNotFound`. */
  async openForOperator(accountId: string, range: DayRange): Promise<SizedReport> {
    if (!BANK_ID.test(accountId)) throw new AccountNotFound();
    const found = await this.database.em().findOne(Account, { accountId }, { fields: ['program'] });
    if (!found) throw new AccountNotFound();
    const { program } = found;
    const account = await this.accounts.repository.see({ accountId, program, customerId: null });
    if (!account) throw new AccountNotFound();
    return this.reportOf(account, program, range, ask => ask());
  }

  private async reportOf(account: AccountView, program: string, range: DayRange, turn: Turn): Promise<SizedReport> {
    const { accountId, accountType, currency, timeZone, lastSeq } = account;
    const ledger = await turn(() => readDays(this.database, account, range, lastSeq));
    const { openingMinor, days } = ledger;
    const [credits, debits] = [totalOf(days, 'credits'), totalOf(days, 'debits')];
    const report: AccountReport = {
      id: idOf(accountId, range, ledger),
      createdAt: ledger.asOf,
      bank: { id: program, name: await this.issuerOf(program) },
      account: { id: accountId, type: accountType, currency, timeZone, decimalOf: minor => decimalOf(minor, currency) },
      owners: [],
      period: range,
      openingMinor,
      closingMinor: openingMinor + credits.minor - debits.minor,
      days,
      entries: order => this.entries(account, range, ledger, order, turn),
    };
    return { report, count: credits.count + debits.count };
  }

  private async *entries(
    account: AccountView,
    range: DayRange,
    { openingMinor, lastSeq }: LedgerDays,
    order: EntryOrder,
    turn: Turn,
  ): AsyncGenerator<readonly ReportEntry[]> {
    let balanceMinor = openingMinor;
    for await (const page of readEntries(this.database, account, range, lastSeq, order, turn)) {
      yield page.map(entry => {
        balanceMinor += entry.direction === 'CREDIT' ? entry.amountMinor : -entry.amountMinor;
        return { ...entry, balanceMinor };
      });
    }
  }
}

/** An id that follows from the ledger: entries never change, so their number and their sums stand for all of them. */
function idOf(accountId: string, { start, end }: DayRange, { openingMinor, days, lastSeq }: LedgerDays): string {
  const sums = days.flatMap(({ day, credits, debits }) => {
    return [day, credits.count, credits.minor, debits.count, debits.minor];
  });
  const contents = [accountId, start, end, openingMinor, lastSeq, ...sums].map(String);
  return hash('sha256', JSON.stringify(contents), 'hex').slice(0, ID_DIGITS);
}
