import { returnedBoxes, returnedRecipient, type Database, type TaxFormRead, type TaxFormService } from 'tillgate/noun';
import { SUBMISSION_ID } from '../iris/iris-xml.js';
import {
  TaxFiling,
  TaxFilingForm,
  TaxTransmission,
  type TaxFilingKind,
  type TaxFilingState,
} from '../tax-filing.entity.js';

/** A return that is to be filed. */
export interface DueReturn {
  readonly accountId: string;
  readonly statementId: string;
  readonly form: TaxFormRead['form'];
  /** True if its amounts are zero, since it takes another one back. */
  readonly isZero: boolean;
  /** The return that it corrects, by the ids of the IRS; null for an original. */
  readonly corrects: string | null;
}

/** A payer and a tax year. */
export interface PayerYear {
  readonly program: string;
  readonly taxYear: number;
  /** True if the returns are for the test system of the IRS, of which the other one knows nothing. */
  readonly isTest: boolean;
}

/** The number of forms that are read at a time, which is some megabytes. */
const FORMS_AT_ONCE = 500;

/** A return that the IRS has accepted. */
type AcceptedReturn = Pick<TaxFilingForm, 'accountId' | 'statementId' | 'isZero'> & {
  /** `receipt|submission|record`. */
  readonly uniqueId: string;
  /** True if another return took it back, since its recipient was wrong. */
  readonly isTakenBack: boolean;
};

/**
 * The returns of a year that are to be filed as originals, or as corrections of what was accepted, by their accounts.
 *
 * A wrong name or tax id takes two returns: a correction with zero amounts of what was filed, and an original (General
 * Instructions for Certain Information Returns, error type 2). A wrong amount takes one correction.
 */
export async function* dueReturns(
  { database, taxForms }: { readonly database: Database; readonly taxForms: TaxFormService },
  of: PayerYear,
  kind: Exclude<TaxFilingKind, 'REPLACEMENT'>,
): AsyncGenerator<DueReturn> {
  for (let after: string | null = null; ;) {
    const page: TaxFormRead[] = await taxForms.last(of, after, FORMS_AT_ONCE);
    const accepted = await acceptedReturns(
      database,
      of,
      page.map(({ accountId }) => accountId),
    );
    for (const last of page) {
      const filed = accepted.get(last.accountId) ?? null;
      const before = filed && filed.statementId !== last.statementId ? await formOf(taxForms, filed) : null;
      const due = dueReturnOf(kind, last, filed, before);
      if (due) yield due;
    }
    if (page.length < FORMS_AT_ONCE) return;
    after = page.at(-1)?.accountId ?? null;
  }
}

/** Returns what is due for an account whose last return, if any, was filed of the form `before`. */
function dueReturnOf(
  kind: TaxFilingKind,
  last: TaxFormRead,
  filed: AcceptedReturn | null,
  before: TaxFormRead | null,
): DueReturn | null {
  const { accountId, statementId, form } = last;
  const boxes = returnedBoxes(form);
  const isReported = boxes !== null;
  const original = { accountId, statementId, form, isZero: false, corrects: null };
  if (!filed || filed.isTakenBack) return kind === 'ORIGINAL' && isReported ? original : null;
  if (!before) return null;
  if (returnedRecipient(before.form) !== returnedRecipient(form)) {
    if (kind === 'ORIGINAL') return isReported ? original : null;
    return filed.isZero
      ? null
      : { accountId, statementId: before.statementId, form: before.form, isZero: true, corrects: filed.uniqueId };
  }
  const isZero = !isReported;
  const isSame = filed.isZero === isZero && (isZero || returnedBoxes(before.form) === boxes);
  if (kind === 'ORIGINAL' || isSame) return null;
  return { accountId, statementId, form, isZero, corrects: filed.uniqueId };
}

/** The forms of returns that were rejected, as they are now, in their order. */
export async function* rejectedReturns(
  { database, taxForms }: { readonly database: Database; readonly taxForms: TaxFormService },
  of: PayerYear,
  { filingId, part }: Pick<TaxTransmission, 'filingId' | 'part'>,
): AsyncGenerator<DueReturn> {
  for (let after = 0; ;) {
    const rows: TaxFilingForm[] = await database
      .primary()
      .find(
        TaxFilingForm,
        { filingId, part, recordId: { $gt: after } },
        { orderBy: { recordId: 'asc' }, limit: FORMS_AT_ONCE },
      );
    const ids = rows.map(({ accountId }) => accountId);
    const last = new Map((await taxForms.lastOfAccounts(of, ids)).map(form => [form.accountId, form]));
    for (const { accountId, statementId, isZero, corrects } of rows) {
      const wrong = isZero ? await formOf(taxForms, { accountId, statementId }) : null;
      const now = wrong ?? last.get(accountId);
      if (!now) continue;
      const isReported = returnedBoxes(now.form) !== null;
      // Nothing has to be filed any more of an original that was never accepted.
      if (corrects === null && !isReported) continue;
      yield { accountId, statementId: now.statementId, form: now.form, isZero: isZero || !isReported, corrects };
    }
    if (rows.length < FORMS_AT_ONCE) return;
    after = rows.at(-1)?.recordId ?? after;
  }
}

async function formOf(
  taxForms: TaxFormService,
  { accountId, statementId }: Pick<TaxFilingForm, 'accountId' | 'statementId'>,
): Promise<TaxFormRead> {
  const found = await taxForms.one(accountId, statementId);
  if (!found) throw new Error('a form that was filed has vanished');
  return found;
}

/** The last return of each account that the IRS has accepted. */
async function acceptedReturns(
  database: Database,
  { program, taxYear, isTest }: PayerYear,
  accountIds: readonly string[],
): Promise<Map<string, AcceptedReturn>> {
  if (accountIds.length === 0) return new Map();
  const em = database.primary();
  const filings = await em.find(TaxFiling, { program, taxYear, isTest }, { fields: ['filingId'] });
  const of = { $in: filings.map(one => one.filingId) };
  const state = { $in: ['ACCEPTED', 'ACCEPTED_WITH_ERRORS'] satisfies TaxFilingState[] };
  const rows = await em.find(
    TaxFilingForm,
    { program, taxYear, accountId: { $in: [...accountIds] }, filingId: of, state },
    { orderBy: { filedAt: 'asc' } },
  );
  const filingId = { $in: [...new Set(rows.map(row => row.filingId))] };
  const part = { $in: [...new Set(rows.map(row => row.part))] };
  const sent = rows.length > 0 ? await em.find(TaxTransmission, { filingId, part }) : [];
  const receipts = new Map(sent.map(one => [`${one.filingId} ${one.part}`, one.receiptId ?? one.transmissionId]));
  const byAccount = Map.groupBy(rows, ({ accountId }) => accountId);
  return new Map(
    [...byAccount].flatMap(([accountId, returns]) => {
      const taken = new Set(returns.filter(one => takesBack(one, returns)).map(one => one.statementId));
      const last = returns.findLast(one => !takesBack(one, returns));
      if (!last) return [];
      const { filingId: id, part: number, recordId, statementId, isZero } = last;
      const uniqueId = `${receipts.get(`${id} ${number}`) ?? ''}|${SUBMISSION_ID}|${recordId}`;
      return [[accountId, { accountId, statementId, isZero, uniqueId, isTakenBack: taken.has(statementId) }] as const];
    }),
  );
}

/** True for a return with zero amounts of a form that was filed with its own. */
function takesBack({ statementId, isZero }: TaxFilingForm, returns: readonly TaxFilingForm[]): boolean {
  return isZero && returns.some(one => one.statementId === statementId && !one.isZero);
}
