import type { Request, Response } from 'express';
import { ACCOUNT_ID } from '../account/account.rest.js';
import {
  REPORT_FORMATS,
  bytesOf,
  type ReportFormat,
  type ReportFormatName,
} from '../../../lib/account-report/formats.js';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { FORMAT_PARAMETERS, NotAcceptable, bomOf, chosenForm, type Form } from '../../platform/http/format.js';
import { unitsOfFile, unitsOfPdf } from '../../platform/http/gate.js';
import { contractRecord, joined, jsonOfText } from '../../platform/http/json.js';
import { PAGE_PARAMETERS, pageOf, queryOf } from '../../platform/http/query.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { JSON_TYPE, sendText, sendWhole } from '../../platform/http/send.js';
import { readInput } from '../../platform/input/read-input.js';
import { parameter } from '../../platform/openapi/operation.js';
import { EMPTY_LIST } from '../../platform/openapi/schema.js';
import { expressOver, type RestPart } from '../../platform/rest/rest.js';
import { InvalidInput, NotForAgents } from '../../shared/errors.js';
import type { PageRequest } from '../../shared/page.js';
import { balanceOperations, balanceRecords, balanceSchemas, type BalanceServices } from './balance/balance.rest.js';
import { sendProgramHistory } from './program-history.file.js';
import { PROGRAM_HISTORY_FORMS, type ProgramHistoryService } from './program-history.service.js';
import { ReportQuery } from './report/report.inputs.js';
import { FILE_NAME, PROGRAM_HISTORY_CSV, REPORT_CONTENT, formatParameters } from './report/report.rest-record.js';
import {
  MAX_PRINTED_ENTRIES,
  MAX_REPORT_ENTRIES,
  type ReportPrinter,
  type ReportService,
} from './report/report.service.js';
import { reversalOperations, type ReversalServices } from './reversal.rest.js';
import { LIST_CRITERIA, SINGLE_CRITERIA, filtersOf } from './transaction.criteria.js';
import { LineItem, type TransactionRead } from './transaction.entity.js';
import { TooManyTransactions } from './transaction.errors.js';
import { TransactionQuery } from './transaction.filter.js';
import { LineItemInput } from './transaction.inputs.js';
import { READ_PROGRAM_HISTORY, READ_TRANSACTIONS } from './transaction.operations.js';
import { ENTRY, NAMED_ENTRY } from './transaction.rest-record.js';
import type { HistoryPage, TransactionService } from './transaction.service.js';

const FILTERS = {
  startTime: '2025-12-01',
  endTime: '2025-12-31T23:59:59Z',
  status: ['POSTED'],
  category: ['ACH', 'CARD'],
  debitCreditMemo: ['DEBIT'],
  transactionType: ['FEE'],
  minAmount: '5.00',
  maxAmount: '100.00',
  search: 'service fee',
};

/** Carried by the next link: postings after it stay out of the following pages. */
const SNAPSHOT = 'snapshot';

/** The forms of a history, the contract's first. Only that one has pages and filters. */
const JSON_FORM: Form = { format: 'json', contentType: 'application/json; charset=utf-8' };
const PDF_FORM: Form = { format: 'pdf', contentType: 'application/pdf' };
const FORMS: readonly Form[] = [
  JSON_FORM,
  PDF_FORM,
  ...Object.entries(REPORT_FORMATS).map(([format, { contentType }]) => ({ format, contentType })),
];

interface Services {
  readonly history: TransactionService;
  readonly reports: ReportService;
  readonly reportPrinting: ReportPrinter;
  readonly programHistory: ProgramHistoryService;
}
const express = expressOver<Services>();

