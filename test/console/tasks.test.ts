import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { customerRecord } from '../cli/importing.js';
import { openChromium } from '../pages/chromium.js';
import { testInChromium } from '../pages/visitor.js';
import { keyed, unique } from '../support/gateway.js';
import type { Browser } from 'playwright-core';
import { Bank, CARD_LAST4, JOINT, OWN } from './bank.js';
import type { Hands } from './hands.js';
import { Operator, type DemoRole } from './operator.js';

let bank: Bank;
let browser: Browser | null;
let operator: Operator | undefined;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
});
afterEach(async () => {
  await operator?.leave();
  operator = undefined;
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

/** A new account without money, whose closing somebody has asked for. Gives the address of what waits. */
async function closingAskedBy(subject: string): Promise<{ readonly account: string; readonly path: string }> {
  const { account } = await bank.gateway.given.account({ program: OWN });
  const asker = await bank.somebody(subject);
  const asked = await asker.rest.post(`/accounts/${account}/close`, { reason: 'CUSTOMER_REQUEST' }, keyed(unique('close')));
  expect(asked.status).toBe(202);
  return { account, path: `/approvals/${String(asked.body.approvalId)}` };
}

describe.each<Hands['by']>(['mouse', 'keyboard'])('by %s', by => {
  const at = async (path: string, as: DemoRole = 'Operator'): Promise<Operator> =>
    (operator = await Operator.at(browser, bank.url, path, { by, as }));

  testInChromium('an operator finds an account by the last four digits of a card', async () => {
    const me = await at('/');
    await me.hands.search(CARD_LAST4);
    await me.press('option', new RegExp(CARD_LAST4));
    await me.page.waitForURL(url => url.pathname.includes(JOINT));
    await me.reads('Maren Ashdown');
    expect(await me.page.getByText('acme-2041').count()).toBe(0);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an approver approves a change that another asked for', async () => {
    const { account, path } = await closingAskedBy('nightly-batch');
    const me = await at('/approvals', 'Approver');
    await me.press('link', /close/i, me.row(account));
    await me.reads('nightly-batch, with back-office');
    expect(me.address).toBe(path);
    await me.press('button', 'Approve');
    await me.press('button', 'Approve', me.dialog('Approve the request'));
    await me.reads(/approved and carried out/);
    await me.reads('Approved');
    const { rows } = await bank.gateway.sql.query('SELECT status FROM account WHERE account_id = $1', [account]);
    expect(rows).toEqual([{ status: 'CLOSED' }]);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator cannot approve what they asked for themselves, and takes it back', async () => {
    const { account, path } = await closingAskedBy('demo-operator');
    const me = await at(path);
    await me.reads(/You asked for this, so another person must approve it/);
    expect(await me.page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await me.press('button', 'Take back');
    await me.hands.write('Reason', 'The customer has changed their mind.');
    await me.press('button', 'Take back', me.dialog('Take the request back'));
    await me.reads(/taken back/);
    const { rows } = await bank.gateway.sql.query('SELECT status FROM account WHERE account_id = $1', [account]);
    expect(rows).toEqual([{ status: 'OPEN' }]);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator sends a failed webhook again', async () => {
    bank.answers.status = 500;
    const test = await (await bank.somebody()).rest.post(`/webhook-endpoints/${bank.own.endpoint}/test`, { type: 'card.frozen' });
    expect(test.status).toBeLessThan(300);
    await bank.failed(String(test.body.deliveryId));
    const me = await at('/webhooks');
    await me.press('link', bank.receiver.url);
    await me.hands.choose('Status', 'Failed');
    await me.page.waitForURL(/status=FAILED/);
    await me.press('link', 'card.frozen', me.row('Failed'));
    await me.reads('The database of the receiver is away.');
    bank.answers.status = 204;
    await me.press('button', 'Send again');
    await me.press('button', 'Send', me.dialog('Send it again'));
    await me.reads('Delivered');
    await me.reads('Status 204');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator imports a file with three bad lines, and reads why they are bad', async () => {
    const good = [customerRecord(), customerRecord()].map(record => JSON.stringify(record));
    const bad = ['{"customerId": ', JSON.stringify(customerRecord({ name: null })), JSON.stringify(customerRecord({ dateOfBirth: '1970-02-30' }))];
    const lines = [good[0], bad[0], bad[1], good[1], bad[2]];
    const me = await at('/imports');
    await me.hands.choose('Records', 'Customers');
    await me.hands.attach('File', {
      ...{ name: 'customers.ndjson', mimeType: 'application/x-ndjson' },
      buffer: Buffer.from(`${lines.join('\n')}\n`),
    });
    await me.press('button', 'Import customers');
    await me.reads(/^Imported$/);
    const rejected = me.page.getByRole('table', { name: 'Rejected lines' }).getByRole('row');
    expect(await rejected.count()).toBe(4);
    expect((await rejected.allInnerTexts()).slice(1)).toEqual([
      expect.stringMatching(/^2\b.*JSON/s),
      expect.stringMatching(/^3\b.*\/name/s),
      expect.stringMatching(/^5\b.*\/dateOfBirth/s),
    ]);
    expect(me.complaints).toEqual([]);
  });
});
