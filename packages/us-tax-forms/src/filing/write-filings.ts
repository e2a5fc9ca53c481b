import type { Database, TaxFormService } from 'tillgate/noun';
import { irisFormatOf } from '../iris/iris-format.js';
import { returnedForm } from '../iris/returned-form.js';
import { TaxTransmission, type TaxFilingRead } from '../tax-filing.entity.js';
import type { TaxFilingRepository } from '../tax-filing.repository.js';
import { dueReturns, rejectedReturns, type DueReturn } from './due-returns.js';
import { FilingWriter } from './filing-writer.js';
import { UnfiledForms } from './unfiled-forms.js';

/** The services that the job of a filing takes. */
export interface FilingServices {
  readonly database: Database;
  readonly taxForms: TaxFormService;
  readonly filings: TaxFilingRepository;
}

/**
 * Writes the drafts of one order: the corrections and the originals of a year; or, where the IRS rejected files, what
 * replaces them. A draft that another order has replaced, or that is written already, is left as it is; one that was
 * begun is begun anew. Throws when `stop` is aborted, so that the job is tried again.
 */
export async function writeFilings(
  of: FilingServices,
  filingIds: readonly string[],
  stop?: AbortSignal,
): Promise<void> {
  const found = await Promise.all(filingIds.map(filingId => of.filings.one(filingId)));
  const drafts = found.filter(filing => filing?.state === 'DRAFT');
  for (const [index, draft] of drafts.entries()) {
    if (draft) await writeFiling(of, draft, index === 0 && drafts.length === filingIds.length, stop);
  }
}

async function writeFiling(of: FilingServices, draft: TaxFilingRead, isFirst: boolean, stop?: AbortSignal) {
  const { database } = of;
  const format = irisFormatOf(draft.taxYear);
  const unfiled = new UnfiledForms(database, draft);
  if (isFirst && draft.kind !== 'REPLACEMENT') await unfiled.begin();
  const writer = new FilingWriter({ database, format, draft });
  await writer.begin();
  for await (const { due, originalReceiptId } of returnsOf(of, draft)) {
    if (stop?.aborted) throw new Error('The process ends, so the returns are written when the job is tried again.');
    if (due === null) {
      await writer.beginPart(originalReceiptId);
      continue;
    }
    const form = returnedForm(format, due.accountId, due.form, due.isZero);
    if (typeof form === 'string') await unfiled.add(due.accountId, form);
    else await writer.add(due, form);
  }
  await unfiled.end();
  await writer.end();
}

/** A return; or null where a file begins that replaces one with this receipt. */
interface NextReturn {
  readonly due: DueReturn | null;
  readonly originalReceiptId: string | null;
}

async function* returnsOf(of: FilingServices, draft: TaxFilingRead): AsyncGenerator<NextReturn> {
  if (draft.kind !== 'REPLACEMENT') {
    for await (const due of dueReturns(of, draft, draft.kind)) yield { due, originalReceiptId: null };
    return;
  }
  const rejected = { filingId: draft.replaces ?? '', state: 'REJECTED' } as const;
  const parts = await of.database.primary().find(TaxTransmission, rejected, { orderBy: { part: 'asc' } });
  for (const part of parts) {
    yield { due: null, originalReceiptId: part.receiptId };
    for await (const due of rejectedReturns(of, draft, part)) yield { due, originalReceiptId: null };
  }
}
