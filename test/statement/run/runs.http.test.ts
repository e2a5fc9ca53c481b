import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { formsOf, issue, leftOutOf, post } from '../issue/issuing.js';
import type * as Inside from './runs.inside.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const runs = () => gateway.module<typeof Inside>('test/statement/run/runs');

const interest = { at: '2024-03-05', amount: '20.00', type: 'INTEREST' };

interface IncompleteRecord {
  readonly taxId?: null;
  readonly addresses?: [];
  readonly currency?: string;
}

/** An account with interest in 2024, whose owner lacks this. */
async function owned(program: string, { currency = 'USD', ...lacking }: IncompleteRecord = {}): Promise<GivenAccount> {
  const { customer } = await gateway.given.customer({ program, ...lacking });
  const of = await gateway.given.account({ program, owners: [customer], currency });
  await post(gateway, of, [interest]);
  return of;
}

const RUNS = `query ($first: Int, $after: String, $filter: StatementRunFilter) {
  statementRuns(first: $first, after: $after, filter: $filter) { totalCount pageInfo { endCursor hasNextPage } nodes {
    runId documentType period startedBy startedAt finishedAt status issueIncomplete rerunOf: previousRunId previousRun { runId }
    accounts: accountCount done: doneCount issued: issuedCount corrected: correctedCount notOverYet: notOverYetCount leftOutCount leftOut(first: 1) { totalCount nodes { accountId reasons } } } } }`;

async function runsOf(caller: string, variables: object = {}) {
  const { data, errors } = await gateway.as(caller).graphql(RUNS, variables);
  if (errors) throw new Error(JSON.stringify(errors));
  return data.statementRuns;
}

describe('a form that would lack something', () => {
  test.each<[what: string, lacking: IncompleteRecord, reasons: readonly string[]]>([
    ['the tax id', { taxId: null }, ['NO_TAX_ID']],
    ['the address', { addresses: [] }, ['NO_ADDRESS']],
    ['amounts in US dollars', { currency: 'CZK' }, ['NOT_USD']],
    ['all of these', { taxId: null, addresses: [], currency: 'CZK' }, ['NO_TAX_ID', 'NO_ADDRESS', 'NOT_USD']],
  ])('%s is left out with all reasons, and is issued where the run says so', async (_what, lacking, reasons) => {
    const program = gateway.given.program();
    const of = await owned(program, lacking);
    const { runId, issued, leftOut } = await issue(gateway, '1099', '2024', program);
    expect([issued, leftOut]).toEqual([0, 1]);
    expect(await leftOutOf(gateway, of.caller, runId)).toEqual([{ accountId: of.account, reasons }]);
    expect(await issue(gateway, '1099', '2024', program, true)).toMatchObject({ issued: 1, leftOut: 0 });
    // Nothing is due any more, so nothing is left out.
    expect(await issue(gateway, '1099', '2024', program)).toMatchObject({ issued: 0, corrected: 0, leftOut: 0 });
  });

  test('amounts that are not in US dollars are never reported to the IRS', async () => {
    const of = await owned(gateway.given.program(), { currency: 'CZK' });
    await issue(gateway, '1099', '2024', of.program, true);
    const [form] = await formsOf(gateway, of.account);
    expect(form?.content).toMatchObject({ boxes: { 1: '20.00' }, currency: 'CZK', irsReportable: false });
  });

  test('tax that was withheld is reported, however small the interest is', async () => {
    const of = await gateway.given.account();
    await post(gateway, of, [
      { ...interest, amount: '1.00' },
      { ...interest, amount: '-0.24', type: 'FEDERALTAXWITHHELD' },
    ]);
    await issue(gateway, '1099', '2024', of.program);
    const [form] = await formsOf(gateway, of.account);
    expect(form?.content).toMatchObject({ boxes: { 1: '1.00', 4: '0.24' }, irsReportable: true });
  });

  test('a tax id of another country is none', async () => {
    const of = await owned(gateway.given.program());
    await gateway.sql.query(`UPDATE customer SET tax_id_country = 'DE' WHERE customer_id = $1`, [of.owners[0]]);
    const { runId } = await issue(gateway, '1099', '2024', of.program);
    expect(await leftOutOf(gateway, of.caller, runId)).toEqual([{ accountId: of.account, reasons: ['NO_TAX_ID'] }]);
  });
});

