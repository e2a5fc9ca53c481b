import type { OutgoingHttpHeaders } from 'node:http';
import assert from 'node:assert/strict';
import { currencyDigits } from '../../../src/shared/money.js';
import type { RecordOutcome } from '../../cli/importing.js';
import { unique, type GraphqlAnswer, type TestGateway } from '../../support/gateway.js';
import {
  restCode,
  type Connection,
  type GraphqlError,
  type PageInfo,
  type Pages,
  type RestPage,
} from '../../support/answers.js';
import type { GivenAccount } from '../../support/given.js';
import { inputsOf } from '../../support/postings.js';

export const FIELDS = `transactionId referenceTransactionId reference accountId amount availableBalance: balanceAfter currency debitCreditMemo: direction category
  transactionType status description memo transactionTime: transactedAtLocal transactionTimestamp: transactedAt postedTime: postedAtLocal postedTimestamp: postedAt
  additionalInformation { key value } lineItem: lineItems { description reference imageIds }`;

const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions { ${FIELDS} } } }`;

const HISTORY = `query ($account: ID!, $first: Int, $after: String, $last: Int, $before: String, $filter: TransactionFilter) {
  account(accountId: $account) {
    transactions(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      nodes { transactionId availableBalance: balanceAfter } edges { cursor node { transactionId } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } } }`;

export interface Entry {
  transactionId: string;
  amount: string;
  debitCreditMemo: 'CREDIT' | 'DEBIT' | 'MEMO';
  category: string;
  transactionType: string;
  status: 'AUTHORIZATION' | 'MEMO' | 'PENDING' | 'POSTED';
  transactionTimestamp: string;
  postedTimestamp?: string | null;
  description?: string | null;
  memo?: string | null;
  availableBalance?: string;
  [more: string]: unknown;
}

/** A transaction as it is posted: ten units of money that came in. */
export function entry(changes: Partial<Entry> = {}): Entry {
  return {
    transactionId: unique('t'),
    amount: '10',
    debitCreditMemo: 'CREDIT',
    category: 'ACH',
    transactionType: 'DIRECTDEPOSIT',
    status: 'POSTED',
    transactionTimestamp: '2026-03-02T15:00:00.000Z',
    postedTimestamp: '2026-03-02T16:00:00.000Z',
    ...changes,
  };
}

export function entries(count: number, changes: (index: number) => Partial<Entry> = () => ({})): Entry[] {
  return Array.from({ length: count }, (_, index) => entry(changes(index)));
}

/** What tests read of a transaction over GraphQL. */
export interface PostedView {
  readonly accountId: string;
  readonly transactionId: string;
  readonly amount: string;
  readonly availableBalance: string;
  readonly postedTime: string | null;
}

/** And of a list of them over REST. */
export interface TransactionPage extends RestPage {
  readonly transactions: readonly {
    readonly depositTransaction: {
      readonly accountId: string;
      readonly transactionId: string;
      readonly amount: number;
      readonly description: string | null;
      readonly memo: string | null;
      readonly postedTime: string | null;
    };
  }[];
}

type Where = Pick<GivenAccount, 'account' | 'caller'>;

/** Asks for a posting; the answer may be a refusal. */
export function posting(
  gateway: TestGateway,
  { account, caller }: Where,
  transactions: readonly object[],
  headers: OutgoingHttpHeaders = {},
): Promise<GraphqlAnswer<{ postAccountTransactions: { transactions: PostedView[] } }>> {
  return gateway.as(caller).graphql(POST, { account, transactions: inputsOf(transactions) }, { headers });
}

/** Posts, and gives what was answered. */
export async function post(gateway: TestGateway, where: Where, transactions: readonly object[]): Promise<PostedView[]> {
  const { data, errors } = await posting(gateway, where, transactions);
  assert.equal(errors, undefined);
  return data.postAccountTransactions.transactions;
}

/** Posts so many of ten units each, and gives their ids, the oldest first. */
export async function postSome(gateway: TestGateway, where: Where, count: number): Promise<string[]> {
  const posted: string[] = [];
  while (posted.length < count) {
    const answer = await post(gateway, where, entries(Math.min(500, count - posted.length)));
    posted.push(...answer.map(({ transactionId }) => transactionId));
  }
  return posted;
}

/** What a refused GraphQL request says: `code`, and each bad field as `pointer code`. */
export function refusal({ status, errors, text }: GraphqlAnswer): { status: number; code: string; errors: string[] } {
  if (errors?.length !== 1) throw new Error(`one error was expected: ${text.slice(0, 500)}`);
  return { status, ...problems(errors[0].extensions) };
}

export function problems({ code, errors = [] }: Pick<GraphqlError['extensions'], 'code' | 'errors'>) {
  return { code: restCode(code), errors: errors.map(problem => `${problem.pointer} ${problem.code}`) };
}

/** What selects the same transactions over REST. A time is a day or an instant. */
export interface HistoryQuery {
  readonly startTime?: string;
  readonly endTime?: string;
  readonly debitCreditMemo?: readonly Entry['debitCreditMemo'][];
  readonly [more: string]: unknown;
}

/** The filter of GraphQL that selects what a query of REST selects. */
export function filterOf(query: HistoryQuery): object {
  const { startTime, endTime, debitCreditMemo: directions, category, transactionType, status, ...others } = query;
  const isDay = (time: string): boolean => time.length === 10;
  return {
    ...others,
    ...(startTime && { [isDay(startTime) ? 'postedOnFrom' : 'postedFrom']: startTime }),
    ...(endTime && { [isDay(endTime) ? 'postedOnTo' : 'postedBefore']: endTime }),
    ...(directions && { directions }),
    ...(category !== undefined && { categories: category }),
    ...(transactionType !== undefined && { transactionTypes: transactionType }),
    ...(status !== undefined && { statuses: status }),
  };
}

/** A page of a history over GraphQL, as tests look at it. */
export interface HistoryPage {
  readonly ids: string[];
  readonly cursors: string[];
  readonly totalCount: number;
  readonly pageInfo: PageInfo;
}

export async function connection(gateway: TestGateway, { account, caller }: Where, args: object): Promise<HistoryPage> {
  const { data, errors } = await gateway
    .as(caller)
    .graphql<{ account: { transactions: Connection<PostedView> } }>(HISTORY, { account, ...args });
  assert.equal(errors, undefined);
  const { nodes, edges, totalCount, pageInfo } = data.account.transactions;
  const ids = nodes.map(({ transactionId }) => transactionId);
  assert.deepEqual(
    edges.map(({ node }) => node.transactionId),
    ids,
  );
  return { ids, cursors: edges.map(({ cursor }) => cursor), totalCount, pageInfo };
}

/** Posts where a refusal is expected. */
export async function refusedConnection(gateway: TestGateway, { account, caller }: Where, args: object) {
  return refusal(await gateway.as(caller).graphql(HISTORY, { account, ...args }));
}

/** Every id that GraphQL gives from cursor to cursor, the newest first. */
export async function byCursor(gateway: TestGateway, where: Where, first: number, filter?: object): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const page: HistoryPage = await connection(gateway, where, { first, after, filter });
    ids.push(...page.ids);
    if (!page.pageInfo.hasNextPage) return ids;
    after = page.pageInfo.endCursor;
  }
}

export function restPages(
  gateway: TestGateway,
  { account, caller }: Where,
  query = '',
): Promise<Pages<TransactionPage>> {
  return gateway.as(caller).pages(`/accounts/${account}/transactions${query && `?${query}`}`);
}

export function idsOf(...pages: readonly TransactionPage[]): string[] {
  return pages.flatMap(({ transactions }) =>
    transactions.map(({ depositTransaction }) => depositTransaction.transactionId),
  );
}

/** A line of an import file. Amounts become numbers, digit by digit as they are written. */
export function line(account: string, { amount, availableBalance, ...others }: Entry): string {
  const text = JSON.stringify({ depositTransaction: { accountId: account, ...others } });
  const balance = availableBalance === undefined ? '' : `,"availableBalance":${availableBalance}`;
  return `${text.slice(0, -2)},"amount":${amount}${balance}}}`;
}

/** Imports lines, as one batch or in batches of so many, and tells what became of each. */
export function importing(
  gateway: TestGateway,
  program: string,
  lines: readonly string[],
  batchLines?: number,
): Promise<RecordOutcome[]> {
  return gateway.importLines('transactions', program, lines, batchLines);
}

/** What a ledger holds, summed up by PostgreSQL in one statement, so at one moment. */
export interface Books {
  readonly count: number;
  readonly lastSeq: number;
  readonly maxSeq: number;
  readonly balance: string;
  readonly lastBalance: string;
  readonly sum: string;
  /** Every row's balance is the one before it, moved by the row. */
  readonly addsUp: boolean;
}

export async function books({ sql }: TestGateway, account: string): Promise<Books> {
  const { rows } = await sql.query<Books>(
    `SELECT count(t.seq)::int AS count, a.last_seq::int AS "lastSeq", coalesce(max(t.seq), 0)::int AS "maxSeq", a.balance_minor::text AS balance,
       coalesce((array_agg(t.balance_minor ORDER BY t.seq DESC))[1], 0)::text AS "lastBalance", coalesce(sum(t.moved), 0)::text AS sum,
       coalesce(bool_and(t.balance_minor = t.running), true) AS "addsUp"
     FROM account a LEFT JOIN LATERAL (
       SELECT t.*, m.moved, sum(m.moved) OVER (ORDER BY t.seq) AS running FROM transaction t, LATERAL (
         SELECT CASE WHEN t.status <> 'POSTED' OR t.debit_credit_memo = 'MEMO' THEN 0
           WHEN t.debit_credit_memo = 'CREDIT' THEN t.amount_minor ELSE -t.amount_minor END AS moved) m
       WHERE t.account_id = a.account_id) t ON true
     WHERE a.account_id = $1 GROUP BY a.account_id`,
    [account],
  );
  return rows[0] as Books;
}

/** Throws unless the ledger has no gap and adds up, row by row and in its account. */
export async function expectSound(gateway: TestGateway, account: string): Promise<Books> {
  const found = await books(gateway, account);
  const { count, sum } = found;
  assert.deepEqual(found, { count, lastSeq: count, maxSeq: count, balance: sum, lastBalance: sum, sum, addsUp: true });
  return found;
}

/** A decimal text in minor units, reckoned apart from the code under test. */
export function minorUnits(amount: string, currency = 'USD'): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(currencyDigits(currency), '0'));
}
