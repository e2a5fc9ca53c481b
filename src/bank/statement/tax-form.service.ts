import { raw, type FilterQuery, type FindOptions } from '@mikro-orm/core';
import type { Database } from '../../platform/database/orm.js';
import { canonicalJson } from '../../shared/json.js';
import type { KeptTaxForm } from './statement.content.js';
import { Statement } from './statement.entity.js';
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

/** True if two forms say the same to the IRS. */
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
    const which = { ...lastOf(of), ...(after !== null && { accountId: { $gt: after } }) };
    return this.found(which, { orderBy: { accountId: 'asc' }, limit });
  }

  /** The last forms of these accounts. */
  async lastOfAccounts(of: ProgramYear, accountIds: readonly string[]): Promise<TaxFormRead[]> {
    if (accountIds.length === 0) return [];
    return this.found({ ...lastOf(of), accountId: { $in: [...accountIds] } });
  }

  /** All forms of these accounts for the year that ends with a day, the first one first. */
  async allOfAccounts(accountIds: readonly string[], day: string): Promise<Map<string, TaxFormRead[]>> {
    if (accountIds.length === 0) return new Map();
    const which = { accountId: { $in: [...accountIds] }, statementDate: day };
    return Map.groupBy(await this.found(which, { orderBy: { issuedAt: 'asc' } }), ({ accountId }) => accountId);
  }

  /** One form, or null. */
  async one(accountId: string, statementId: string): Promise<TaxFormRead | null> {
    const [form] = await this.found({ accountId, statementId });
    return form ?? null;
  }

  /** Each of these forms, in their order; null where there is none. */
  async each(
    forms: readonly Pick<TaxFormRead, 'accountId' | 'statementId'>[],
  ): Promise<readonly (TaxFormRead | null)[]> {
    if (forms.length === 0) return [];
    const [accountIds, statementIds] = [forms.map(form => form.accountId), forms.map(form => form.statementId)];
    const found = await this.found({ accountId: { $in: accountIds }, statementId: { $in: statementIds } });
    const byKey = new Map(found.map(form => [`${form.accountId} ${form.statementId}`, form]));
    return forms.map(({ accountId, statementId }) => byKey.get(`${accountId} ${statementId}`) ?? null);
  }

  private async found(
    which: FilterQuery<Statement>,
    options: Pick<FindOptions<Statement>, 'orderBy' | 'limit'> = {},
  ): Promise<TaxFormRead[]> {
    const forms = await this.database
      .primary()
      .find(Statement, { $and: [TAX_FORMS, which] }, { ...options, fields: READ });
    return forms.map(form => this.opened(form));
  }

  private opened(row: Pick<Statement, (typeof READ)[number]>): TaxFormRead {
    const { accountId, statementId, amountMinor, sealedKey, content } = row;
    const opened = this.vault.open(accountId, statementId, sealedKey, 'content', content as Buffer);
    const form = JSON.parse(opened.toString()) as KeptTaxForm;
    return { accountId, statementId, interestMinor: amountMinor ?? 0n, form };
  }
}

const READ = ['accountId', 'statementId', 'amountMinor', 'sealedKey', 'content'] as const;
const TAX_FORMS = { documentType: 'TAX_1099', source: 'PLATFORM' } as const;

function lastOf({ program, taxYear }: ProgramYear) {
  const isLast = raw(
    form =>
      `NOT EXISTS (SELECT FROM statement c WHERE c.account_id = ${form}.account_id AND c.corrects_statement_id = ${form}.statement_id)`,
  );
  return { program, statementDate: `${taxYear}-12-31`, [isLast]: [] };
}
