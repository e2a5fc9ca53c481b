import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { unique } from '../../../test/support/gateway.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { Bank, OWN } from '../../../test/session/bank.js';
import { Operator } from './operator.js';

let bank: Bank;
let browser: Browser | null;
let me: Operator;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
  if (browser) me = await Operator.at(browser, bank.url, '/');
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

testInChromium(
  'a beneficiary gets what was typed, a wrong share is told at its field, and a change keeps the rest',
  async () => {
    const { account } = await bank.gateway.given.account({ program: OWN });
    await me.goOnAt(`/accounts/${account}/beneficiaries`);
    await me.press('button', 'Add beneficiary');
    const adding = me.dialog('Add a beneficiary');
    await me.hands.write('First name (optional)', 'Orla');
    await me.hands.write('Last name, or name of the organisation', 'Fennimore');
    await me.hands.writeDay('Date of birth (optional)', '1990-02-28');
    await me.hands.choose('Relationship to the owner', 'Sibling');
    await me.hands.write('Share in percent', '101');
    await me.hands.write('E-mail (optional)', 'orla@example.test');
    await me.hands.write('Street and number (optional)', '4 Tidewater Lane');
    await me.hands.write('City (optional)', 'Port Ambergill');
    await me.press('button', 'Add beneficiary', adding);
    await adding.getByLabel('Share in percent').and(me.page.locator('[aria-invalid]')).waitFor();
    await me.hands.write('Share in percent', '40');
    await me.press('button', 'Add beneficiary', adding);
    await me.reads(`Orla Fennimore is a beneficiary of ${account} now.`);
    await me.press('button', 'Actions for Orla Fennimore');
    await me.press('button', 'Change');
    await me.hands.write('Share in percent', '60');
    await me.press('button', 'Save', me.dialog('Change Orla Fennimore'));
    await me.reads('60%');
    const { rest } = await bank.somebody();
    const path = `/accounts/${account}/beneficiaries`;
    const [{ beneficiaryId }] = (await rest.get(path)).body.accountBeneficiaries;
    const { body } = await rest.get(`${path}/${beneficiaryId}`);
    expect(body).toMatchObject({
      name: { first: 'Orla', last: 'Fennimore' },
      beneficiaryType: 'PRIMARY',
      relationship: 'SIBLING',
      sharePercentage: 60,
      emails: [{ type: 'PERSONAL' }],
      addresses: [{ type: 'HOME', city: 'Port Ambergill', country: 'US' }],
    });
    expect(me.complaints).toEqual([]);
  },
);

testInChromium('a debit is posted with the check of funds that its form offers for debits alone', async () => {
  const { account } = await bank.gateway.given.account({ program: OWN });
  await me.goOnAt(`/accounts/${account}`);
  await me.press('button', `Actions for ${account}`);
  await me.press('button', 'Post a transaction');
  const posting = me.dialog(`Post a transaction to ${account}`);
  await me.hands.write('Amount in USD', '12.5');
  await me.hands.write('Description', 'Courier');
  expect(await posting.getByRole('checkbox').count()).toBe(0);
  await me.hands.choose('Direction', 'Debit: money leaves');
  await me.press('button', 'Post', posting);
  await me.reads(/available/, posting.getByRole('alert'));
  await me.press('checkbox', 'Refuse it beyond what is available and the overdraft limit', posting);
  await me.press('button', 'Post', posting);
  await me.reads(`12.5 USD were posted to ${account}.`);
  expect(await bank.balanceOf(account)).toBe('-12.50');
  expect(me.complaints).toEqual([]);
});

