import { setTimeout as sleep } from 'node:timers/promises';
import { progressOf, startRun, type RunProgress } from '../../../src/statement/issue/issue-run.js';
import type { IssueKind } from '../../../src/statement/issue/period.js';
import type { StatementContent, TaxFormContent } from '../../../src/statement/statement.content.js';
import { unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';

/** Lets the gateway issue the documents of a period to a program, and gives how it ended. */
export async function issue(
  { gateway }: TestGateway,
  kind: IssueKind,
  period: string,
  program: string | null,
): Promise<RunProgress> {
  const runId = await startRun(gateway.container.database, { kind, period, program });
  for (;;) {
    const progress = await progressOf(gateway.container.database, runId);
    if (progress.open === 0) return progress;
    await sleep(20);
  }
}

export interface Posting {
  /** An instant, or a day, of which noon in UTC is taken. */
  readonly at: string;
  /** Negative for a debit. */
  readonly amount: string;
  readonly type?: string;
  readonly description?: string;
  readonly status?: string;
  readonly usage?: string;
  readonly direction?: string;
}

/** Posts to an account, in this order. Gives the ids. */
export async function post(gateway: TestGateway, of: GivenAccount, postings: readonly Posting[]): Promise<string[]> {
  const transactions = postings.map(({ at, amount, type, description, status, usage, direction }) => {
    const instant = at.includes('T') ? at : `${at}T12:00:00.000Z`;
    return {
      transactionId: unique('tx'),
      amount: amount.replace('-', ''),
      debitCreditMemo: direction ?? (amount.startsWith('-') ? 'DEBIT' : 'CREDIT'),
      category: 'OTHER',
      transactionType: type ?? 'DEPOSIT',
      status: status ?? 'POSTED',
      description: description ?? 'Posted',
      transactionTimestamp: instant,
      ...((status ?? 'POSTED') === 'POSTED' && { postedTimestamp: instant }),
      ...(usage && { additionalInformation: [{ key: 'usage', value: usage }] }),
    };
  });
  const { errors } = await gateway
    .as(of.caller)
    .graphql(
      'mutation ($a: ID!, $t: [TransactionInput!]!) { postTransactions(accountId: $a, transactions: $t) { transactionId } }',
      { a: of.account, t: transactions },
    );
  if (errors) throw new Error(JSON.stringify(errors));
  return transactions.map(({ transactionId }) => transactionId);
}

interface StoredDocument<Content> {
  readonly statementId: string;
  readonly corrects: string | null;
  readonly pdf: Buffer;
  readonly content: Content;
}

/** The platform's documents of an account by their dates, opened: corrections after what they correct. */
async function stored<Content>(
  gateway: TestGateway,
  account: string,
  type: string,
): Promise<StoredDocument<Content>[]> {
  const { rows } = await gateway.sql.query(
    `SELECT statement_id, corrects_statement_id, sealed_key, pdf, content FROM statement
     WHERE account_id = $1 AND document_type = $2 AND source = 'PLATFORM' ORDER BY statement_date, issued_at`,
    [account, type],
  );
  const vault = gateway.gateway.container.statementVault;
  return rows.map(row => ({
    statementId: row.statement_id,
    corrects: row.corrects_statement_id,
    pdf: vault.open(account, row.statement_id, row.sealed_key, 'pdf', row.pdf),
    content: JSON.parse(vault.open(account, row.statement_id, row.sealed_key, 'content', row.content).toString()),
  }));
}

export function statementsOf(gateway: TestGateway, account: string): Promise<StoredDocument<StatementContent>[]> {
  return stored(gateway, account, 'STATEMENTS');
}

export function formsOf(gateway: TestGateway, account: string): Promise<StoredDocument<TaxFormContent>[]> {
  return stored(gateway, account, 'TAX_1099');
}

/** The one element of a list. */
export function only<Element>(list: readonly Element[]): Element {
  if (list.length !== 1) throw new Error(`there are ${list.length} and not one`);
  return list[0] as Element;
}
