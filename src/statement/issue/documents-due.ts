import { randomUUID } from 'node:crypto';
import type { OwnerService } from '../../owner/owner.service.js';
import { SealBroken } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { canonicalJson } from '../../shared/json.js';
import { MAX_ENTRIES, type StatementContent, type TaxFormContent } from '../statement.content.js';
import type { DocumentType } from '../statement.entity.js';
import type { StatementVault } from '../statement.vault.js';
import { accountsBetween, ownersOf, type AccountRange, type IssueAccount } from './accounts.js';
import { boxesOf, isStatementDue, monthlyContent, taxFormContent, type Heading } from './contents.js';
import type { IssueFailure } from './issue-run.entity.js';
import type { Issuers } from './issuers.js';
import { readMonths, readYears, type LedgerYear } from './ledger.js';
import type { Period } from './period.js';

/** A document that is due, without its PDF. */
export interface DueDocument {
  readonly account: IssueAccount;
  readonly documentType: DocumentType;
  readonly content: StatementContent | TaxFormContent;
  readonly statementDate: string;
  readonly throughSeq: bigint;
  readonly amountMinor: bigint;
  readonly correctsStatementId: string | null;
}

type Finding = DueDocument | IssueFailure;

/** What a batch of accounts is due. */
export interface DueBatch {
  readonly accounts: number;
  /** Accounts whose period is not over in their time zone. */
  readonly early: number;
  readonly documents: readonly DueDocument[];
  readonly failures: readonly IssueFailure[];
}

/** At most so many entries are read at a time. */
const MAX_READ = 4 * MAX_ENTRIES;

/** Finds the documents that accounts are due, and what they say. Writes nothing. */
export class DocumentsDue {
  constructor(
    private readonly database: Database,
    private readonly owners: OwnerService,
    private readonly vault: StatementVault,
    private readonly issuers: Issuers,
  ) {}

  /**
   * The statements that are missing, for every account with a balance or with entries; or the forms that are missing, and those that
   * correct one whose boxes differ from the ledger.
   */
  async find(documentType: DocumentType, range: AccountRange, period: Period): Promise<DueBatch> {
    const accounts = await accountsBetween(this.database, range, documentType, period.end);
    const ready = accounts.filter(({ isOver }) => isOver);
    const documents: DueDocument[] = [];
    const failures: IssueFailure[] = [];
    for (const few of readTogether(ready)) {
      for (const finding of await this.findEach(documentType, few, period)) {
        if ('code' in finding) failures.push(finding);
        else documents.push(finding);
      }
    }
    return { accounts: accounts.length, early: accounts.length - ready.length, documents, failures };
  }

  /** An account whose data cannot be decrypted fails alone. */
  private async findEach(
    documentType: DocumentType,
    accounts: readonly IssueAccount[],
    period: Period,
  ): Promise<Finding[]> {
    try {
      return await (documentType === 'STATEMENTS' ? this.statements(accounts, period) : this.forms(accounts, period));
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (accounts.length === 1) return accounts.map(({ accountId }) => ({ accountId, code: 'unreadable' }));
      const found: Finding[] = [];
      for (const account of accounts) found.push(...(await this.findEach(documentType, [account], period)));
      return found;
    }
  }

  private async statements(accounts: readonly IssueAccount[], period: Period): Promise<Finding[]> {
    const months = (await readMonths(this.database, accounts, period)).filter(isStatementDue);
    const owners = await ownersOf(this.database, this.owners, months.map(accountOf), null);
    return months.map((month, index) => {
      const { account, throughSeq } = month;
      if (month.entries.length > MAX_ENTRIES) return { accountId: account.accountId, code: 'too_many_entries' };
      const issuer = this.issuers.of(account.program);
      const { content, closingMinor } = monthlyContent(headingFor(account), issuer, owners[index] ?? [], period, month);
      return {
        account,
        documentType: 'STATEMENTS',
        content,
        statementDate: period.end,
        throughSeq,
        amountMinor: closingMinor,
        correctsStatementId: null,
      };
    });
  }

  private async forms(accounts: readonly IssueAccount[], period: Period): Promise<Finding[]> {
    const years = (await readYears(this.database, accounts, period)).filter(year => this.isFormDue(year));
    const owners = await ownersOf(this.database, this.owners, years.map(accountOf), period.end);
    return years.map((year, index) => {
      const { account, interestMinor } = year;
      const [recipient] = owners[index] ?? [];
      if (!recipient) return { accountId: account.accountId, code: 'recipient_unknown' };
      const payer = this.issuers.payerOf(account.program);
      if (!payer) return { accountId: account.accountId, code: 'payer_unknown' };
      const content = taxFormContent(headingFor(account), payer, recipient, period, year);
      return {
        account,
        documentType: 'TAX_1099',
        content,
        statementDate: period.end,
        throughSeq: account.lastSeq,
        amountMinor: interestMinor,
        correctsStatementId: content.correctedStatementId,
      };
    });
  }

  private isFormDue(year: LedgerYear): boolean {
    if (!year.last) return year.interestMinor > 0n;
    const { statementId, sealedKey, content } = year.last;
    const opened = this.vault.open(year.account.accountId, statementId, sealedKey, 'content', content);
    const issued = JSON.parse(opened.toString()) as TaxFormContent;
    return canonicalJson({ ...issued.boxes }) !== canonicalJson({ ...boxesOf(year) });
  }
}

function accountOf({ account }: { readonly account: IssueAccount }): IssueAccount {
  return account;
}

/** A new id, and today in the time zone of the account. */
function headingFor({ timeZone }: IssueAccount): Heading {
  const issuedOn = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
  return { statementId: randomUUID(), issuedOn };
}

/** Accounts that are read together: a few of many entries, or many of few. */
function readTogether(accounts: readonly IssueAccount[]): IssueAccount[][] {
  const groups: IssueAccount[][] = [];
  let left = 0;
  for (const account of accounts) {
    const entries = Math.min(Number(account.lastSeq), MAX_ENTRIES);
    if (left < entries || groups.length === 0) {
      groups.push([]);
      left = MAX_READ;
    }
    groups.at(-1)?.push(account);
    left -= entries;
  }
  return groups;
}
