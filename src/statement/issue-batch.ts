import { randomUUID } from 'node:crypto';
import type { OwnerService } from '../owner/owner.service.js';
import { canonicalJson } from '../shared/json.js';
import { SealBroken } from '../platform/crypto/key-ring.js';
import type { Database } from '../platform/database/orm.js';
import { accountsBetween, ownersOf, primaryOwnersAt, type IssueAccount } from './issue-accounts.js';
import type { IssueFailure } from './issue-run.entity.js';
import type { Issuers } from './issuers.js';
import { isStatementDue, monthlyContent } from './monthly.content.js';
import { MAX_ENTRIES, readMonth } from './monthly.ledger.js';
import type { Period } from './period.js';
import type { DocumentType } from './statement.entity.js';
import type { StatementContent, TaxFormContent } from './statement.content.js';
import type { StatementVault } from './statement.vault.js';
import { boxesOf, taxFormContent } from './tax-form.content.js';
import { readTaxYear, type TaxYear } from './tax-form.ledger.js';

/** A document that is due, as far as it can be made without its PDF. */
export interface DueDocument {
  readonly account: IssueAccount;
  readonly statementId: string;
  readonly documentType: DocumentType;
  readonly content: StatementContent | TaxFormContent;
  readonly statementDate: string;
  readonly throughSeq: bigint;
  readonly amountMinor: bigint;
  readonly correctsStatementId: string | null;
  /** How many documents of the kind the account had when it was read. */
  readonly known: number;
}

/** What came of a batch of accounts. */
export interface Batch {
  readonly accounts: number;
  readonly due: readonly DueDocument[];
  /** Accounts whose period is not over where they are. */
  readonly early: number;
  readonly failures: readonly IssueFailure[];
}

/** The accounts from one id to another, of a program or of all. */
export interface AccountRange {
  readonly from: string;
  readonly to: string;
  readonly program: string | null;
}

/** So many entries are read at a time, at most, however many accounts that is. */
const MAX_READ = 4 * MAX_ENTRIES;

/** Works out which documents are due to accounts, and what they say. Writes nothing. */
export class DocumentsDue {
  constructor(
    private readonly database: Database,
    private readonly owners: OwnerService,
    private readonly vault: StatementVault,
    private readonly issuers: Issuers,
  ) {}

  /** The statements of a month that are missing: of every account with a balance or with entries. */
  async statements(range: AccountRange, period: Period): Promise<Batch> {
    return this.batch(range, period, async (accounts, take, fail) => {
      const months = await readMonth(this.database, accounts, period);
      const owners = await ownersOf(this.database, this.owners, accounts.map(idOf));
      for (const [index, ledger] of months.entries()) {
        const account = accounts[index] as IssueAccount;
        if (!ledger || !isStatementDue(ledger)) continue;
        if (ledger.entries.length > MAX_ENTRIES) {
          fail(account, 'too_many_entries');
          continue;
        }
        const statementId = randomUUID();
        const { content, closingMinor } = monthlyContent({
          ...{ statementId, account, period, ledger, issuedOn: today(account), owners: owners[index] ?? [] },
          issuer: this.issuers.of(account.program),
        });
        const { known, throughSeq } = ledger;
        take({
          ...{
            account,
            statementId,
            documentType: 'STATEMENTS',
            content,
            statementDate: period.end,
            throughSeq,
            known,
          },
          ...{ amountMinor: closingMinor, correctsStatementId: null },
        });
      }
    });
  }

  /** The forms of a tax year that are missing, and those that correct one whose boxes are no longer what the ledger says. */
  async taxForms(range: AccountRange, period: Period): Promise<Batch> {
    return this.batch(range, period, async (accounts, take, fail) => {
      const years = await readTaxYear(this.database, accounts, period);
      const due = years.flatMap((ledger, index) => {
        const account = accounts[index] as IssueAccount;
        return this.isFormDue(account, ledger) ? [{ account, ledger }] : [];
      });
      const ids = due.map(({ account }) => account.accountId);
      const recipients = await primaryOwnersAt(this.database, this.owners, ids, period.end);
      for (const [index, { account, ledger }] of due.entries()) {
        const [recipient, payer] = [recipients[index], this.issuers.payerOf(account.program)];
        if (!recipient || !payer) {
          fail(account, recipient ? 'payer_unknown' : 'recipient_unknown');
          continue;
        }
        const statementId = randomUUID();
        const form = { statementId, account, recipient, payer, ledger, issuedOn: today(account) };
        take({
          ...{
            account,
            statementId,
            documentType: 'TAX_1099',
            statementDate: period.end,
            throughSeq: ledger.throughSeq,
          },
          content: taxFormContent({ ...form, taxYear: Number(period.start.slice(0, 4)) }),
          ...{ amountMinor: ledger.interestMinor, known: ledger.known },
          correctsStatementId: ledger.last?.statementId ?? null,
        });
      }
    });
  }

  private isFormDue({ accountId, currency }: IssueAccount, ledger: TaxYear): boolean {
    if (!ledger.last) return ledger.interestMinor > 0n;
    const { statementId, sealedKey, content } = ledger.last;
    const issued = JSON.parse(
      this.vault.open(accountId, statementId, sealedKey, 'content', content).toString(),
    ) as TaxFormContent;
    return canonicalJson({ ...issued.boxes }) !== canonicalJson({ ...boxesOf(ledger, currency) });
  }

  /** Looks at the accounts whose period is over. One whose data cannot be opened fails alone. */
  private async batch(
    range: AccountRange,
    period: Period,
    look: (
      accounts: readonly IssueAccount[],
      take: (document: DueDocument) => void,
      fail: (account: IssueAccount, code: string) => void,
    ) => Promise<void>,
  ): Promise<Batch> {
    const accounts = await accountsBetween(this.database, { ...range, end: period.end });
    const ready = accounts.filter(({ isOver }) => isOver);
    const due: DueDocument[] = [];
    const failures: IssueFailure[] = [];
    const fail = ({ accountId }: IssueAccount, code: string): void => void failures.push({ accountId, code });
    for (const few of readTogether(ready)) {
      const found: DueDocument[] = [];
      try {
        await look(few, document => found.push(document), fail);
        due.push(...found);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        await this.oneByOne(few, look, due, fail);
      }
    }
    return { accounts: accounts.length, due, early: accounts.length - ready.length, failures };
  }

  private async oneByOne(
    accounts: readonly IssueAccount[],
    look: (
      accounts: readonly IssueAccount[],
      take: (document: DueDocument) => void,
      fail: (account: IssueAccount, code: string) => void,
    ) => Promise<void>,
    due: DueDocument[],
    fail: (account: IssueAccount, code: string) => void,
  ): Promise<void> {
    for (const account of accounts) {
      try {
        await look([account], document => due.push(document), fail);
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
        fail(account, 'unreadable');
      }
    }
  }
}

/** Accounts that are read together: a few of many entries, or many of few. */
function readTogether(accounts: readonly IssueAccount[]): IssueAccount[][] {
  const groups: IssueAccount[][] = [];
  let room = 0;
  for (const account of accounts) {
    const entries = Math.min(Number(account.lastSeq), MAX_ENTRIES);
    if (room < entries || groups.length === 0) {
      groups.push([]);
      room = MAX_READ;
    }
    groups.at(-1)?.push(account);
    room -= entries;
  }
  return groups;
}

function idOf({ accountId }: IssueAccount): string {
  return accountId;
}

/** Today on the clock of the account. */
function today({ timeZone }: IssueAccount): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
}
