import { mkdir } from 'node:fs/promises';
import type { Report } from '../../platform/report/report.js';
import { UsageError } from '../../shared/usage-error.js';
import type { TaxFormService } from '../../statement/tax-form.service.js';
import { returnedForm, UNFILABLE_REASONS, type UnfilableReason } from '../iris/returned-form.js';
import { TaxFiling, TaxTransmission, type TaxFilingKind } from '../tax-filing.entity.js';
import { dueReturns, rejectedReturns, type DueReturn } from './due-returns.js';
import { FilingWriter, type FilingOrder } from './filing-writer.js';

export interface FileOrder extends FilingOrder {
  readonly taxForms: TaxFormService;
  readonly stop: AbortSignal;
  readonly report: Report;
}

/** So many returns that cannot be filed are told. All of them are counted. */
const MAX_TOLD = 100;

interface UnfilableReturn {
  readonly accountId: string;
  readonly reason: UnfilableReason;
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
  const rejected = await rejectedFiling(order);
  const kinds: readonly TaxFilingKind[] = rejected ? ['REPLACEMENT'] : ['CORRECTION', 'ORIGINAL'];
  const unfilable: UnfilableReturn[] = [];
  const filings: { filingId: string; kind: TaxFilingKind; forms: number }[] = [];
  for (const kind of kinds) {
    const writer = new FilingWriter(order, kind, rejected?.filingId ?? null);
    await writer.begin();
    try {
      for await (const due of returnsOf(order, kind, rejected, writer)) {
        if (stop.aborted) break;
        const form = returnedForm(order.format, due.accountId, due.form, due.isZero);
        if (typeof form === 'string') unfilable.push({ accountId: due.accountId, reason: form });
        else await writer.add(due, form);
      }
    } catch (error) {
      await writer.discard();
      throw error;
    }
    if (stop.aborted) {
      await writer.discard();
      return 130;
    }
    if (await writer.end()) filings.push({ filingId: writer.filingId, kind, forms: writer.forms });
  }
  for (const { filingId, kind, forms } of filings) {
    report.line(`${kind.toLowerCase()}: ${forms} forms, filing ${filingId}`);
  }
  if (filings.length === 0) report.line('nothing is to be filed');
  for (const { accountId, reason } of unfilable.slice(0, MAX_TOLD)) {
    report.line(`not filed: ${accountId}: ${UNFILABLE_REASONS[reason]}`);
  }
  report.result({
    filings,
    unfilable: unfilable.slice(0, MAX_TOLD).map(({ accountId, reason }) => ({ accountId, reason })),
    unfilableForms: unfilable.length,
  });
  return unfilable.length > 0 ? 1 : 0;
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

/** The filing of the year that the IRS rejected, or null. What was never sent is replaced. */
async function rejectedFiling({ database, program, taxYear, isTest }: FileOrder): Promise<TaxFiling | null> {
  const em = database.em();
  const open = await em.find(
    TaxFiling,
    { program, taxYear, isTest, state: { $in: ['DRAFT', 'EXPORTED', 'SENT', 'REJECTED'] } },
    { orderBy: { createdAt: 'asc' } },
  );
  const sent = open.find(({ state }) => state === 'SENT');
  if (sent) {
    throw new UsageError(
      `The IRS has not answered filing ${sent.filingId}. Hand over its answer with tillgate tax acknowledge FILE first.`,
    );
  }
  const stale = open.filter(({ state }) => state === 'DRAFT' || state === 'EXPORTED').map(({ filingId }) => filingId);
  if (stale.length > 0) {
    await em.nativeUpdate(TaxFiling, { filingId: { $in: stale } }, { state: 'REPLACED', changedAt: new Date() });
  }
  return open.find(({ state }) => state === 'REJECTED') ?? null;
}
