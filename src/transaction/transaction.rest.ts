import { contractRecord, jsonOfText } from '../platform/http/json.js';
import type { TransactionRead } from './transaction.row.js';

/**
 * The JSON of a transaction by contract 2.4. It is written out, since columns are texts that mostly are JSON already: an object of them would cost a page
 * of a history a sixth of its requests. Only what comes from outside may have something to escape. Of the lists that are always empty there, none is kept.
 */
export function restOf(read: TransactionRead): string {
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
