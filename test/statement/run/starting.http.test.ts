import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { restCode } from '../../support/answers.js';
import { keyed, startTestGateway, unique, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { until } from '../../support/until.js';
import { givenTwo } from '../../approval/waiting.js';
import { formsOf, issue, post, statementsOf } from '../issue/issuing.js';

let gateway: TestGateway;
beforeAll(async () => {
  // A run for all programs needs that none of another file is there.
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const RUN = 'runId documentType period startedBy status stoppedAt rerunOf: previousRunId accounts: accountCount';
const PREVIEW = `accounts: accountCount isComplete waits issued: issuedCount corrected: correctedCount
  notOverYet: notOverYetCount leftOutCount notDueCount reasons { reason accounts: accountCount } leftOut { accountId reasons }`;
const START = `mutation ($input: StartStatementRunInput!) { startStatementRun(input: $input) {
  run { ${RUN} } accounts: accountCount preview { ${PREVIEW} } replayed } }`;
const STOP = `mutation ($input: StopStatementRunInput!) { stopStatementRun(input: $input) { run { ${RUN} } } }`;
const RERUN = `mutation ($id: ID!) { rerunStatementRun(input: { runId: $id }) { run { ${RUN} } } }`;

const MARCH = { documentType: 'STATEMENTS', period: '2024-03' };
const YEAR = { documentType: 'TAX_1099', period: '2024' };
const interest = { at: '2024-03-05', amount: '20.00', type: 'INTEREST' };

/** Accounts of a program that can issue, each with interest in March 2024. */
async function givenAccounts(count: number, lacking: object = {}, program = gateway.given.program()) {
  await gateway.given.programRecord(program);
  const all: GivenAccount[] = [];
  for (let n = 0; n < count; n += 1) {
    const { customer } = await gateway.given.customer({ program, ...lacking });
    const of = await gateway.given.account({ program, owners: [customer] });
    await post(gateway, of, [interest]);
    all.push(of);
  }
  return all as [GivenAccount, ...GivenAccount[]];
}

async function eventsOf(program: string): Promise<object[]> {
  const { rows } = await gateway.sql.query(
    `SELECT action, object, data FROM event WHERE program = $1 AND action LIKE 'statement_run.%' ORDER BY id`,
    [program],
  );
  return rows;
}

describe('a run that is started', () => {
  test('issues the statements of a month to all accounts of the program, once, with an event', async () => {
    const [of, other] = await givenAccounts(2);
    const me = gateway.as(of.caller);
    const headers = keyed(unique('key'));
    const { data } = await me.graphql(START, { input: MARCH }, { headers });
    const { run } = data.startStatementRun;
    expect(data.startStatementRun).toEqual({
      run: {
        runId: run.runId,
        ...MARCH,
        startedBy: 'OPERATOR',
        status: 'RUNNING',
        stoppedAt: null,
        rerunOf: null,
        accounts: 2,
      },
      accounts: 2,
      preview: null,
      replayed: false,
    });
    expect(await gateway.endOfRun(run.runId)).toMatchObject({ accounts: 2, issued: 2, leftOut: 0 });
    const again = await me.graphql(START, { input: MARCH }, { headers });
    expect(again.data.startStatementRun).toMatchObject({
      run: { runId: run.runId, status: 'FINISHED' },
      replayed: true,
    });
    const overRest = await me.rest.post('/statement-runs', MARCH, headers);
    expect([overRest.status, overRest.headers.location]).toEqual([201, `/statement-runs/${run.runId}`]);
    expect(overRest.body).toMatchObject({ run: { runId: run.runId, startedBy: 'OPERATOR' }, accounts: 2 });
    for (const { account } of [of, other ?? of]) expect(await statementsOf(gateway, account)).toHaveLength(1);
    expect(await eventsOf(of.program)).toEqual([
      { action: 'statement_run.start', object: `statement_run/${run.runId}`, data: MARCH },
    ]);
  });

  test('issues tax forms to named accounts alone, those that lack something where it says so', async () => {
    const [complete, ...others] = await givenAccounts(2);
    const [lacking] = await givenAccounts(1, { taxId: null }, complete.program);
    const input = { ...YEAR, accountIds: [lacking.account, complete.account] };
    const { rest } = gateway.as(complete.caller);
    const first = await rest.post('/statement-runs', input);
    expect(first).toMatchObject({ status: 201, body: { run: YEAR, accounts: 2 } });
    expect(await gateway.endOfRun(first.body.run.runId)).toMatchObject({ accounts: 2, issued: 1, leftOut: 1 });
    const second = await rest.post('/statement-runs', { ...input, issueIncomplete: true });
    expect(await gateway.endOfRun(second.body.run.runId)).toMatchObject({ accounts: 2, issued: 1, leftOut: 0 });
    for (const { account } of others) expect(await formsOf(gateway, account)).toEqual([]);
    expect(await eventsOf(complete.program)).toMatchObject([
      { data: { accountCount: 2 } },
      { data: { accountCount: 2 } },
    ]);
  });
});

describe('a dry run', () => {
  test('tells which documents would be issued, and who would be left out, and writes nothing', async () => {
    const [of] = await givenAccounts(1);
    const [lacking] = await givenAccounts(1, { taxId: null, addresses: [] }, of.program);
    const { account: quiet } = await gateway.given.account({ program: of.program });
    const me = gateway.as(of.caller);
    const { data } = await me.graphql(START, { input: { ...YEAR, dryRun: true } });
    const preview = {
      accounts: 3,
      isComplete: true,
      waits: false,
      issued: 1,
      corrected: 0,
      notOverYet: 0,
      leftOutCount: 1,
      notDueCount: 1,
      reasons: [
        { reason: 'NO_TAX_ID', accounts: 1 },
        { reason: 'NO_ADDRESS', accounts: 1 },
      ],
      leftOut: [{ accountId: lacking.account, reasons: ['NO_TAX_ID', 'NO_ADDRESS'] }],
    };
    expect(data.startStatementRun).toEqual({ run: null, accounts: 3, preview, replayed: false });
    const overRest = await me.rest.post('/statement-runs?dryRun=true', YEAR);
    expect([overRest.status, overRest.headers.location]).toEqual([201, '/statement-runs']);
    expect(overRest.body).toEqual({ accounts: 3, preview });
    const some = { ...YEAR, accountIds: [quiet, of.account], issueIncomplete: true, dryRun: true };
    const named = await me.graphql(START, { input: some });
    expect(named.data.startStatementRun).toMatchObject({
      accounts: 2,
      preview: { accounts: 2, issued: 1, leftOut: [] },
    });
    expect(await eventsOf(of.program)).toEqual([]);
    expect(await formsOf(gateway, of.account)).toEqual([]);
    const { rowCount } = await gateway.sql.query('SELECT FROM issue_run WHERE program = $1', [of.program]);
    expect(rowCount).toBe(0);
  });

  test('counts what is issued already as not due', async () => {
    const [of] = await givenAccounts(1);
    await issue(gateway, 'close', MARCH.period, of.program);
    const { data } = await gateway.as(of.caller).graphql(START, { input: { ...MARCH, dryRun: true } });
    expect(data.startStatementRun.preview).toMatchObject({ issued: 0, notDueCount: 1 });
  });
});

describe('a run is not started', () => {
  const nextMonth = new Date(Date.now() + 32 * 86_400_000).toISOString().slice(0, 7);
  const unknown = `none-${randomUUID()}`;
  type Row = [what: string, input: object, status: number, problems: readonly (readonly [string, string])[]];
  test.each<Row>([
    ['for a month that is not over', { ...MARCH, period: nextMonth }, 422, [['/period', 'range']]],
    ['for a year that is not over', { ...YEAR, period: nextMonth.slice(0, 4) }, 422, [['/period', 'range']]],
    ['for statements of a year', { ...MARCH, period: '2024' }, 422, [['/period', 'format']]],
    ['for tax forms of a month', { ...YEAR, period: '2024-03' }, 422, [['/period', 'format']]],
    ['for a month that no year has', { ...MARCH, period: '2024-13' }, 422, [['/period', 'format']]],
    ['for what is no period', { ...MARCH, period: 'March' }, 422, [['/period', 'format']]],
    ['for no accounts', { ...MARCH, accountIds: [] }, 422, [['/accountIds', 'size']]],
    [
      'for accounts that the program does not have',
      { ...MARCH, accountIds: [unknown, `${unknown}-2`] },
      422,
      [
        ['/accountIds/0', 'unknown_account'],
        ['/accountIds/1', 'unknown_account'],
      ],
    ],
    ['for an account twice', { ...MARCH, accountIds: [unknown, unknown] }, 422, [['/accountIds/1', 'distinct']]],
  ])('%s, alike over GraphQL and REST, and so by a dry run', async (_what, input, status, problems) => {
    const [of] = await givenAccounts(1);
    const me = gateway.as(of.caller);
    const placed = (errors: readonly { pointer: string; code: string }[]) =>
      errors.map(({ pointer, code }) => [pointer, code]);
    for (const path of ['/statement-runs', '/statement-runs?dryRun=true']) {
      const overRest = await me.rest.post(path, input);
      expect([overRest.status, placed(overRest.body.errors)]).toEqual([status, problems]);
    }
    for (const dryRun of [false, true]) {
      const { data, errors } = await me.graphql(START, { input: { ...input, dryRun } });
      expect(data).toEqual({ startStatementRun: null });
      expect(placed(errors?.[0]?.extensions.errors ?? [])).toEqual(problems.map(([at, code]) => [`/input${at}`, code]));
    }
    expect(await eventsOf(of.program)).toEqual([]);
  });

  test('without what the documents must say, and while one of the period goes on', async () => {
    const [of] = await givenAccounts(1);
    const me = gateway.as(of.caller);
    await gateway.given.programRecord(of.program, { letterhead: null });
    for (const dryRun of [true, false]) {
      const { errors } = await me.graphql(START, { input: { ...MARCH, dryRun } });
      expect(errors?.[0]?.extensions.code).toBe('PROGRAM_INCOMPLETE');
    }
    await gateway.given.programRecord(of.program);
    const { runId } = await issue(gateway, 'close', MARCH.period, of.program);
    await gateway.sql.query(
      `WITH job AS (SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day'))
       UPDATE issue_run SET finished_at = NULL WHERE run_id = $1::uuid AND EXISTS (SELECT FROM job)`,
      [runId],
    );
    const running = await me.rest.post('/statement-runs', MARCH);
    expect([running.status, running.body.code]).toEqual([409, 'statement_run_running']);
    expect(running.body.detail).toContain(runId);
    expect((await me.rest.post('/statement-runs', { ...MARCH, period: '2024-04' })).status).toBe(201);
    await gateway.sql.query(`SELECT graphile_worker.remove_job($1 || ':0')`, [runId]);
  });

  test('by a caller who may only read', async () => {
    const [of] = await givenAccounts(1);
    const reader = gateway.as(await gateway.caller({ program: of.program, scopes: ['operations.read'] }));
    expect((await reader.rest.post('/statement-runs', MARCH)).status).toBe(403);
    expect((await reader.rest.post(`/statement-runs/${randomUUID()}/stop`, {})).status).toBe(403);
  });
});

describe('a run that is stopped', () => {
  test('ends with the batch that was begun; a rerun issues what is missing, and nothing twice', async () => {
    const program = gateway.given.program();
    await gateway.given.programRecord(program);
    const { customer } = await gateway.given.customer({ program });
    const all: GivenAccount[] = [];
    // A batch has a hundred accounts.
    for (let n = 0; n < 105; n += 15) {
      const some = Array.from({ length: 15 }, async () => {
        const of = await gateway.given.account({ program, owners: [customer] });
        await post(gateway, of, [interest]);
        return of;
      });
      all.push(...(await Promise.all(some)));
    }
    const me = gateway.as((all[0] as GivenAccount).caller);
    const holder = await gateway.sql.connect();
    let runId: string;
    try {
      // The first batch waits for an account, whichever it is, and the other one waits for the first.
      await holder.query('BEGIN');
      // One by one, since Citus locks no rows of several shards in one statement.
      for (const { account } of all) {
        await holder.query('SELECT FROM account WHERE account_id = $1 FOR UPDATE', [account]);
      }
      runId = (await me.graphql(START, { input: MARCH })).data.startStatementRun.run.runId;
      await until(async () => {
        const { rows } = await gateway.sql.query(
          `SELECT FROM graphile_worker.jobs WHERE key LIKE $1 || ':%' AND locked_at IS NOT NULL`,
          [runId],
        );
        return rows.length > 0;
      });
      const stopped = await me.graphql(STOP, { input: { runId, reason: 'Wrong letterhead' } });
      expect(stopped.data.stopStatementRun.run).toMatchObject({
        runId,
        status: 'STOPPED',
        stoppedAt: expect.any(String),
      });
    } finally {
      await holder.query('ROLLBACK');
      holder.release();
    }
    const { done, issued } = await gateway.endOfRun(runId);
    expect(done).toBeLessThan(all.length);
    expect(issued).toBe(done);
    const documents = async () => {
      const found = await gateway.sql.query<{ documents: number }>(
        `SELECT count(s.statement_id)::int AS documents FROM account a LEFT JOIN statement s USING (account_id)
         WHERE a.program = $1 GROUP BY a.account_id`,
        [program],
      );
      return found.rows.map(row => row.documents);
    };
    expect((await documents()).filter(count => count === 1)).toHaveLength(issued);
    const over = await me.rest.post(`/statement-runs/${runId}/stop`, {});
    expect([over.status, over.body.code]).toEqual([409, 'statement_run_over']);
    expect((await me.rest.get(`/statement-runs/${runId}`)).body).toMatchObject({ status: 'STOPPED', done });
    const again = (await me.graphql(RERUN, { id: runId })).data.rerunStatementRun.run;
    expect(await gateway.endOfRun(again.runId)).toMatchObject({ issued: all.length - done, leftOut: 0 });
    expect(await documents()).toEqual(all.map(() => 1));
    const another = await me.rest.post('/statement-runs', MARCH);
    expect(await gateway.endOfRun(another.body.run.runId)).toMatchObject({ accounts: all.length, issued: 0 });
    expect(await eventsOf(program)).toMatchObject([
      { action: 'statement_run.start' },
      { action: 'statement_run.stop', data: { ...MARCH, reason: 'Wrong letterhead' } },
      { action: 'statement_run.rerun' },
      { action: 'statement_run.start' },
    ]);
  });

  test.each([
    [true, 0],
    [false, 1],
  ])('issues nothing more by a batch that is tried again (stopped: %s)', async (isStopped, forms) => {
    const [of] = await givenAccounts(1, { taxId: null });
    const { runId } = await issue(gateway, '1099', YEAR.period, of.program);
    // The batch is to be done once more, and would issue the form now.
    await gateway.sql.query(
      `UPDATE issue_run SET done = 0, finished_at = NULL, issue_incomplete = true,
         stopped_at = CASE WHEN $2 THEN now() END WHERE run_id = $1`,
      [runId, isStopped],
    );
    await gateway.sql.query('DELETE FROM issue_batch WHERE run_id = $1', [runId]);
    await gateway.sql.query(
      `SELECT graphile_worker.add_job('issue_batch', json_build_object('runId', $1::text, 'from', $2::text, 'to', $2::text),
         job_key => $1 || ':0')`,
      [runId, of.account],
    );
    expect(await gateway.endOfRun(runId)).toMatchObject({ issued: forms, isStopped });
    expect(await formsOf(gateway, of.account)).toHaveLength(forms);
  });

  test('is one of the program alone: neither that of another program nor one for all programs', async () => {
    const [of] = await givenAccounts(1);
    await givenAccounts(1);
    const { runId } = await issue(gateway, '1099', '2023', null);
    await gateway.sql.query(
      `SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day')`,
      [runId],
    );
    const stop = async (caller: string, id: string) => {
      const overRest = await gateway.as(caller).rest.post(`/statement-runs/${id}/stop`, {});
      const { errors } = await gateway.as(caller).graphql(STOP, { input: { runId: id } });
      expect(restCode(errors?.[0]?.extensions.code)).toBe(overRest.body.code);
      return [overRest.status, overRest.body.code];
    };
    expect(await stop(of.caller, runId)).toEqual([409, 'statement_run_shared']);
    const stranger = await gateway.caller({ program: gateway.given.program() });
    for (const id of [runId, randomUUID()]) expect(await stop(stranger, id)).toEqual([404, 'statement_run_not_found']);
    await gateway.sql.query(`SELECT graphile_worker.remove_job($1 || ':0')`, [runId]);
  });
});

test('where the program wants it, starting and repeating a run waits for another person, who reads what it issues', async () => {
  const { asker, approver, program, account } = await givenTwo(gateway, { documents: true });
  const headers = keyed(unique('key'));
  const start = () => asker.graphql(START, { input: { ...YEAR, issueIncomplete: true } }, { headers });
  const dry = await asker.graphql(START, { input: { ...YEAR, dryRun: true } });
  expect(dry.data.startStatementRun).toMatchObject({ run: null, accounts: 1, preview: { waits: true, accounts: 1 } });
  const approvalId = (await start()).errors?.[0]?.extensions.approvalId;
  const waiting = await approver.rest.get(`/approvals/${approvalId}`);
  expect(waiting.body).toMatchObject({
    command: 'statement_run.start',
    facts: YEAR,
    changes: [
      { field: 'documentType', before: '', after: 'TAX_1099' },
      { field: 'period', before: '', after: '2024' },
      { field: 'issueIncomplete', before: '', after: 'true' },
      { field: 'accountCount', before: '', after: '1' },
    ],
  });
  expect(await eventsOf(program)).toEqual([]);
  expect((await approver.rest.post(`/approvals/${approvalId}/approve`)).body.status).toBe('APPROVED');
  const { run } = (await start()).data.startStatementRun;
  await gateway.endOfRun(run.runId);
  const some = await asker.rest.post('/statement-runs', { ...YEAR, accountIds: [account] }, keyed(unique('key')));
  expect(some.status).toBe(202);
  const named = await approver.rest.get(`/approvals/${some.body.approvalId}`);
  expect(named.body.changes).toContainEqual({ field: 'accountIds', before: '', after: account });
  const again = await asker.rest.post(`/statement-runs/${run.runId}/rerun`, undefined, keyed(unique('key')));
  expect(again).toMatchObject({ status: 202, body: { command: 'statement_run.rerun', facts: YEAR } });
});
