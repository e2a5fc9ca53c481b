import type { Request, Router } from 'express';
import {
  REPORT_FORMATS,
  bytesOf,
  type ReportFormat,
  type ReportFormatName,
} from '../../../lib/account-report/formats.js';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { FORMAT_PARAMETERS, bomOf, chosenForm, type Form } from '../../platform/http/format.js';
import { unitsOfFile } from '../../platform/http/gate.js';
import { contractRecord, joined, jsonOfText } from '../../platform/http/json.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../../platform/http/query.js';
import { JSON_TYPE, sendText } from '../../platform/http/send.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { readInput } from '../../platform/input/read-input.js';
import { InvalidInput } from '../../shared/errors.js';
import type { PageRequest } from '../../shared/page.js';
import { ReportQuery } from './report/report.inputs.js';
import type { ReportService } from './report/report.service.js';
import { LIST_CRITERIA, SINGLE_CRITERIA, filtersOf } from './transaction.criteria.js';
import type { TransactionRead } from './transaction.entity.js';
import { TransactionQuery } from './transaction.filter.js';
import type { HistoryPage, TransactionService } from './transaction.service.js';
import { READ_TRANSACTIONS } from './transaction.operations.js';

/** Carried by the next link: postings after it stay out of the following pages. */
const SNAPSHOT = 'snapshot';

/** The forms of a history, the contract's first. Only that one has pages and filters. */
const JSON_FORM: Form = { format: 'json', contentType: 'application/json; charset=utf-8' };
const FORMS: readonly Form[] = [
  JSON_FORM,
  ...Object.entries(REPORT_FORMATS).map(([format, { contentType }]) => ({ format, contentType })),
];

/** Contract 4.10, and the formats of accounting programs. */
export function transactionRoutes(history: TransactionService, reports: ReportService): Router {
  const router = exactRouter();
  router.get('/accounts/:accountId/transactions', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_TRANSACTIONS);
    const { accountId } = req.params;
    const query = queryOf(req, [...PAGE_PARAMETERS, SNAPSHOT, ...SINGLE_CRITERIA, ...FORMAT_PARAMETERS], LIST_CRITERIA);
    const form = chosenForm(req, query, FORMS);
    const bom = bomOf(query, form);
    if (form !== JSON_FORM) {
      const { startTime: start, endTime: end } = readInput(ReportQuery, daysOf(req));
      const { report, count } = await reports.open(caller, accountId, { start, end });
      await exchangeOf(req).charge(unitsOfFile(count));
      const written: ReportFormat = REPORT_FORMATS[form.format as ReportFormatName];
      const fileName = `transactions-${start}-${end}${written.extension}`;
      return sendStream(req, res, { ...form, fileName }, bytesOf(written, report, bom));
    }
    const request = pageOf(query);
    const criteria = readInput(TransactionQuery, filtersOf(query));
    const page = await history.page(caller, accountId, request, criteria, snapshotOf(query));
    return sendText(exchangeOf(req), 200, JSON_TYPE, listToRest(accountId, query, request, page));
  });
  return refuseOtherMethods(router);
}

/** The days of a file. A filter or a page of it would have no balances, so it takes no other parameter. */
function daysOf(request: Request): object {
  const query = queryOf(request, [...FORMAT_PARAMETERS, 'startTime', 'endTime']);
  for (const name of FORMAT_PARAMETERS) query.delete(name);
  return Object.fromEntries(query);
}

function snapshotOf(query: URLSearchParams): number | null {
  const text = query.get(SNAPSHOT);
  if (text === null) return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidInput('malformed', [
    {
      pointer: `/${SNAPSHOT}`,
      code: 'format',
      detail: 'Must be the value of the next link. Follow links.next without changing it.',
    },
  ]);
}

function listToRest(
  accountId: string,
  query: URLSearchParams,
  { offset, limit }: PageRequest,
  { items, total, snapshot }: HistoryPage,
): string | Buffer {
  const next = offset + limit;
  const hasNext = next < total;
  const page = { ...(hasNext && { nextOffset: next }), totalElements: total };
  const links = hasNext ? { next: { href: nextHref(accountId, query, next, limit, snapshot) } } : {};
  return joined([
    `{"page":${JSON.stringify(page)},"links":${JSON.stringify(links)},"transactions":[`,
    ...items.map((item, index) => `${index > 0 ? ',' : ''}{"depositTransaction":${restOf(item)}}`),
    ']}',
  ]);
}

function nextHref(accountId: string, query: URLSearchParams, offset: number, limit: number, snapshot: number): string {
  const page = `/accounts/${encodeURIComponent(accountId)}/transactions?offSet=${offset}&limit=${limit}&${SNAPSHOT}=${snapshot}`;
  const filters = [...query].filter(([name]) => [...SINGLE_CRITERIA, ...LIST_CRITERIA].some(filter => filter === name));
  return filters.length === 0 ? page : `${page}&${new URLSearchParams(filters).toString()}`;
}

/**
 * The JSON of a transaction by contract 2.4. It is written out, since most columns are texts that need no escaping:
 * an object of them would cost a page of a history a sixth of its requests. The lists that are always empty are not
 * stored.
 */
function restOf(read: TransactionRead): string {
  return (
    `{"transactionId":${jsonOfText(read.transactionId)}` +
    `,"referenceTransactionId":${jsonOfText(read.referenceTransactionId ?? '')}` +
    `,"reference":${jsonOfText(read.reference ?? '')}` +
    `,"accountId":${jsonOfText(read.accountId)}` +
    // Numbers with all their digits: `1250.00`.
    `,"amount":${read.amount}` +
    `,"availableBalance":${read.availableBalance}` +
    `,"debitCreditMemo":"${read.debitCreditMemo}"` +
    `,"category":${jsonOfText(read.category)}` +
    `,"transactionType":${jsonOfText(read.transactionType)}` +
    `,"status":"${read.status}"` +
    `,"description":${jsonOfText(read.description ?? '')}` +
    `,"memo":${jsonOfText(read.memo ?? '')}` +
    `,"transactionTime":"${read.transactionTime}"` +
    `,"transactionTimestamp":"${read.transactionTimestamp}"` +
    `,"postedTime":"${read.postedTime ?? ''}"` +
    `,"postedTimestamp":"${read.postedTimestamp ?? ''}"` +
    `,"additionalInformation":${read.additionalInformationJson}` +
    `,"lineItem":${linesOf(read)}` +
    `,"imageIds":[],"fiAttributes":[],"links":[]}`
  );
}

function linesOf(read: TransactionRead): string {
  if (read.lineItemJson === '[]') return '[]';
  return JSON.stringify(
    read.lineItem.map(({ description, reference, imageIds }) =>
      contractRecord({ description, reference, imageIds, links: [] }),
    ),
  );
}