/** Contract 4.10. */
export const transactionRest: RestPart<Services & BalanceServices & ReversalServices> = {
  tag: { name: 'Transactions', description: 'The history of an account. It is a ledger: its entries never change.' },
  records: [ENTRY, { of: LineItem, limits: LineItemInput, differs: { links: EMPTY_LIST } }, ...balanceRecords],
  schemas: balanceSchemas,
  operations: {
    listTransactions: express(READ_TRANSACTIONS, 'GET /accounts/{accountId}/transactions', {
      summary: 'List transactions',
      description:
        'The history of an account over all payment rails, newest first. A transaction must match all filters. A filter that is repeated matches any of its values, which can also be separated by commas. Follow `links.next` without changing it: it contains the filters, and a limit that keeps new postings from shifting the pages.\n\n`format` or `Accept` asks for a file with all booked transactions from `startTime` to `endTime`, which are then days, with the balances before and after them. A file takes no filters and no paging, and has at most 100,000 transactions. A PDF has at most 5,000, and the names and the address of the owner, so it also needs the scope `statements.read`, and no token of an agent.',
      path: { accountId: ACCOUNT_ID },
      parameters: formatParameters(
        ['json', 'pdf', ...Object.keys(REPORT_FORMATS)],
        'A file instead of a page of the list.',
      ),
      query: {
        input: TransactionQuery,
        examples: FILTERS,
      },
      page: {
        name: 'TransactionPage',
        description: 'A page of the history of an account.',
        elements: ['transactions', 'Newest first, in ledger order.', NAMED_ENTRY],
        next: '/accounts/demo-1001/transactions?offSet=1&limit=1&snapshot=134',
        onlyLinked: [
          parameter(
            'query',
            'snapshot',
            'The value from the next link. Transactions that are posted later do not appear on the following pages.',
            { type: 'integer', minimum: 0, maximum: 10 ** 15 - 1 },
            134,
          ),
        ],
        hasNumbers: true,
        otherForms: {
          headers: { 'Content-Disposition': FILE_NAME },
          content: { 'application/pdf': { schema: {} }, ...REPORT_CONTENT },
        },
      },
      refusals: () => [
        new NotAcceptable([{ format: 'json', contentType: 'application/json' }]),
        new NotForAgents(),
        new TooManyTransactions(MAX_REPORT_ENTRIES),
      ],
      handle: async (req, res, services) => {
        const { accountId } = req.params;
        const query = queryOf(
          req,
          [...PAGE_PARAMETERS, SNAPSHOT, ...SINGLE_CRITERIA, ...FORMAT_PARAMETERS],
          LIST_CRITERIA,
        );
        const form = chosenForm(req, query, FORMS);
        const bom = bomOf(query, form);
        if (form !== JSON_FORM) return sendReport(req, res, services, accountId, form, bom);
        const request = pageOf(query);
        const criteria = readInput(TransactionQuery, filtersOf(query));
        const page = await services.history.page(callerOf(req), accountId, request, criteria, snapshotOf(query));
        await sendText(exchangeOf(req), 200, JSON_TYPE, listToRest(accountId, query, request, page));
      },
    }),
    exportProgramHistory: express(READ_PROGRAM_HISTORY, 'GET /transactions', {
      summary: 'Export the history of the program',
      description:
        'The history of all accounts of the program as CSV, newest first by the time of posting. A transaction must match all filters. A file has at most 100,000 transactions. The token must be one of the program itself. Pages of the same history are in GraphQL (`transactions`).',
      parameters: formatParameters(['csv'], 'The format of the file.', 'csv'),
      query: { input: TransactionQuery, examples: FILTERS },
      answers: {
        200: {
          description: 'The file.',
          headers: { 'Content-Disposition': FILE_NAME },
          content: { 'text/csv': PROGRAM_HISTORY_CSV },
        },
      },
      refusals: () => [new NotAcceptable(PROGRAM_HISTORY_FORMS), new TooManyTransactions(MAX_REPORT_ENTRIES)],
      handle: (req, res, { programHistory }) => sendProgramHistory(req, res, programHistory),
    }),
    ...reversalOperations,
    ...balanceOperations,
  },
};

/** Sends the report of some days as a file: a PDF as a whole, and the others in parts. */
async function sendReport(
  req: Request,
  res: Response,
  { reports, reportPrinting }: Omit<Services, 'history'>,
  accountId: string,
  form: Form,
  bom: boolean,
): Promise<void> {
  const { startTime: start, endTime: end } = readInput(ReportQuery, daysOf(req));
  const caller = callerOf(req);
  const exchange = exchangeOf(req);
  const name = `transactions-${start}-${end}`;
  const open = (most: number) => reports.open(caller, accountId, { start, end }, most);
  if (form === PDF_FORM) {
    const { report, count } = await open(MAX_PRINTED_ENTRIES);
    await exchange.charge(unitsOfPdf(count));
    const headers = {
      'Content-Type': form.contentType,
      'Content-Disposition': `attachment; filename="${name}.pdf"`,
    };
    return sendWhole(exchange, 200, headers, await reportPrinting.print(caller, report));
  }
  const { report, count } = await open(MAX_REPORT_ENTRIES);
  await exchange.charge(unitsOfFile(count));
  const written: ReportFormat = REPORT_FORMATS[form.format as ReportFormatName];
  await sendStream(req, res, { ...form, fileName: `${name}${written.extension}` }, bytesOf(written, report, bom));
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