describe('the runs of a program', () => {
  test('are listed by their periods and starts, with who, when, and what became of the accounts', async () => {
    const program = gateway.given.program();
    const [first, second] = [await owned(program), await owned(program, { taxId: null })];
    await issue(gateway, 'close', '2024-03', program);
    await issue(gateway, '1099', '2024', program);
    const { totalCount, nodes } = await runsOf(first.caller);
    expect(totalCount).toBe(2);
    expect(nodes).toEqual([
      expect.objectContaining({ documentType: 'STATEMENTS', period: '2024-03', issued: 2, leftOutCount: 0 }),
      {
        runId: expect.any(String),
        documentType: 'TAX_1099',
        period: '2024',
        startedBy: 'COMMAND_LINE',
        startedAt: expect.any(String),
        finishedAt: expect.any(String),
        status: 'FINISHED',
        issueIncomplete: false,
        rerunOf: null,
        previousRun: null,
        accounts: 2,
        done: 2,
        issued: 1,
        corrected: 0,
        notOverYet: 0,
        leftOutCount: 1,
        leftOut: {
          totalCount: 1,
          nodes: [
            {
              accountId: second.account,
              reasons: ['NO_TAX_ID'],
            },
          ],
        },
      },
    ]);
    expect(nodes[1].startedAt <= nodes[1].finishedAt).toBe(true);
  });

  test('come page by page, by cursor and by offset, and are filtered', async () => {
    const program = gateway.given.program();
    const of = await owned(program);
    for (const month of ['2024-02', '2024-01', '2024-03']) await issue(gateway, 'close', month, program);
    await issue(gateway, '1099', '2024', program);
    const seen: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await runsOf(of.caller, { first: 3, after });
      seen.push(...page.nodes.map(({ period }: { period: string }) => period));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    expect(seen).toEqual(['2024-03', '2024-02', '2024-01', '2024']);
    const { rest } = gateway.as(of.caller);
    const page = await rest.get('/statement-runs?limit=2&documentType=STATEMENTS');
    expect(page.body.statementRuns.map(({ period }: { period: string }) => period)).toEqual(['2024-03', '2024-02']);
    expect(page.body.page).toEqual({ nextOffset: 2, totalElements: 3 });
    const next = await rest.get(page.body.links.next.href);
    expect(next.body.statementRuns).toMatchObject([{ period: '2024-01' }]);
    expect((await runsOf(of.caller, { filter: { period: '2024-02' } })).nodes).toMatchObject([{ period: '2024-02' }]);
    expect((await rest.get('/statement-runs?period=February')).status).toBe(422);
  });

  test('show to each program its own accounts and numbers, even of a run for all', async () => {
    const [mine, other] = [gateway.given.program(), gateway.given.program()];
    const of = await owned(mine, { addresses: [] });
    const stranger = await owned(other);
    const elsewhere = await owned(other, { taxId: null });
    const { runId } = await issue(gateway, '1099', '2024', null);
    const [run] = (await runsOf(of.caller)).nodes;
    expect(run).toMatchObject({ runId, accounts: 1, done: 1, issued: 0, leftOutCount: 1 });
    expect(await leftOutOf(gateway, stranger.caller, runId)).toEqual([
      { accountId: elsewhere.account, reasons: ['NO_TAX_ID'] },
    ]);
    const page = await gateway.as(of.caller).rest.get(`/statement-runs/${runId.toUpperCase()}/left-out`);
    expect(page.body).toEqual({
      leftOutAccounts: [{ accountId: of.account, reasons: ['NO_ADDRESS'] }],
      page: { totalElements: 1 },
      links: {},
    });
  });

  test('of another program do not exist', async () => {
    const of = await owned(gateway.given.program());
    const { runId } = await issue(gateway, '1099', '2024', of.program);
    const stranger = gateway.as(await gateway.caller({ program: gateway.given.program() }));
    for (const id of [runId, randomUUID(), 'none']) {
      const { status, body } = await stranger.rest.get(`/statement-runs/${id}`);
      expect([status, body.code]).toEqual([404, 'statement_run_not_found']);
      expect((await stranger.rest.get(`/statement-runs/${id}/left-out`)).status).toBe(404);
    }
    const { data } = await stranger.graphql('query ($id: ID!) { statementRun(runId: $id) { runId } }', { id: runId });
    expect(data.statementRun).toBeNull();
  });

  test('keep every account that was left out, more than a command tells', async () => {
    const program = gateway.given.program();
    const { customer } = await gateway.given.customer({ program, taxId: null });
    const accounts: string[] = [];
    let caller = '';
    for (let n = 0; n < 130; n++) {
      const of = await gateway.given.account({ program, owners: [customer] });
      await post(gateway, of, [interest]);
      accounts.push(of.account);
      caller = of.caller;
    }
    const { runId } = await issue(gateway, '1099', '2024', program);
    const path = `/statement-runs/${runId}/left-out`;
    const { rest } = gateway.as(caller);
    const [first, second] = [await rest.get(`${path}?limit=100`), await rest.get(`${path}?limit=100&offset=100`)];
    const told = [...first.body.leftOutAccounts, ...second.body.leftOutAccounts] as { accountId: string }[];
    expect(told.map(({ accountId }) => accountId)).toEqual(accounts.toSorted());
  });
});

