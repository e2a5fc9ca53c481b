import { randomUUID } from 'node:crypto';
import type { OwnerService } from '../../owner/owner.service.js';
import type { Database } from '../../platform/database/orm.js';
import { canonicalJson } from '../../shared/json.js';
import type { TaxFormContent } from '../statement.content.js';
import type { StatementVault } from '../statement.vault.js';
import { lookAtBatch, type AccountRange, type Batch, type DueDocument } from './account-batch.js';
import { ownersOf, primaryOwnersAt, type IssueAccount } from './issue-accounts.js';
import type { IssueFailure } from './issue-run.entity.js';
import type { Issuers } from './issuers.js';
import { isStatementDue, monthlyContent } from './monthly.content.js';
import { MAX_ENTRIES, readMonth } from './monthly.ledger.js';
import type { Period } from './period.js';
import { boxesOf, taxFormContent } from './tax-form.content.js';
import { readTaxYear, type TaxYear } from './tax-form.ledger.js';

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
    return lookAtBatch(this.database, range, period, async accounts => {
      const [due, failures]: [DueDocument[], IssueFailure[]] = [[], []];
      const months = await readMonth(this.database, accounts, period);
      const owners = await ownersOf(this.database, this.owners, accounts.map(idOf));
      for (const [index, ledger] of months.entries()) {
        const account = accounts[index] as IssueAccount;
        if (!ledger || !isStatementDue(ledger)) continue;
        if (ledger.entries.length > MAX_ENTRIES) {
          failures.push({ accountId: account.accountId, code: 'too_many_entries' });
          continue;
        }
        const statementId = randomUUID();
        const { content, closingMinor } = monthlyContent({
          ...{ statementId, account, period, ledger, issuedOn: today(account), owners: owners[index] ?? [] },
          issuer: this.issuers.of(account.program),
        });
        const { known, throughSeq } = ledger;
        due.push({
          ...{ account, statementId, documentType: 'STATEMENTS', content, statementDate: period.end },
          ...{ throughSeq, known, amountMinor: closingMinor, correctsStatementId: null },
        });
      }
      return { due, failures };
    });
  }

  /** The forms of a tax year that are missing, and those that correct one whose boxes are no longer what the ledger says. */
  async taxForms(range: AccountRange, period: Period): Promise<Batch> {
    return lookAtBatch(this.database, range, period, async accounts => {
      const [due, failures]: [DueDocument[], IssueFailure[]] = [[], []];
      const years = await readTaxYear(this.database, accounts, period);
      const accountsDue = years.flatMap((ledger, index) => {
        const account = accounts[index] as IssueAccount;
        return this.isFormDue(account, ledger) ? [{ account, ledger }] : [];
      });
      const ids = accountsDue.map(({ account }) => account.accountId);
      const recipients = await primaryOwnersAt(this.database, this.owners, ids, period.end);
      for (const [index, { account, ledger }] of accountsDue.entries()) {
        const [recipient, payer] = [recipients[index], this.issuers.payerOf(account.program)];
        if (!recipient || !payer) {
          failures.push({ accountId: account.accountId, code: recipient ? 'payer_unknown' : 'recipient_unknown' });
          continue;
        }
        const statementId = randomUUID();
        const form = { statementId, account, recipient, payer, ledger, issuedOn: today(account) };
        const content = taxFormContent({ ...form, taxYear: Number(period.start.slice(0, 4)) });
        const { known, throughSeq, interestMinor, last } = ledger;
        due.push({
          ...{ account, statementId, documentType: 'TAX_1099', content, statementDate: period.end },
          ...{ throughSeq, known, amountMinor: interestMinor, correctsStatementId: last?.statementId ?? null },
        });
      }
      return { due, failures };
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
}

function idOf({ accountId }: IssueAccount): string {
  return accountId;
}

/** Today on the clock of the account. */
function today({ timeZone }: IssueAccount): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(new Date());
}
