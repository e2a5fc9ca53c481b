import { distinctTexts } from '../../../lib/account-report/texts.js';
import { totalOf, type AccountReport } from '../../../lib/account-report/report.js';
import type { Database } from '../../platform/database/orm.js';
import { queueOf } from '../../platform/rate/rate-limited.js';
import { sharerOf, type Caller } from '../../shared/caller.js';
import { mask } from '../../shared/mask.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ReportPrinter } from '../transaction/report/report.service.js';
import type { DocumentThreads } from './document-threads.js';
import { ownersOf } from './issue/accounts.js';
import type { IssuerRecords } from './issue/issuers.js';
import { issuerOf } from './issue/issuer-rules.js';
import type { ReportContent, StatementEntry } from './statement.content.js';
import { DOWNLOAD_STATEMENT } from './statement.operations.js';

/** The most reports that wait for the one that is printed. A program has at most half of the places. */
const WAITING_REPORTS = { most: 20, parts: [1, 1 / 2] };

/** Prints reports of any days of an account as statements are printed. They are not kept. */
export class ReportPrintingService implements ReportPrinter {
  // The longest report takes a second of the one thread for documents, and is in memory as a whole.
  private readonly printing = queueOf(WAITING_REPORTS);

  constructor(
    private readonly database: Database,
    private readonly owners: OwnerService,
    private readonly issuers: IssuerRecords,
    private readonly threads: DocumentThreads,
  ) {}

  /**
   * The PDF of a report of `MAX_PRINTED_ENTRIES` at most. It has the names and the address of its recipient, so it takes
   * what the download of a statement takes. Throws `InsufficientScope`, `NotForAgents`, and `RateLimited` where too
   * many wait.
   */
  print(caller: Caller, report: AccountReport): Promise<Buffer> {
    caller.require(DOWNLOAD_STATEMENT);
    return this.printing.run(sharerOf(caller), async () => {
      const { account, bank } = report;
      const [[record], [owners = []]] = await Promise.all([
        this.issuers.records(this.database, [caller.program]),
        ownersOf(this.database, this.owners, [{ account: { accountId: account.id } }], null),
      ]);
      const { issuer, logo } = record
        ? issuerOf(record)
        : { issuer: { name: bank.name, addressLines: [], telephone: null }, logo: null };
      const content: ReportContent = {
        ...(await ledgerOf(report)),
        issuer,
        owners: owners.map(({ name }) => name),
        addressLines: owners[0]?.addressLines ?? [],
      };
      return (await this.threads.render('ACCOUNT_REPORT', content, logo)).pdf;
    });
  }
}

type ReportLedger = Omit<ReportContent, 'issuer' | 'owners' | 'addressLines'>;

async function ledgerOf(report: AccountReport): Promise<ReportLedger> {
  const { id, account, period, createdAt, openingMinor, closingMinor, days } = report;
  const { type, currency, timeZone, decimalOf } = account;
  const total = (side: 'credits' | 'debits') => {
    const { count, minor } = totalOf(days, side);
    return { count, amount: decimalOf(minor) };
  };
  const entries: StatementEntry[] = [];
  for await (const page of report.entries('ledger')) {
    for (const { id: transactionId, day, description, memo, type: transactionType, direction, ...minor } of page) {
      entries.push({
        transactionId,
        postedOn: day,
        description: distinctTexts(description, memo).join(' · '),
        transactionType,
        direction,
        amount: decimalOf(minor.amountMinor),
        balance: decimalOf(minor.balanceMinor),
      });
    }
  }
  return {
    reportId: id,
    account: { number: mask(account.id), type, currency, timeZone },
    period,
    asOf: earlier(period.end, dayAt(createdAt, timeZone)),
    openingBalance: decimalOf(openingMinor),
    closingBalance: decimalOf(closingMinor),
    credits: total('credits'),
    debits: total('debits'),
    entries,
  };
}

function earlier(day: string, other: string): string {
  return day < other ? day : other;
}

/** The day of an instant where the account is. Swedes write a day as `2026-03-31`. */
function dayAt(instant: string, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(instant));
}
