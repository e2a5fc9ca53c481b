import type { Request, Response } from 'express';
import { csvLine } from '../../../lib/csv/csv.js';
import { BYTE_ORDER_MARK } from '../../../lib/account-report/formats.js';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { FORMAT_PARAMETERS, bomOf, chosenForm } from '../../platform/http/format.js';
import { unitsOfFile } from '../../platform/http/gate.js';
import { queryOf } from '../../platform/http/query.js';
import { sendStream } from '../../platform/http/send-stream.js';
import { readInput } from '../../platform/input/read-input.js';
import { PROGRAM_HISTORY_FORMS, type ProgramHistoryService, type WholeHistory } from './program-history.service.js';
import { LIST_CRITERIA, SINGLE_CRITERIA, filtersOf } from './transaction.criteria.js';
import type { TransactionView } from './transaction.entity.js';
import { TransactionQuery } from './transaction.filter.js';

/** Fields of a transaction, by the names of the columns. */
const COLUMNS = [
  ...(['accountId', 'transactionId', 'postedTimestamp', 'transactionTimestamp', 'status', 'category'] as const),
  ...(['transactionType', 'debitCreditMemo', 'amount', 'availableBalance', 'currency', 'description', 'memo'] as const),
] satisfies readonly (keyof TransactionView)[];
/** Comes last, since readers may count columns. */
const SIGNED = 'signedAmount';

/** Sends the history of a whole program as a file. */
export async function sendProgramHistory(req: Request, res: Response, history: ProgramHistoryService): Promise<void> {
  const query = queryOf(req, [...SINGLE_CRITERIA, ...FORMAT_PARAMETERS], LIST_CRITERIA);
  const form = chosenForm(req, query, PROGRAM_HISTORY_FORMS);
  const bom = bomOf(query, form);
  const whole = await history.all(callerOf(req), readInput(TransactionQuery, filtersOf(query)));
  await exchangeOf(req).charge(unitsOfFile(whole.count));
  await sendStream(req, res, { ...form, fileName: 'transactions.csv' }, bytesOf(whole, bom));
}

async function* bytesOf({ pages }: WholeHistory, bom: boolean): AsyncGenerator<Buffer> {
  if (bom) yield BYTE_ORDER_MARK;
  yield Buffer.from(csvLine([...COLUMNS, SIGNED]));
  for await (const page of pages) {
    if (page.length > 0) yield Buffer.from(page.map(lineOf).join(''));
  }
}

function lineOf(transaction: TransactionView): string {
  return csvLine([...COLUMNS.map(name => transaction[name] ?? ''), signedAmountOf(transaction)]);
}

/** Below zero for a debit; empty for a memo, which moves nothing. */
function signedAmountOf({ debitCreditMemo, amount }: TransactionView): string {
  if (debitCreditMemo === 'MEMO') return '';
  return debitCreditMemo === 'DEBIT' && /[1-9]/.test(amount) ? `-${amount}` : amount;
}
