import { Router } from 'express';
import { callerOf } from '../platform/http/caller.js';
import { exactNumber } from '../platform/http/exact-number.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../platform/http/query.js';
import { readInput } from '../platform/input/read-input.js';
import { InvalidInput } from '../shared/errors.js';
import type { PageRequest } from '../shared/page.js';
import type { TransactionView } from './transaction.entity.js';
import { TransactionQuery } from './transaction.inputs.js';
import type { HistoryPage, TransactionService } from './transaction.service.js';

const CHOICES = ['status', 'debitCreditMemo', 'category', 'transactionType'] as const;
const SINGLE = ['startTime', 'endTime', 'minAmount', 'maxAmount', 'search'] as const;
/** Carried by the next link: postings after it stay out of the following pages. */
const SNAPSHOT = 'snapshot';

/** Contract 4.10. */
export function transactionRoutes(history: TransactionService): Router {
  const router = Router();
  router.get('/accounts/:accountId/transactions', async (req, res) => {
    const caller = callerOf(req);
    caller.require('transactions.read');
    const query = queryOf(req, [...PAGE_PARAMETERS, SNAPSHOT, ...SINGLE], CHOICES);
    const request = pageOf(query);
    const criteria = readInput(TransactionQuery, filtersOf(query));
    const page = await history.page(caller, req.params.accountId, request, criteria, snapshotOf(query));
    res.json(listToRest(req.params.accountId, query, request, page));
  });
  return router;
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
    { pointer: `/${SNAPSHOT}`, code: 'format', detail: 'Must be as the next link gave it.' },
  ]);
}

function listToRest(
  accountId: string,
  query: URLSearchParams,
  { offset, limit }: PageRequest,
  { items, total, snapshot }: HistoryPage,
): object {
  const next = offset + limit;
  const hasNext = next < total;
  return {
    page: { ...(hasNext && { nextOffset: next }), totalElements: total },
    links: hasNext ? { next: { href: nextHref(accountId, query, next, limit, snapshot) } } : {},
    transactions: items.map(transaction => ({ depositTransaction: toRest(transaction) })),
  };
}

function nextHref(accountId: string, query: URLSearchParams, offset: number, limit: number, snapshot: number): string {
  const page = `/accounts/${encodeURIComponent(accountId)}/transactions?offSet=${offset}&limit=${limit}&${SNAPSHOT}=${snapshot}`;
  const filters = [...query].filter(([name]) => [...SINGLE, ...CHOICES].some(filter => filter === name));
  return filters.length === 0 ? page : `${page}&${new URLSearchParams(filters).toString()}`;
}

/** Contract 2.4. Of the lists that are always empty there, none is kept. */
function toRest(view: TransactionView): object {
  return {
    transactionId: view.transactionId,
    referenceTransactionId: view.referenceTransactionId,
    reference: view.reference,
    accountId: view.accountId,
    amount: exactNumber(view.amount),
    availableBalance: exactNumber(view.availableBalance),
    debitCreditMemo: view.debitCreditMemo,
    category: view.category,
    transactionType: view.transactionType,
    status: view.status,
    description: view.description,
    memo: view.memo,
    transactionTime: view.transactionTime,
    transactionTimestamp: view.transactionTimestamp,
    postedTime: view.postedTime,
    postedTimestamp: view.postedTimestamp,
    additionalInformation: view.additionalInformation,
    lineItem: view.lineItem.map(({ description, reference, imageIds }) => ({
      description,
      reference,
      imageIds,
      links: [],
    })),
    imageIds: [],
    fiAttributes: [],
    links: [],
  };
}
