import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { issue } from '../../../test/statement/issue/issuing.js';
import { jobsDone } from '../../../test/support/jobs.js';
import { Bank, JOINT, OTHERS_JOINT, OTHER, OWN } from '../../../test/session/bank.js';
import { labelsOf } from './in-page.mjs';
import { Operator } from './operator.js';
import { screensOf, type ScreenOf } from './screens.js';

let bank: Bank;
let browser: Browser | null;
let screens: readonly ScreenOf[];
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
  screens = (await screensOf(bank)).filter(({ open }) => !open);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

/** What only looks, or belongs to the browser. */
const READING =
  /^(?:Sign out|Use (?:light|dark) colours|Keys|Menu|Print|Export|CSV|Filter|Add a filter|Remove the filter.*|(?:Posted|Type|Name, tax id or customer id) .*|Load more|Close|Skip|Copy.*|Search.*|Clear.*|\d+|)$/;

testInChromium('a viewer is offered nothing that changes something, on any screen', async () => {
  const viewer = await Operator.at(browser, bank.url, '/', { as: 'Viewer' });
  const offered: Record<string, readonly string[]> = {};
  for (const { name, path } of screens) {
    await viewer.open(path);
    await viewer.settled();
    const labels = await viewer.page.getByRole('button').evaluateAll(labelsOf);
    expect(labels).toContain('Sign out');
    const writing = labels.filter(label => !READING.test(label));
    if (writing.length > 0) offered[name] = writing;
  }
  expect([offered, viewer.complaints]).toEqual([{}, []]);
  await viewer.leave();
});

testInChromium('the operator of another program finds nothing at the addresses of this one', async () => {
  const { others } = bank;
  const operator = await Operator.at(browser, bank.url, '/');
  const addresses = [
    ...['', '/history', '/owners', '/beneficiaries', '/cards', '/holds', '/documents', '/events'].map(
      tab => `/accounts/${OTHERS_JOINT}${tab}`,
    ),
    `/accounts/${OTHERS_JOINT}/documents/${others.statement}`,
    `/webhooks/${others.endpoint}`,
  ];
  for (const address of addresses) {
    await operator.open(address);
    await operator.settled();
    const text = await operator.page.locator('main').innerText();
    expect([address, text]).toEqual([address, expect.stringMatching(/No such|not found|has no /i)]);
    expect([address, text]).not.toEqual([address, expect.stringMatching(/Ashdown|Lindqvist|4417|30,2/)]);
  }
  await operator.open('/?text=Ashdown');
  await operator.settled();
  expect(await operator.page.locator('main').innerText()).not.toContain(OTHER);
  expect(operator.complaints).toEqual([]);
  await operator.leave();
});

testInChromium('what happened is said alike on each screen, and by whom', async () => {
  // What happened just now is among the latest, however many attempts were denied before.
  await issue(bank.gateway, 'close', '1995-11', OWN);
  await jobsDone(bank.gateway.sql);
  const operator = await Operator.at(browser, bank.url, '/');
  for (const path of ['/', '/changes', `/accounts/${JOINT}/events`]) {
    await operator.open(path);
    await operator.reads(`Tillgate issued the statement of Nov 30, 1995 to ${JOINT}`);
  }
  for (const path of ['/', '/approvals']) {
    await operator.open(path);
    await operator.reads('nightly-batch', operator.row('Close an account'));
  }
  expect(operator.complaints).toEqual([]);
  await operator.leave();
});

testInChromium('when the session has ended, sign-in is asked, and then the same address opens', async () => {
  const operator = await Operator.at(browser, bank.url, `/accounts/${JOINT}/cards`);
  await operator.reads('Holder');
  await bank.gateway.sql.query('UPDATE console_session SET ended_at = now() WHERE ended_at IS NULL');
  await operator.press('link', 'Holds');
  await operator.reads('Sign in to the console');
  expect(await operator.page.getByText('Ashdown').count()).toBe(0);
  await operator.signIn('Operator');
  await operator.reads('Quarry Road Fuel, pump 4');
  expect(operator.address).toBe(`/accounts/${JOINT}/holds`);

  await operator.press('button', 'Sign out');
  await operator.reads('Sign in to the console');
  await operator.page.goBack();
  await operator.reads('Sign in to the console');
  expect(await operator.page.getByText('Quarry Road').count()).toBe(0);
  await operator.leave();
});

const MAX_REQUESTS = 20;

testInChromium('the first screen needs few requests', async () => {
  const operator = await Operator.at(browser, bank.url, '/');
  // The gateway knows the operations of the screen by then, so their hashes are enough.
  await operator.settled();
  let requests = 0;
  operator.page.on('request', () => (requests += 1));
  await operator.open('/');
  await operator.settled();
  expect(requests).toBeLessThanOrEqual(MAX_REQUESTS);
  await operator.leave();
});
