import { mkdir } from 'node:fs/promises';
import { UsageError, type Report, type TaxFormService } from 'tillgate/noun';
import { returnedForm, UNFILABLE_REASONS } from '../iris/returned-form.js';
import { TaxTransmission, type TaxFiling, type TaxFilingKind } from '../tax-filing.entity.js';
import { dueReturns, rejectedReturns, type DueReturn } from './due-returns.js';
import { startFilings } from './filing-states.js';
import { FilingWriter, type FilingOrder } from './filing-writer.js';
import { removeFilesOf } from './return-files.js';
import { UnfiledForms } from './unfiled-forms.js';

export interface FileOrder extends FilingOrder {
  readonly taxForms: TaxFormService;
  readonly stop: AbortSignal;
  readonly report: Report;
}

/**
 * Files what is due: the originals and the corrections of a year; or, where the IRS rejected files, what replaces them.
 * Gives the exit status. Throws `UsageError` while the IRS has not answered a filing.
 */
export async function fileReturns(order: FileOrder): Promise<number> {
  const { report, folder, stop } = order;
  await mkdir(folder, { recursive: true }).catch(() => {
    throw new UsageError('The folder in --out cannot be made. Check the path and the permissions.');
  });
  const format = 'template' in order.by ? 'CSV' : 'XML';
  const { rejected, drafts, unfinished } = await startFilings(order.database, order, format);
  await removeFilesOf(folder, unfinished);
  const unfiled = new UnfiledForms(order.database, order);
  if (!rejected) await unfiled.begin();
  const filings: { filingId: string; kind: TaxFilingKind; forms: number }[] = [];
  for (const draft of drafts) {
    const { filingId, kind } = draft;
    const writer = new FilingWriter(order, draft);
    try {
      for await (const due of returnsOf(order, kind, rejected, writer)) {
        if (stop.aborted) break;
        const form = returnedForm(order.format, due.accountId, due.form, due.isZero);
        if (typeof form === 'string') await unfiled.add(due.accountId, form);
        else await writer.add(due, form);
      }
      if (!stop.aborted && (await writer.end())) filings.push({ filingId, kind, forms: writer.forms });
    } catch (error) {
      await writer.discard();
      throw error;
    }
    if (stop.aborted) {
      await writer.discard();
      return 130;
    }
  }
  await unfiled.end();
  for (const { filingId, kind, forms } of filings) {
    report.line(`${kind.toLowerCase()}: ${forms} forms, filing ${filingId}`);
  }
  if (filings.length === 0) report.line('nothing is to be filed');
  for (const { accountId, reason } of unfiled.told) {
    report.line(`not filed: ${accountId}: ${UNFILABLE_REASONS[reason]}`);
  }
  report.result({ filings, unfilable: unfiled.told, unfilableForms: unfiled.count });
  return unfiled.count > 0 ? 1 : 0;
}

async function* returnsOf(
  order: FileOrder,
  kind: TaxFilingKind,
  rejected: TaxFiling | null,
  writer: FilingWriter,
): AsyncGenerator<DueReturn> {
  if (kind !== 'REPLACEMENT') {
    yield* dueReturns(order, order, kind);
    return;
  }
  const { filingId = '' } = rejected ?? {};
  const parts = await order.database
    .primary()
    .find(TaxTransmission, { filingId, state: 'REJECTED' }, { orderBy: { part: 'asc' } });
  for (const part of parts) {
    await writer.beginPart(part.receiptId);
    yield* rejectedReturns(order, order, part);
  }
}
