import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readConfig } from '../../../src/app/config.js';
import { customerRecord } from '../../../test/cli/importing.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { Operator } from './operator.js';

/** The program of the people who sign in with a button. */
const PROGRAM = 'demo';

let gateway: TestGateway;
let browser: Browser | null;
beforeAll(async () => {
  const { console: page, webhooks } = readConfig({});
  [gateway, browser] = await Promise.all([
    startTestGateway({ console: page, webhooks: { ...webhooks, allowLoopback: true } }),
    openChromium(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
});

/** Customers as lines of a file, of which the second is wrong and the last has no end. */
function fileOf(count: number): Buffer {
  const records = Array.from({ length: count }, (_, index) => (index === 1 ? {} : customerRecord()));
  return Buffer.from(records.map(record => JSON.stringify(record)).join('\n'));
}

testInChromium('a file is imported in pieces, and a piece whose answer is lost is imported once', async () => {
  const operator = await Operator.at(browser, gateway.url, '/imports?kind=customers');
  const { page } = operator;
  const keys: (string | undefined)[] = [];
  await page.route('**/console/graphql', async route => {
    const isPiece = route.request().postData()?.includes('"firstLine"') ?? false;
    if (isPiece) keys.push(route.request().headers()['idempotency-key']);
    // The gateway does what it is asked, and the answer does not arrive.
    if (isPiece && keys.length === 2) {
      await route.fetch();
      await route.abort();
    } else await route.continue();
  });
  const file = { name: 'customers.ndjson', mimeType: 'application/x-ndjson', buffer: fileOf(1500) };
  await page.getByLabel('File', { exact: true }).setInputFiles(file);
  await operator.press('button', 'Import customers');
  await operator.reads('Imported');
  await operator.reads('1,499');
  await operator.reads('/customerId');
  const pieces = new Set(keys).size;
  expect([keys.length, keys[2]]).toEqual([pieces + 1, keys[1]]);
  const { rows } = await gateway.sql.query(
    `SELECT (SELECT count(*)::int FROM customer WHERE program = $1) AS customers,
       (SELECT count(*)::int FROM event WHERE program = $1 AND action = 'record.import') AS pieces`,
    [PROGRAM],
  );
  expect(rows).toEqual([{ customers: 1499, pieces }]);
  await operator.leave();
});

testInChromium(
  'the secret of an endpoint is shown to who asked for it, once another person has approved it',
  async () => {
    await gateway.given.programRecord(PROGRAM, { approvals: { changingWebhookEndpoints: true } });
    const operator = await Operator.at(browser, gateway.url, '/webhooks');
    await operator.press('button', 'Add an endpoint');
    await operator.hands.write('URL', `https://bank.example/${randomUUID()}`);
    await operator.press('button', 'Add');
    await operator.press('link', 'Open the approval');
    await operator.reads('the secret is shown here');

    const approver = await Operator.at(browser, gateway.url, operator.address, { as: 'Approver' });
    await approver.press('button', 'Approve');
    await approver.press('button', 'Approve', approver.dialog('Approve the request'));
    await approver.reads(/approved and carried out/);
    expect(await approver.page.getByRole('button', { name: 'Show the secret' }).count()).toBe(0);
    await approver.leave();

    await operator.press('link', 'Approvals');
    await operator.press('link', 'Approved');
    await operator.press('link', 'Create a webhook endpoint');
    await operator.press('button', 'Show the secret');
    await operator.reads(/^whsec_/);
    await operator.leave();
  },
);
