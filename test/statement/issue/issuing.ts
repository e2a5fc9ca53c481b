import type pg from 'pg';
import type { RunProgress } from '../../../src/bank/statement/issue/issue-run.js';
import type { IssueKind } from '../../../src/bank/statement/issue/period.js';
import type { StatementContent, TaxFormContent } from '../../../src/bank/statement/statement.content.js';
import { unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';

/**
 * Lets the gateway issue the documents of a period to a program, and gives how it ended. Programs without a record get
 * one that lacks nothing.
 */
export async function issue(
  gateway: TestGateway,
  kind: IssueKind,
  period: string,
  program: string | null,
  issueIncomplete = false,
): Promise<RunProgress & { readonly runId: string }> {
  const { rows } = await gateway.sql.query<{ program: string }>(
    'SELECT DISTINCT program FROM account WHERE ($1::text IS NULL OR program = $1) AND program NOT IN (SELECT program_id FROM program)',
    [program],
  );
  for (const row of rows) await gateway.given.programRecord(row.program);
  return gateway.issue(kind, period, program, issueIncomplete);
}

export interface Posting {
  /** An instant, or a day, of which noon in UTC is taken. */
  readonly at: string;
  /** Negative for a debit. */
  readonly amount: string;
  readonly type?: string;
  readonly description?: string;
  readonly status?: string;
  readonly category?: string;
  readonly usage?: string;
  readonly direction?: string;
}

/** Posts to an account, in this order. Gives the ids. */
export async function post(gateway: TestGateway, of: GivenAccount, postings: readonly Posting[]): Promise<string[]> {
  const transactions = postings.map(({ at, amount, type, category, description, status, usage, direction }) => {
    const instant = at.includes('T') ? at : `${at}T12:00:00.000Z`;
    return {
      transactionId: unique('tx'),
      amount: amount.replace('-', ''),
      direction: direction ?? (amount.startsWith('-') ? 'DEBIT' : 'CREDIT'),
      category: category ?? 'OTHER',
      transactionType: type ?? 'DEPOSIT',
      status: status ?? 'POSTED',
      description: description ?? 'Posted',
      transactedAt: instant,
      ...((status ?? 'POSTED') === 'POSTED' && { postedAt: instant }),
      ...(usage && { additionalInformation: [{ key: 'usage', value: usage }] }),
    };
  });
  const { errors } = await gateway
    .as(of.caller)
    .graphql(
      'mutation ($a: ID!, $t: [TransactionInput!]!) { postAccountTransactions(input: { accountId: $a, transactions: $t }) { transactions { transactionId } } }',
      { a: of.account, t: transactions },
    );
  if (errors) throw new Error(JSON.stringify(errors));
  return transactions.map(({ transactionId }) => transactionId);
}

/** What opens documents: a gateway, or as much of one as that needs. */
export type Archive = Pick<TestGateway, 'openDocument'> & { readonly sql: Pick<pg.Pool, 'query'> };

interface StoredDocument<Content> {
  readonly statementId: string;
  readonly corrects: string | null;
  readonly pdf: Buffer;
  readonly content: Content;
}

/** The platform's documents of an account by their dates, opened: corrections after what they correct. */
async function stored<Content>(gateway: Archive, account: string, type: string): Promise<StoredDocument<Content>[]> {
  const { rows } = await gateway.sql.query(
    `SELECT statement_id, corrects_statement_id, sealed_key, pdf, content FROM statement
     WHERE account_id = $1 AND document_type = $2 AND source = 'PLATFORM' ORDER BY statement_date, issued_at`,
    [account, type],
  );
  return Promise.all(
    rows.map(async row => {
      const opened = (part: 'pdf' | 'content') =>
        gateway.openDocument(account, row.statement_id, row.sealed_key, part, row[part]);
      const content = JSON.parse(Buffer.from(await opened('content')).toString());
      return { statementId: row.statement_id, corrects: row.corrects_statement_id, pdf: await opened('pdf'), content };
    }),
  );
}

export function statementsOf(gateway: Archive, account: string): Promise<StoredDocument<StatementContent>[]> {
  return stored(gateway, account, 'STATEMENTS');
}

export function formsOf(gateway: Archive, account: string): Promise<StoredDocument<TaxFormContent>[]> {
  return stored(gateway, account, 'TAX_1099');
}

/** The one element of a list. */
export function only<Element>(list: readonly Element[]): Element {
  if (list.length !== 1) throw new Error(`there are ${list.length} and not one`);
  return list[0] as Element;
}

/** The accounts of the caller's program that a run left out, as GraphQL tells them. */
export async function leftOutOf(
  gateway: TestGateway,
  caller: string,
  runId: string,
): Promise<readonly { accountId: string; reasons: readonly string[] }[]> {
  const { data, errors } = await gateway
    .as(caller)
    .graphql(
      'query ($runId: ID!) { statementRun(runId: $runId) { leftOut(first: 100) { nodes { accountId reasons } } } }',
      {
        runId,
      },
    );
  if (errors) throw new Error(JSON.stringify(errors));
  return data.statementRun.leftOut.nodes;
}
