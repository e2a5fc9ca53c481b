import type { Router } from 'express';
import { callerOf, exchangeOf } from '../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { contractRecord, joined, jsonOfText } from '../platform/http/json.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../platform/http/query.js';
import { JSON_TYPE, sendText } from '../platform/http/send.js';
import { readInput } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import type { PageRequest } from '../shared/page.js';
import { LIST_CRITERIA, SINGLE_CRITERIA } from './transaction.criteria.js';
import { TransactionQuery } from './transaction.filter.js';
import type { TransactionRead } from './transaction.row.js';
import type { HistoryPage, TransactionService } from './transaction.service.js';

/** Carried by the next link: postings after it stay out of the following pages. */
const SNAPSHOT = 'snapshot';

/** Contract 4.10. */
export function transactionRoutes(history: TransactionService): Router {
  const router = exactRouter();
  router.get('/accounts/:accountId/transactions', async req => {
    const caller = callerOf(req);
    caller.require('transactions.read');
    const query = queryOf(req, [...PAGE_PARAMETERS, SNAPSHOT, ...SINGLE_CRITERIA], LIST_CRITERIA);
    const request = pageOf(query);
    const criteria = readInput(TransactionQuery, filtersOf(query));
    const page = await history.page(caller, req.params.accountId, request, criteria, snapshotOf(query));
    await sendText(exchangeOf(req), 200, JSON_TYPE, listToRest(req.params.accountId, query, request, page));
  });
  return refuseOtherMethods(router);
}

function filtersOf(query: URLSearchParams): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const name of SINGLE_CRITERIA) if (query.has(name)) filters[name] = query.get(name);
  for (const name of LIST_CRITERIA) {
    if (query.has(name)) filters[name] = query.getAll(name).flatMap(text => text.split(','));
  }
  return filters;
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

function linesOf({ lineItem }: TransactionRead): string {
  if (lineItem.length === 0) return '[]';
  return JSON.stringify(
    lineItem.map(({ description, reference, imageIds }) =>
      contractRecord({ description, reference, imageIds, links: [] }),
    ),
  );
}
