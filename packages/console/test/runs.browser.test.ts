import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readConfig } from '../../../src/app/config.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { post } from '../../../test/statement/issue/issuing.js';
import { findingsOfAxe, wideOrMoving } from './accessible.js';
import type { InputDevice } from './hands.js';
import { Operator } from './operator.js';

/** The program of the people who sign in with a button. */
const PROGRAM = 'demo';
const now = new Date();
const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
const lastYear = now.getUTCFullYear() - 1;
const month = lastMonth.toISOString().slice(0, 7);
const nameOfMonth = lastMonth.toLocaleDateString('en-US', { month: 'long', timeZone: 'UTC' });

let gateway: TestGateway;
let browser: Browser | null;
let operator: Operator | undefined;
/** An account whose owner has no tax id. */
let incomplete: string;
beforeAll(async () => {
  const { console: page } = readConfig({});
  [gateway, browser] = await Promise.all([startTestGateway({ console: page }), openChromium()]);
  await gateway.given.programRecord(PROGRAM);
  for (const taxId of ['123456789', null]) {
    const { customer } = await gateway.given.customer({ program: PROGRAM, taxId });
    const of = await gateway.given.account({ program: PROGRAM, owners: [customer] });
    await post(gateway, of, [
      { at: `${lastYear}-03-05`, amount: '20.00', type: 'INTEREST' },
      { at: `${month}-05`, amount: '10.00' },
    ]);
    incomplete = of.account;
  }
});
afterEach(async () => {
  await operator?.leave();
  operator = undefined;
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
});

describe.each<InputDevice['by']>(['mouse', 'keyboard'])('by %s', by => {
  const at = async (path: string): Promise<Operator> =>
    (operator = await Operator.at(browser, gateway.url, path, { by }));

  testInChromium('an operator sees who is left out of the tax forms and why, and issues the others', async () => {
    await gateway.sql.query(`DELETE FROM issue_run WHERE kind = '1099'`);
    const me = await at('/');
    await me.press('link', 'Statement runs');
    await me.press('button', `Issue 1099 of ${lastYear}`);
    const dialog = me.dialog('Issue Forms 1099-INT');
    await me.reads('1 account', dialog);
    await me.reads(/has no tax id of the United States/, dialog.getByRole('row').filter({ hasText: incomplete }));
    expect(await dialog.getByRole('link', { name: incomplete }).getAttribute('href')).toContain(incomplete);
    await me.press('button', 'Issue the forms', dialog);
    await me.page.waitForURL(/\/statement-runs\/[0-9a-f-]{36}$/);
    await gateway.endOfRun(me.address.slice(-36));
    await me.did('Issue the forms 1099');
    await me.reads(incomplete);
    await me.press('link', 'Statement runs');
    await me.page.getByRole('button', { name: 'Issue 1099 again' }).waitFor();
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator closes the last month, and stops a run that goes on', async () => {
    await gateway.sql.query(`DELETE FROM issue_run WHERE kind = 'close'`);
    const me = await at('/statement-runs');
    await me.press('button', `Close ${nameOfMonth}`);
    const dialog = me.dialog('Close a month');
    await me.reads(/^\d statements?$/, dialog);
    await me.press('button', 'Issue the statements', dialog);
    await me.page.waitForURL(/\/statement-runs\/[0-9a-f-]{36}$/);
    const runId = me.address.slice(-36);
    await gateway.endOfRun(runId);
    await me.did('Close a month');
    // A job that never runs keeps the run going.
    await gateway.sql.query(
      `WITH job AS (SELECT graphile_worker.add_job('nothing', job_key => $1 || ':0', run_at => now() + interval '1 day'))
       UPDATE issue_run SET finished_at = NULL, done = 0 WHERE run_id = $1::uuid AND EXISTS (SELECT FROM job)`,
      [runId],
    );
    await me.open(`/statement-runs/${runId}`);
    await me.press('button', 'Stop');
    await me.press('button', 'Stop', me.dialog('Stop the run'));
    await me.reads('The run was stopped.');
    await me.page.getByRole('button', { name: 'Run again' }).waitFor();
    await me.reads('Stopped');
    expect(me.complaints).toEqual([]);
  });
});

testInChromium(
  'where the program wants it, a run waits for another person, and the dialog says so before',
  async () => {
    await gateway.given.programRecord(PROGRAM, { approvals: { documents: true } });
    operator = await Operator.at(browser, gateway.url, `/tax/${lastYear}`);
    await operator.press('button', 'Issue the forms');
    const dialog = operator.dialog('Issue Forms 1099-INT');
    await operator.reads(/wants a second person/, dialog);
    await operator.press('button', 'Issue the forms', dialog);
    await operator.press('link', 'Open the approval');
    await operator.reads(String(lastYear));
    await gateway.given.programRecord(PROGRAM, { approvals: null });
    expect(operator.complaints).toEqual([]);
  },
);

testInChromium('axe finds nothing in the dialog, and all of it fits into 320 px', async () => {
  operator = await Operator.at(browser, gateway.url, '/statement-runs', { context: { reducedMotion: 'reduce' } });
  await operator.press('button', /^Issue 1099/);
  await operator.reads(incomplete, operator.dialog('Issue Forms 1099-INT'));
  expect([await findingsOfAxe(operator), await wideOrMoving(operator), operator.complaints]).toEqual([[], [], []]);
});
