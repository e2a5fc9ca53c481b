import { kyselyOf, type Database } from '../../platform/database/orm.js';
import { canonicalJson } from '../../shared/json.js';
import type { KeptTaxForm } from './statement.content.js';
import type { Statement } from './statement.entity.js';
import type { StatementVault } from './statement.vault.js';

/** A Form 1099-INT that was issued here, with what no reader is shown. */
export interface TaxFormRead {
  readonly accountId: string;
  readonly statementId: string;
  /** The interest of the ledger in minor units: below zero where more was taken back than was paid. */
  readonly interestMinor: bigint;
  readonly form: KeptTaxForm;
}

/** A program and a tax year. */
interface ProgramYear {
  readonly program: string;
  readonly taxYear: number;
}

/** The recipient as a return names it. A wrong one takes two returns. */
export function returnedRecipient({ recipient, recipientTaxId }: KeptTaxForm): string {
  return canonicalJson([recipient.name.replaceAll(/\s+/g, ' ').toUpperCase(), recipientTaxId ?? null]);
}

/** The amounts of a return, and the state with the payer's number there; null where they are zero. */
export function returnedBoxes({ boxes, irsReportable, reportedAsZero }: KeptTaxForm): string | null {
  return irsReportable && reportedAsZero !== true ? canonicalJson({ ...boxes }) : null;
}

/** Whether two forms say the same to the IRS. */
export function isSameReturn(one: KeptTaxForm, other: KeptTaxForm): boolean {
  return returnedRecipient(one) === returnedRecipient(other) && returnedBoxes(one) === returnedBoxes(other);
}

/** The Forms 1099-INT of programs, for their returns to the IRS. They have whole tax ids, and are shown to nobody. */
export class TaxFormService {
  constructor(
    private readonly database: Database,
    private readonly vault: StatementVault,
  ) {}

  /** The last form of each account of a year, which no other one corrects, by the ids of the accounts after one. */
  async last(of: ProgramYear, after: string | null, limit: number): Promise<TaxFormRead[]> {
    const rows = await this.lastOf(of)
      .$if(after !== null, forms => forms.where('s.accountId', '>', after ?? ''))
      .orderBy('s.accountId')
      .limit(limit)
      .execute();
    return rows.map(row => this.opened(row));
  }

  /** The last forms of these accounts. */
  async lastOfAccounts(of: ProgramYear, accountIds: readonly string[]): Promise<TaxFormRead[]> {
    if (accountIds.length === 0) return [];
    const rows = await this.lastOf(of).where('s.accountId', 'in', accountIds).execute();
    return rows.map(row => this.opened(row));
  }

  /** All forms of these accounts for the year that ends with a day, the first one first. */
  async allOfAccounts(accountIds: readonly string[], day: string): Promise<Map<string, TaxFormRead[]>> {
    if (accountIds.length === 0) return new Map();
    const rows = await this.forms()
      .where('s.accountId', 'in', accountIds)
      .where('s.statementDate', '=', day)
      .orderBy('s.issuedAt')
      .execute();
    return Map.groupBy(
      rows.map(row => this.opened(row)),
      ({ accountId }) => accountId,
    );
  }

  /** One form, or null. */
  async one(accountId: string, statementId: string): Promise<TaxFormRead | null> {
    const row = await this.forms()
      .where('s.accountId', '=', accountId)
      .where('s.statementId', '=', statementId)
      .executeTakeFirst();
    return row ? this.opened(row) : null;
  }

  private forms() {
    return kyselyOf<{ Statement: Statement }>(this.database.primary())
      .selectFrom('Statement as s')
      .select(['s.accountId', 's.statementId', 's.amountMinor', 's.sealedKey', 's.content'])
      .where('s.documentType', '=', 'TAX_1099')
      .where('s.source', '=', 'PLATFORM');
  }

  private lastOf({ program, taxYear }: ProgramYear) {
    return this.forms()
      .where('s.program', '=', program)
      .where('s.statementDate', '=', `${taxYear}-12-31`)
      .where(form =>
        form.not(
          form.exists(
            form
              .selectFrom('Statement as c')
              .select('c.statementId')
              .whereRef('c.accountId', '=', 's.accountId')
              .whereRef('c.correctsStatementId', '=', 's.statementId'),
          ),
        ),
      );
  }

  private opened(row: Pick<Statement, 'accountId' | 'statementId' | 'amountMinor' | 'sealedKey' | 'content'>) {
    const { accountId, statementId, amountMinor, sealedKey, content } = row;
    const opened = this.vault.open(accountId, statementId, sealedKey, 'content', content as Buffer);
    const form = JSON.parse(opened.toString()) as KeptTaxForm;
    return { accountId, statementId, interestMinor: amountMinor ?? 0n, form };
  }
}