describe('a rerun', () => {
  test('takes up the accounts that a run left out, and no others', async () => {
    const program = gateway.given.program();
    const [left] = [await owned(program, { taxId: null }), await owned(program)];
    const { runId } = await issue(gateway, '1099', '2024', program);
    // Another account that would be due now is none of those that were left out.
    const later = await owned(program);
    const again = await runs().rerun(runId);
    expect(await gateway.endOfRun(again)).toMatchObject({ accounts: 1, done: 1, issued: 0, leftOut: 1 });
    const third = await runs().rerun(again, { issueIncomplete: true });
    expect(await gateway.endOfRun(third)).toMatchObject({ accounts: 1, done: 1, issued: 1, leftOut: 0 });
    expect([await formsOf(gateway, left.account), await formsOf(gateway, later.account)]).toMatchObject([[{}], []]);
    const { nodes } = await runsOf(left.caller);
    expect(nodes.map(({ rerunOf }: { rerunOf: string | null }) => rerunOf)).toEqual([again, runId, null]);
    expect(nodes.map(({ previousRun }: { previousRun: object | null }) => previousRun)).toEqual([
      { runId: again },
      { runId },
      null,
    ]);
  });

  test('takes up the accounts of batches that failed repeatedly', async () => {
    const program = gateway.given.program();
    const of = await owned(program);
    const runId = randomUUID();
    await gateway.given.programRecord(program);
    await gateway.sql.query(
      `INSERT INTO issue_run (run_id, kind, period, program, accounts) VALUES ($1, '1099', '2024', $2, 1)`,
      [runId, program],
    );
    await gateway.sql.query('INSERT INTO issue_run_program (run_id, program, accounts) VALUES ($1, $2, 1)', [
      runId,
      program,
    ]);
    await gateway.sql.query('INSERT INTO issue_batch (run_id, from_account_id, to_account_id) VALUES ($1, $2, $2)', [
      runId,
      of.account,
    ]);
    const [run] = (await runsOf(of.caller)).nodes;
    expect(run).toMatchObject({ runId, status: 'GIVEN_UP', finishedAt: null, done: 0 });
    const again = await runs().rerun(runId);
    expect(await gateway.endOfRun(again)).toMatchObject({ accounts: 1, issued: 1 });
  });

  test('of a run that left out nothing is finished at once', async () => {
    const of = await owned(gateway.given.program());
    const { runId } = await issue(gateway, '1099', '2024', of.program);
    const again = await runs().rerun(runId);
    expect(await gateway.endOfRun(again)).toMatchObject({ accounts: 0, issued: 0 });
    const { rows } = await gateway.sql.query('SELECT finished_at FROM issue_run WHERE run_id = $1', [again]);
    expect(rows[0].finished_at).not.toBeNull();
  });
});

