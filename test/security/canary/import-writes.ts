import pg from 'pg';
import type { Canaries } from './canaries.js';
import { PROGRAM as COMPLETE } from '../../support/given.js';
import { PROGRAM, type CanaryGateway } from './house.js';
import { json, newCustomer, transactionOf, wrongLines, wrongTransactions } from './imports.js';
import { customerOf, type CanaryRecords } from './records.js';
import { type Writer } from './writer.js';

const IMPORT = `mutation ($input: ImportRecordsInput!) {
  importRecords(input: $input) { result { read: readCount written: writtenCount unchanged: unchangedCount rejected { line pointer code detail } } } }`;

/** Imports over REST and GraphQL, with lines that are wrong in every way, and what is done again of statement runs. */
export async function writeImports(
  writer: Writer,
  house: CanaryGateway,
  canaries: Canaries,
  { account }: CanaryRecords,
): Promise<void> {
  const wrong = canaries.person('stray', 'wrong customers over the API');
  const customers = [json(newCustomer(canaries, 'customer over the API')), ...wrongLines(customerOf(wrong), wrong)];
  const transactions = [
    json(transactionOf(account, { transactionId: 'over-the-api' })),
    ...wrongTransactions(canaries, account),
  ];
  const files = {
    customers,
    transactions,
    accounts: customers,
    beneficiaries: customers,
    programs: customers,
    transfers: [...customers, json(transferOf(account))],
  };
  for (const [kind, lines] of Object.entries(files)) {
    const body = { lines: lines.map(line => `${line}\n`).join('') };
    await writer.withReplay({ method: 'POST', path: `/imports/${kind}`, body });
    const input = { ...body, kind: kind.toUpperCase() };
    await writer.once({ method: 'POST', path: '/graphql', body: { query: IMPORT, variables: { input } } });
  }
  await rerun(writer, house);
  await startAndStop(writer, house);
}

/** It is rejected, since there is no such account. */
function transferOf(account: string): object {
  return { fromAccountId: account, toAccountId: 'nobodys', transferId: 'over-the-api', amount: 1 };
}

async function rerun(writer: Writer, house: CanaryGateway): Promise<void> {
  const record = json({ programId: PROGRAM, ...COMPLETE });
  await writer.once({ method: 'POST', path: '/imports/programs', body: { lines: record } });
  const { body } = await house.ask(await house.caller(), { path: '/statement-runs?limit=1' });
  const { runId } = body.statementRuns[0];
  await writer.once({ method: 'POST', path: `/statement-runs/${runId}/rerun` });
  const query = 'mutation ($id: ID!) { rerunStatementRun(input: { runId: $id }) { run { runId } } }';
  await writer.once({ method: 'POST', path: '/graphql', body: { query, variables: { id: runId } } });
}

async function startAndStop(writer: Writer, house: CanaryGateway): Promise<void> {
  const order = { documentType: 'TAX_1099', period: '2018' };
  const start = 'mutation { startStatementRun(input: { documentType: TAX_1099, period: "2019" }) { run { runId } } }';
  const overRest = await writer.once<{ run: { runId: string } }>({
    method: 'POST',
    path: '/statement-runs',
    body: order,
  });
  const overGraphql = await writer.once<{ data: { startStatementRun: { run: { runId: string } } } }>({
    method: 'POST',
    path: '/graphql',
    body: { query: start },
  });
  const runIds = [overRest.run.runId, overGraphql.data.startStatementRun.run.runId];
  // A run with a job that never runs is a run that goes on.
  await house.withDatabase(async url => {
    const sql = new pg.Client(url);
    await sql.connect();
    await sql.query(
      `SELECT graphile_worker.add_job('nothing', job_key => run_id || ':0', run_at => now() + interval '1 day')
       FROM unnest($1::text[]) run_id`,
      [runIds],
    );
    await sql.end();
  });
  const [first, second] = runIds;
  await writer.once({ method: 'POST', path: `/statement-runs/${first}/stop`, body: { reason: 'Wrong letterhead' } });
  const stop = 'mutation ($id: ID!) { stopStatementRun(input: { runId: $id }) { run { runId } } }';
  await writer.once({ method: 'POST', path: '/graphql', body: { query: stop, variables: { id: second } } });
}
