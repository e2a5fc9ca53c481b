import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readConfig } from '../../../src/app/config.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { emptyDatabase } from '../../../test/support/postgres.js';
import { entry, post, type Entry } from '../../../test/transaction/support/ledger.js';
import { counted } from '../../overview/test/overview.js';
import { findingsOfAxe, wideOrMoving } from './accessible.js';
import { Operator } from './operator.js';

/** The program of the people who sign in with a button. */
const PROGRAM = 'demo';
const DAY_MS = 24 * 3600 * 1000;

let gateway: TestGateway;
let browser: Browser | null;
let operator: Operator | undefined;
beforeAll(async () => {
  const { console: page } = readConfig({});
  [gateway, browser] = await Promise.all([startTestGateway({ console: page }), openChromium()]);
});
afterEach(async () => {
  await operator?.leave();
  operator = undefined;
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
});

const at = async (path: string): Promise<Operator> =>
  (operator = await Operator.at(browser, gateway.url, path, { context: { reducedMotion: 'reduce' } }));

/** The findings of axe, and the parts of a screen that do not fit. */
async function faults(me: Operator): Promise<readonly string[]> {
  return [...(await findingsOfAxe(me)), ...(await wideOrMoving(me)), ...me.complaints];
}

/** An entry of so many days ago. */
function ago(days: number, changes: Partial<Entry>): Entry {
  const instant = new Date(Date.now() - days * DAY_MS).toISOString();
  return entry({ transactionTimestamp: instant, postedTimestamp: instant, ...changes });
}

testInChromium('a program without accounts says so, with zeros', async () => {
  const me = await at('/');
  await me.settled();
  await me.reads('0 opened in 30 days');
  await me.reads('No accounts yet');
  expect(await faults(me)).toEqual([]);
});

testInChromium(
  'the first screen tells accounts, deposits, cards and volumes, each with the way to its list',
  async () => {
    const { customer } = await gateway.given.customer({ program: PROGRAM });
    const caller = await gateway.caller({ program: PROGRAM });
    const open = async (currency: string): Promise<string> => {
      const account = {
        accountType: 'CHECKING',
        currency,
        timeZone: 'UTC',
        interestBearing: false,
        owners: [customer],
      };
      return String((await gateway.as(caller).rest.post('/accounts', account)).body.accountId);
    };
    const [dollars, more, euros] = [await open('USD'), await open('USD'), await open('EUR')];
    const days = Array.from({ length: 30 }, (_, index) => index).filter(index => index % 7 < 5);
    const amountOf = (day: number): string => String(1000 + ((day * 7919) % 4000));
    await post(gateway, { account: dollars, caller }, [
      ago(0, { amount: '1234.50' }),
      ago(0, { amount: '99.25', debitCreditMemo: 'DEBIT' }),
      ago(1, { amount: '20', debitCreditMemo: 'DEBIT' }),
    ]);
    const credits = days.map(day => ago(day + 2, { amount: amountOf(day) }));
    const debits = days.map(day => ago(day + 2, { amount: amountOf(day + 5), debitCreditMemo: 'DEBIT' }));
    await post(gateway, { account: more, caller }, [...credits, ...debits]);
    await post(gateway, { account: euros, caller }, [ago(0, { amount: '77' })]);
    await counted(gateway, PROGRAM);

    const me = await at('/');
    await me.settled();
    const figures = me.page.locator('dl.figures > div');
    const figure = (label: string) => figures.filter({ has: me.page.getByText(label, { exact: true }) });
    await me.reads('3', figure('Accounts'));
    await me.reads('3 opened in 30 days', figure('Accounts'));
    await me.reads('77.00', figure('Deposits in EUR'));
    await me.reads('1,234.50', figure('In today'));
    await me.reads('1 debit', figure('Out yesterday'));
    await me.pressText('Show the days as a table');
    await me.reads('1,234.50', me.page.getByRole('table', { name: 'Volume of the last 30 days' }));
    await me.pressText('Show the days as a table');
    expect(await faults(me)).toEqual([]);

    await me.page.setViewportSize({ width: 1280, height: 800 });
    await me.press('link', 'EUR');
    expect(me.address).toBe('?currency=EUR');
    await me.reads('77.00', figure('In today'));
    await me.press('link', /^In today/);
    const today = new Date().toISOString().slice(0, 10);
    expect(me.address).toBe(`/history?startTime=${today}&endTime=${today}&direction=CREDIT&status=POSTED`);
    await me.settled();
    await me.reads('1,234.50');
    expect(me.complaints).toEqual([]);
  },
);

testInChromium(
  'a gateway without packages shows the rest of the first screen, without a trace of the figures',
  async () => {
    const database = await emptyDatabase();
    const { console: page } = readConfig({});
    const bare = await startTestGateway(
      { databaseUrl: database.url, console: page },
      undefined,
      'test/app/without-packages',
    );
    try {
      const me = (operator = await Operator.at(browser, bare.url, '/'));
      await me.settled();
      await me.reads('Nothing needs attention');
      await me.reads('Latest changes');
      const there = await me.page.locator('main').innerText();
      expect(there).not.toMatch(/At a glance|Volume/);
      expect(await me.page.getByRole('alert').count()).toBe(0);
      await operator.leave();
      operator = undefined;
    } finally {
      await bare.stop();
      await database.drop();
    }
  },
);
