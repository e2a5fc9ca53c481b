import type { Router } from 'express';
import { callerOf, exchangeOf } from '../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../platform/http/exact-router.js';
import { joined } from '../platform/http/json.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../platform/http/query.js';
import { JSON_TYPE, sendText } from '../platform/http/send.js';
import { readInput } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import type { PageRequest } from '../shared/page.js';
import { TransactionQuery } from './transaction.inputs.js';
import { restOf } from './transaction.rest.js';
import type { HistoryPage, TransactionService } from './transaction.service.js';

const CHOICES = ['status', 'debitCreditMemo', 'category', 'transactionType'] as const;
const SINGLE = ['startTime', 'endTime', 'minAmount', 'maxAmount', 'search'] as const;
/** Carried by the next link: postings after it stay out of the following pages. */
const SNAPSHOT = 'snapshot';

/** Contract 4.10. */
export function transactionRoutes(history: TransactionService): Router {
  const router = exactRouter();
  router.get('/accounts/:accountId/transactions', async req => {
    const caller = callerOf(req);
    caller.require('transactions.read');
    const query = queryOf(req, [...PAGE_PARAMETERS, SNAPSHOT, ...SINGLE], CHOICES);
    const request = pageOf(query);
    const criteria = readInput(TransactionQuery, filtersOf(query));
    const page = await history.page(caller, req.params.accountId, request, criteria, snapshotOf(query));
    await sendText(exchangeOf(req), 200, JSON_TYPE, listToRest(req.params.accountId, query, request, page));
  });
  return refuseOtherMethods(router);
}

function filtersOf(query: URLSearchParams): Record<string, unknown> {
  const filters: Record<string, unknown> = {};
  for (const name of SINGLE) if (query.has(name)) filters[name] = query.get(name);
  for (const name of CHOICES) if (query.has(name)) filters[name] = query.getAll(name).flatMap(text => text.split(','));
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
  const filters = [...query].filter(([name]) => [...SINGLE, ...CHOICES].some(filter => filter === name));
  return filters.length === 0 ? page : `${page}&${new URLSearchParams(filters).toString()}`;
}