testInChromium('an endpoint gets its lists, and the element that is wrong is named at their field', async () => {
  await me.goOnAt('/webhooks');
  await me.press('button', 'Add an endpoint');
  const adding = me.dialog('Add an endpoint');
  await me.hands.write('URL', 'https://hooks.example.test/tillgate');
  await me.hands.write('Types of events (optional)', 'card.frozen\ncard.melted, card.closed');
  await me.press('button', 'Add', adding);
  await me.reads(/^card\.melted: /, adding);
  await me.hands.write('Types of events (optional)', 'card.frozen card.closed');
  await me.press('button', 'Add', adding);
  await me.press('button', 'Done', me.dialog('The endpoint was added'));
  await me.press('button', 'Actions for hooks.example.test');
  await me.press('button', 'Edit');
  await me.hands.write('Description (optional)', 'Back office');
  await me.press('button', 'Save', me.dialog('Edit the endpoint'));
  await me.reads('Back office');
  const { rows } = await bank.gateway.sql.query(
    'SELECT types, description FROM webhook_endpoint WHERE description = $1',
    ['Back office'],
  );
  expect(rows).toEqual([{ types: ['card.frozen', 'card.closed'], description: 'Back office' }]);
  expect(me.complaints).toEqual([]);
});

testInChromium('settings of the program get what was typed, and keep what nobody changed', async () => {
  const name = unique('Harbor Bank');
  const before = await (await bank.somebody()).rest.get('/program');
  await me.goOnAt('/settings');
  await me.press('button', 'Change the program');
  await me.hands.write('Name', name);
  await me.hands.choose('Statements of months without activity', 'All open accounts, each month');
  await me.press('button', 'Save', me.dialog('Change the program'));
  await me.reads('The program was saved.');
  await me.goOnAt('/settings/letterhead');
  await me.press('button', 'Change the letterhead');
  const head = me.dialog('Change the letterhead');
  await me.hands.write('Address (optional)', '1 Quay Street\n\n Port Ambergill ', head);
  await me.reads('Port Ambergill', head.getByRole('group', { name: 'Preview of the letterhead' }));
  await me.press('button', 'Save', head);
  await me.reads('The letterhead was saved.');
  await me.press('button', 'Change the contact');
  const contact = me.dialog('Change the contact for errors');
  await me.hands.write('Telephone', '+1 555 0100', contact);
  await me.hands.write('Address', '1 Quay Street', contact);
  await me.press('button', 'Save', contact);
  await me.reads('The contact was saved.');
  const { body } = await (await bank.somebody()).rest.get('/program');
  expect(body).toMatchObject({
    name,
    statementsWithoutActivity: 'ALWAYS',
    checkFunds: before.body.checkFunds,
    letterhead: { addressLines: ['1 Quay Street', 'Port Ambergill'] },
    errorResolution: { telephone: '+1 555 0100', addressLines: ['1 Quay Street'] },
  });
  expect(me.complaints).toEqual([]);
});

testInChromium('rules of approvals are asked for with every switch and amount of the form', async () => {
  await me.goOnAt('/settings/approvals');
  await me.press('button', 'Change the rules');
  const changing = me.dialog('Change the rules of approvals');
  await me.press('checkbox', 'Erasing personal data', changing);
  await me.press('button', 'Add currency of reversals', changing);
  await me.hands.write('Amount', '250', changing.getByRole('group', { name: 'currency of reversals 1' }));
  await me.press('button', 'Add currency of postings', changing);
  await me.hands.write('Amount', '900', changing.getByRole('group', { name: 'currency of postings 1' }));
  await me.press('button', 'Save', changing);
  await me.press('link', 'Open the approval');
  await me.settled();
  const approval = me.address.split('/').at(-1);
  const answer = await (await bank.somebody('teller-07')).rest.post(`/approvals/${approval}/approve`);
  expect([answer.status, answer.body.status]).toEqual([200, 'APPROVED']);
  const { body } = await (await bank.somebody()).rest.get('/program');
  expect(body.approvals).toMatchObject({
    closingAccounts: true,
    changingOwners: false,
    erasingCustomers: true,
    reversalsAbove: [{ currency: 'USD', amount: '250' }],
    postingsAbove: [{ currency: 'USD', amount: '900' }],
    transfersAbove: [{ currency: 'USD', amount: '500.00' }],
  });
  expect(me.complaints).toEqual([]);
});