describe('a rerun over the API', () => {
  const RERUN =
    'mutation ($id: ID!) { rerunStatementRun(input: { runId: $id }) { run { runId startedBy rerunOf: previousRunId accounts: accountCount documentType period } } }';

  test('takes up the accounts of the program that a run for all left out, once, with an event', async () => {
    const [mine, other] = [gateway.given.program(), gateway.given.program()];
    const of = await owned(mine, { taxId: null });
    await owned(other, { taxId: null });
    const { runId } = await issue(gateway, '1099', '2024', null);
    const me = gateway.as(of.caller);
    const { rest } = me;
    const key = keyed(unique('key'));
    const first = await rest.post(`/statement-runs/${runId.toUpperCase()}/rerun`, undefined, key);
    expect([first.status, first.headers.location]).toEqual([201, `/statement-runs/${first.body.runId}`]);
    expect(first.body).toMatchObject({ startedBy: 'OPERATOR', rerunOf: runId, accounts: 1 });
    expect(await gateway.endOfRun(first.body.runId)).toMatchObject({
      accounts: 1,
      leftOut: 1,
    });
    const { data } = await me.graphql(RERUN, { id: runId }, { headers: key });
    expect(data.rerunStatementRun.run).toEqual({
      runId: first.body.runId,
      startedBy: 'OPERATOR',
      rerunOf: runId,
      accounts: 1,
      documentType: 'TAX_1099',
      period: '2024',
    });
    const { rows } = await gateway.sql.query(
      `SELECT object, data FROM event WHERE program = $1 AND action = 'statement_run.rerun'`,
      [mine],
    );
    expect(rows).toEqual([
      {
        object: `statement_run/${first.body.runId}`,
        data: { rerunOf: runId, documentType: 'TAX_1099', period: '2024' },
      },
    ]);
  });

  test('is refused while the run goes on, without what documents must say, and to others', async () => {
    const of = await owned(gateway.given.program(), { taxId: null });
    const { runId } = await issue(gateway, '1099', '2024', of.program);
    const path = `/statement-runs/${runId}/rerun`;
    const { rest } = gateway.as(of.caller);
    const stranger = gateway.as(await gateway.caller({ program: gateway.given.program() }));
    expect(await stranger.rest.post(path)).toMatchObject({ status: 404, body: { code: 'statement_run_not_found' } });
    await gateway.given.programRecord(of.program, { payer: null });
    const lacking = await rest.post(path);
    expect(lacking).toMatchObject({ status: 409, body: { code: 'program_incomplete' } });
    expect(lacking.body.detail).toContain('payer.taxId');
    await gateway.sql.query(
      `SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day')`,
      [runId],
    );
    expect(await rest.post(path)).toMatchObject({ status: 409, body: { code: 'statement_run_running' } });
    expect(await gateway.sql.query('SELECT FROM issue_run WHERE rerun_of = $1', [runId])).toMatchObject({
      rowCount: 0,
    });
  });
});

test('the monthly close leaves out the accounts of a program that cannot issue, and a rerun issues theirs', async () => {
  const program = gateway.given.program();
  const of = await owned(program);
  const close = { kind: 'close', period: '2024-03', program, issueIncomplete: false, startedBy: 'GATEWAY' } as const;
  expect(await runs().startComplete(close)).toMatchObject([{ program }]);
  const [run] = (await runsOf(of.caller)).nodes;
  expect(run).toMatchObject({
    startedBy: 'GATEWAY',
    status: 'FINISHED',
    finishedAt: expect.any(String),
    leftOutCount: 1,
    leftOut: {
      nodes: [
        {
          accountId: of.account,
          reasons: ['PROGRAM_INCOMPLETE'],
        },
      ],
    },
  });
  await gateway.given.programRecord(program);
  const again = await runs().rerun(run.runId);
  expect(await gateway.endOfRun(again)).toMatchObject({ accounts: 1, issued: 1, leftOut: 0 });
});
