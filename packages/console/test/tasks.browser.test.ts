import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { customerRecord } from '../../../test/cli/importing.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { inSeconds } from '../../../test/hold/support/in-seconds.js';
import { BANK_EXPORTS, bytesOf } from '../../../test/support/bank-exports.js';
import { keyed, unique } from '../../../test/support/gateway.js';
import { pdfOf } from '../../../test/support/statement.js';
import { entry, post } from '../../../test/transaction/support/ledger.js';
import type { Browser } from 'playwright-core';
import { Bank, CARD_LAST4, FEES_OF_1995, HISTORY_LENGTH, JOINT, OLDEST, OWN } from '../../../test/session/bank.js';
import type { InputDevice } from './hands.js';
import { Operator, type DemoRole } from './operator.js';

/** How long somebody looks at what has come. */
const READING_MS = 200;

let bank: Bank;
let browser: Browser | null;
/**
 * The people who are signed in already, by role and by what they work with: arriving and signing in takes longer than
 * most tasks.
 */
const seated = new Map<string, Operator>();
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

/** A new account without money, whose closing somebody has asked for. Gives the address of what waits. */
async function closingAskedBy(subject: string): Promise<{ readonly account: string; readonly path: string }> {
  const { account } = await bank.gateway.given.account({ program: OWN });
  const asker = await bank.somebody(subject);
  const asked = await asker.rest.post(
    `/accounts/${account}/close`,
    { reason: 'CUSTOMER_REQUEST' },
    keyed(unique('close')),
  );
  expect(asked.status).toBe(202);
  return { account, path: `/approvals/${String(asked.body.approvalId)}` };
}

describe.each<InputDevice['by']>(['mouse', 'keyboard'])('by %s', by => {
  const at = async (path: string, as: DemoRole = 'Operator'): Promise<Operator> => {
    const seat = `${as} by ${by}`;
    const present = seated.get(seat);
    const operator = present ?? (await Operator.at(browser, bank.url, path, { by, as }));
    if (present) await present.goOnAt(path);
    seated.set(seat, operator);
    return operator;
  };

  testInChromium('an operator finds an account by the last four digits of a card', async () => {
    const me = await at('/');
    await me.hands.search(CARD_LAST4);
    await me.press('option', new RegExp(CARD_LAST4));
    await me.page.waitForURL(url => url.pathname.includes(JOINT));
    await me.reads('Maren Ashdown');
    expect(await me.page.getByText('acme-2041').count()).toBe(0);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator tells who added a beneficiary, and when', async () => {
    const me = await at(`/accounts/${JOINT}/beneficiaries`);
    await me.reads('Grace Lindqvist');
    await me.press('link', 'Changes', me.tabs);
    const event = me.row(/added a beneficiary/);
    await me.reads('teller-07', event);
    await me.reads(bank.addedAt, event);
    await me.reads('Intact');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator pages to the oldest of 130 transactions', async () => {
    const me = await at(`/accounts/${JOINT}`);
    await me.press('link', 'History', me.page.getByRole('navigation', { name: 'Account' }));
    await me.reads(`50 of ${HISTORY_LENGTH} transactions`);
    while ((await me.row(OLDEST).count()) === 0) {
      await me.hands.scrollOn();
      // Keys that come faster than the page draws would keep it from loading the rest.
      await sleep(READING_MS);
    }
    await me.reads('2,500.00', me.row(OLDEST));
    await me.reads(`${HISTORY_LENGTH} transactions`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator filters the fees of 1995, and the address shows them again', async () => {
    const me = await at(`/accounts/${JOINT}/history`);
    await me.press('button', 'Filter');
    await me.press('button', 'Type');
    await me.press('button', 'Fee');
    await me.press('button', 'Add a filter');
    await me.press('button', 'Posted');
    await me.hands.writeDay('From', '1995-01-01');
    await me.hands.writeDay('To', '1995-12-31');
    await me.press('button', 'Apply');
    await me.reads(`${FEES_OF_1995} transactions`);
    await me.open(me.address);
    await me.reads(`${FEES_OF_1995} transactions`);
    expect(await me.row('Monthly service fee').count()).toBe(1);
    expect(me.address).toMatch(/type=FEE/);
    await me.press('button', 'Export');
    const exporting = me.dialog('Export the history');
    const [download] = await Promise.all([me.page.waitForEvent('download'), me.press('button', 'Download', exporting)]);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect([download.suggestedFilename(), lines.length]).toEqual(['transactions.csv', FEES_OF_1995 + 1]);
    expect(lines[1]).toMatch(/1995-12-28T.*,DEBIT,4\.50,.*,USD,FEE,/);
    await me.press('button', 'Export');
    await me.hands.choose('Format', 'PDF, to read and to print');
    const [printed] = await Promise.all([me.page.waitForEvent('download'), me.press('link', 'Download', exporting)]);
    const bytes = await readFile(await printed.path());
    expect([bytes.subarray(0, 5).toString(), printed.suggestedFilename()]).toEqual([
      '%PDF-',
      'transactions-1995-01-01-1995-12-31.pdf',
    ]);
    await me.press('button', 'Close', exporting);
    await me.press('button', 'Remove the filter Type');
    await me.reads(/60 transactions/);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator downloads a statement', async () => {
    const me = await at(`/accounts/${JOINT}`);
    await me.press('link', 'Documents');
    await me.press('link', 'Dec 31, 1995');
    const [download] = await Promise.all([me.page.waitForEvent('download'), me.press('link', 'Download PDF')]);
    const bytes = await readFile(await download.path());
    expect([bytes.subarray(0, 5).toString(), download.suggestedFilename()]).toEqual([
      '%PDF-',
      expect.stringMatching(/\.pdf$/),
    ]);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator freezes a card', async () => {
    const { account, last4, cardId } = await bank.accountWithCard();
    const me = await at(`/accounts/${account}`);
    await me.press('link', 'Cards');
    await me.press('button', `Freeze card ${last4}`);
    await me.press('button', /^Freeze/, me.page.getByRole('dialog'));
    await me.reads('Frozen', me.row(last4));
    await me.did('Freeze a card');
    await me.press('link', 'Changes', me.tabs);
    await me.reads('Otto Marlowe', me.row(/froze card/).filter({ hasText: cardId }));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator places a hold and releases it', async () => {
    const { account } = await bank.accountWithCard();
    const me = await at(`/accounts/${account}/holds`);
    const description = unique('Bell Tower Repairs');
    await me.press('button', 'Place hold');
    await me.hands.write('Amount in USD', '120.50');
    await me.hands.write('Description', description);
    await me.press('button', 'Place hold', me.page.getByRole('dialog'));
    await me.reads('Active', me.row(description));
    await me.reads('120.50', me.row(description));
    await me.press('button', /^Release /, me.row(description));
    await me.press('button', 'Release', me.dialog('Release the hold'));
    await me.reads('Released', me.row(description));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator moves money after a preview, and opens both accounts from the history', async () => {
    const { from, to } = await bank.limitedPair();
    const me = await at(`/accounts/${from}`);
    await me.press('button', 'Move money');
    await me.reads(/300\.00 of 300\.00/, me.dialog(`Move money from ${from}`));
    await me.reads('5 of 5', me.dialog(`Move money from ${from}`));
    await me.hands.write('To account', to);
    await me.hands.write('Amount in USD', '300.01');
    await me.press('button', 'Preview');
    await me.reads(/of which 300.00 USD are left today/);
    await me.hands.write('Amount in USD', '120.5');
    await me.hands.write('Description (optional)', 'Rent for April');
    await me.press('button', 'Preview');
    const preview = me.dialog('Move this money?');
    await me.reads('120.50', preview);
    await me.reads(/Ada Owner/, preview);
    await me.reads('879.50', preview);
    expect(await bank.balanceOf(to)).toBe('0.00');
    await me.press('button', 'Move money', preview);
    await me.reads(`120.50 USD went from ${from} to ${to}.`);
    await me.did('Move money');
    expect(await bank.balanceOf(to)).toBe('120.50');
    await me.press('link', 'History', me.page.getByRole('navigation', { name: 'Account' }));
    await me.press('link', 'Rent for April');
    await me.press('link', to, me.dialog('Transaction'));
    await me.page.waitForURL(url => url.pathname.includes(`/accounts/${to}/history/`));
    await me.reads('Transfer in', me.dialog('Transaction'));
    await me.press('link', from, me.dialog('Transaction'));
    await me.page.waitForURL(url => url.pathname.includes(`/accounts/${from}/history/`));
    await me.press('button', 'Reverse the transfer');
    await me.hands.write('Reason', 'Sent twice');
    await me.press('button', 'Reverse', me.dialog('Reverse the transfer'));
    await me.reads(`120.50 USD went back from ${to} to ${from}.`);
    expect(await bank.balanceOf(to)).toBe('0.00');
    await me.open(`/accounts/${from}/events`);
    await me.reads(/changed the limit of transfers in a day of/);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator asks for a large transfer, and reads that it waits', async () => {
    const { from, to } = await bank.limitedPair({ perDay: null });
    const me = await at(`/accounts/${from}`);
    await me.press('button', 'Move money');
    await me.hands.write('To account', to);
    await me.hands.write('Amount in USD', '500.01');
    await me.press('button', 'Preview');
    await me.reads(/wants a second person to approve this/);
    await me.press('button', 'Move money', me.dialog('Move this money?'));
    await me.press('link', 'Open the approval');
    await me.page.waitForURL(url => url.pathname.includes('/approvals/'));
    await me.reads('Make a transfer');
    expect(await bank.balanceOf(to)).toBe('0.00');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an approver reads both accounts, their owners and what is left of a large transfer', async () => {
    const { from, to } = await bank.limitedPair({ perDay: null });
    const transfer = { fromAccountId: from, toAccountId: to, transferId: unique('tr'), amount: 500.01 };
    const asked = await (await bank.somebody()).rest.post('/transfers', transfer, keyed(unique('key')));
    const me = await at(`/approvals/${String(asked.body.approvalId)}`, 'Approver');
    await me.reads('Make a transfer');
    for (const [account, what, after] of [
      [from, 'Available', '499.99'],
      [to, 'Posted', '500.01'],
    ] as const) {
      await me.reads('A*** O***', me.row(`Owners of ${account}`));
      await me.reads(after, me.row(`${what} balance of ${account}`));
    }
    await me.press('button', 'Approve');
    await me.press('button', 'Approve', me.dialog('Approve the request'));
    await me.reads(/approved and carried out/);
    expect(await bank.balanceOf(to)).toBe('500.01');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator reveals a date of birth for a reason, and finds that in the events', async () => {
    const me = await at(`/accounts/${JOINT}/owners`);
    const reason = unique('The caller could not name the account.');
    await me.press('button', 'Actions for Maren Ashdown');
    await me.press('button', 'Reveal personal data');
    await me.hands.write('Reason', reason);
    await me.press('button', 'Reveal', me.dialog(/Reveal the personal data/));
    await me.reads('Apr 17, 1968');
    await me.press('button', 'Done');
    await me.press('link', 'Changes', me.tabs);
    const event = me.row(/revealed personal data/);
    await me.reads('Otto Marlowe', event);
    await me.reads(reason, event);
    expect(await me.page.getByText('Apr 17, 1968').count()).toBe(0);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator erases the personal data of a former customer', async () => {
    const { customer } = await bank.gateway.given.customer({ program: OWN });
    const [email] = (await (await bank.somebody()).rest.get(`/customers/${customer}`)).body.contact.email;
    const me = await at(`/customers/${customer}`);
    await me.reads(email);
    await me.press('button', /^Actions for/);
    await me.press('button', 'Erase personal data');
    const erasing = me.dialog(/^Erase /);
    await me.hands.write('Reason', 'Request 2026-114', erasing);
    await me.press('button', 'Erase personal data', erasing);
    await me.reads(/^The personal data was erased/);
    await me.did('Erase a customer');
    expect(await me.page.getByText(email).count()).toBe(0);
    expect(await me.page.getByRole('button', { name: /^Actions for/ }).count()).toBe(0);
    await me.reads('Otto Marlowe erased the personal data of a customer: Request 2026-114');
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
    await me.did('Approve a request');
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
    const test = await (
      await bank.somebody()
    ).rest.post(`/webhook-endpoints/${bank.own.endpoint}/test`, { type: 'card.frozen' });
    expect(test.status).toBeLessThan(300);
    await bank.failed(String(test.body.deliveryId));
    const me = await at('/webhooks');
    await me.press('link', bank.receiver.url);
    await me.press('button', 'Filter');
    await me.press('button', 'Status');
    await me.press('button', 'Failed');
    await me.page.waitForURL(/status=FAILED/);
    await me.press('link', 'card.frozen', me.row('Failed'));
    await me.reads('The database of the receiver is away.');
    await me.did('See why a webhook failed');
    bank.answers.status = 204;
    await me.press('button', 'Send again');
    await me.press('button', 'Send', me.dialog('Send it again'));
    await me.reads('Delivered');
    await me.reads('Status 204');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator finds why a card was refused', async () => {
    const { account, last4, cardId } = await bank.accountWithCard();
    const freeze =
      'mutation ($account: ID!, $card: ID!) { freezeCard(input: { accountId: $account, cardId: $card }) { card { status } } }';
    await (await bank.somebody('teller-07')).graphql(freeze, { account, card: cardId });
    const purchase = { holdId: unique('hold'), amount: 75, description: 'Lantern Books', expiresAt: inSeconds(900) };
    const network = await bank.somebody('pos-network');
    const refused = await network.rest.post(
      `/accounts/${account}/holds`,
      { ...purchase, cardId },
      keyed(unique('purchase')),
    );
    expect(refused.body.code).toBe('card_state');
    const me = await at('/');
    await me.hands.search(last4);
    await me.press('option', new RegExp(account));
    await me.reads('Frozen', me.row(last4));
    const sentence = `pos-network was refused a purchase of 75.00 USD with card ${last4} of ${account}: the card is frozen`;
    await me.reads(sentence, me.page.getByRole('table', { name: 'Refused purchases' }));
    await me.press('link', 'Changes', me.tabs);
    await me.reads('Refused', me.row(sentence));
    await me.reads(new RegExp(`teller-07 froze card ${last4} of ${account}`));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator ends the session of somebody who has left, and finds that in the changes', async () => {
    const name = unique('Lena Quist');
    await bank.gateway.signIn(OWN, name);
    const me = await at('/');
    await me.press('link', 'Settings');
    await me.press('link', 'People');
    await me.press('button', `End the session of ${name}`);
    await me.press('button', 'End the session', me.dialog(/End the session of/));
    await me.reads(`The session of ${name} has ended.`);
    await me.did('End a session');
    await me.press('link', 'Changes', me.page.getByRole('navigation', { name: 'Console' }));
    await me.reads(`Otto Marlowe signed ${name} out`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator revokes the tokens of a client, and finds that in the changes', async () => {
    const client = unique('lost-phone');
    const { rest } = bank.gateway.as(await bank.gateway.caller({ program: OWN, clientId: client }));
    expect((await rest.get('/viewer')).status).toBe(200);
    const me = await at('/settings');
    await me.press('link', 'Tokens');
    await me.press('button', 'Revoke tokens');
    const revoking = me.dialog('Revoke access tokens');
    await me.hands.choose('Which tokens', 'All of a client');
    await me.hands.write('Client id', client);
    await me.reads(/It cannot be taken back/, revoking);
    await me.press('button', 'Revoke tokens', revoking);
    await me.reads(`The tokens of ${client} are refused from now on.`);
    await me.reads('All of a client', me.row(client));
    expect((await rest.get('/viewer')).status).toBe(401);
    await me.press('link', 'Who revoked them');
    await me.reads(`Otto Marlowe revoked access tokens: client ${client}`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator asks for limits of the program, which hold when another person approves', async () => {
    const currency = by === 'mouse' ? 'JPY' : 'CHF';
    const me = await at('/settings/limits');
    await me.press('button', 'Change the limits');
    const changing = me.dialog('Change the limits');
    await me.press('button', 'Add currency', changing);
    const added = changing.getByRole('group').last();
    await me.hands.write('Currency', currency, added);
    await me.hands.write('A transfer', '1000000.123', added);
    await me.press('button', 'Save', changing);
    await me.reads(/decimal digits/, added);
    await me.hands.write('A transfer', '1000000', added);
    await me.press('button', 'Save', changing);
    await me.press('link', 'Open the approval');
    await me.reads('Limits of transfers', me.row('1000000'));
    const approval = me.address.split('/').at(-1);
    const answer = await (await bank.somebody('teller-07')).rest.post(`/approvals/${approval}/approve`);
    expect([answer.status, answer.body.status]).toEqual([200, 'APPROVED']);
    await me.open('/settings/limits');
    await me.reads('1,000,000', me.row(currency));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator asks for another rule of approvals, which holds when somebody approves', async () => {
    const currency = by === 'mouse' ? 'JPY' : 'CHF';
    const me = await at('/settings/approvals');
    await me.press('button', 'Change the rules');
    const changing = me.dialog('Change the rules of approvals');
    await me.press('button', 'Add currency of postings', changing);
    const added = changing.getByRole('group', { name: /^currency of postings/ }).last();
    await me.hands.write('Currency', currency, added);
    await me.hands.write('Amount', '90000', added);
    await me.press('button', 'Save', changing);
    await me.press('link', 'Open the approval');
    await me.reads('90000', me.row('Approval of postings'));
    await me.did('Change the rules of the program');
    const approval = me.address.split('/').at(-1);
    const answer = await (await bank.somebody('teller-07')).rest.post(`/approvals/${approval}/approve`);
    expect([answer.status, answer.body.status]).toEqual([200, 'APPROVED']);
    await me.open('/settings/approvals');
    await me.reads(`90,000${currency}`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium(
    'an operator gives a group of the provider roles, which hold when another person approves',
    async () => {
      const group = `Bank Operations ${by}`;
      const me = await at('/settings/people');
      await me.press('button', 'Change the groups');
      const changing = me.dialog('Change the groups of the provider');
      await me.press('button', 'Add group', changing);
      const added = changing.getByRole('group').last();
      await me.hands.write('Name', group, added);
      await me.press('checkbox', /^Approver:/, added);
      await me.press('button', 'Save', changing);
      await me.press('link', 'Open the approval');
      await me.reads('Operator groups', me.row(group));
      const approval = me.address.split('/').at(-1);
      const answer = await (await bank.somebody('teller-07')).rest.post(`/approvals/${approval}/approve`);
      expect([answer.status, answer.body.status]).toEqual([200, 'APPROVED']);
      await me.open('/settings/people');
      await me.reads('Viewer, Approver', me.row(group));
      expect(me.complaints).toEqual([]);
    },
  );

  testInChromium('an operator imports a file with three bad lines, and reads why they are bad', async () => {
    const good = [customerRecord(), customerRecord()].map(record => JSON.stringify(record));
    const bad = [
      '{"customerId": ',
      JSON.stringify(customerRecord({ name: null })),
      JSON.stringify(customerRecord({ dateOfBirth: '1970-02-30' })),
    ];
    const lines = [good[0], bad[0], bad[1], good[1], bad[2]];
    const me = await at('/imports');
    await me.hands.choose('Records', 'Customers');
    await me.hands.attach('File', {
      name: 'customers.ndjson',
      mimeType: 'application/x-ndjson',
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
    await me.reads(/3 rejected/, me.page.getByRole('table', { name: 'Import history' }));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator imports CSV by menus, after a column is missing and a date is wrong', async () => {
    const me = await at('/imports');
    const [one, other] = [customerRecord(), customerRecord()].map(({ customerId }) => customerId);
    await me.hands.choose('Records', 'Customers');
    await me.hands.attach('File', {
      name: 'kunden.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Kundennummer;Name;Geburtstag\r\n${one};Weiß;03.02.1970\r\n"${other}";"Zwei\r\nZeilen";31.02.1970\r\n`,
        'latin1',
      ),
    });
    await me.reads('Weiß');
    await me.reads(/^Choose a column or a text for: .*Customer id/);
    const importing = me.page.getByRole('button', { name: 'Import customers' });
    expect(await importing.isDisabled()).toBe(true);
    await me.hands.choose('Customer id', 'Kundennummer');
    await me.hands.choose('Name last (optional)', 'Name');
    await me.hands.choose('Date of birth (optional)', 'Geburtstag');
    await me.hands.choose('Dates in the file', 'DD.MM.YYYY');
    await me.press('button', 'Check first');
    await me.reads('Checked: nothing was kept');
    const rejected = me.page.getByRole('table', { name: 'Rejected lines' }).getByRole('row');
    expect((await rejected.allInnerTexts()).slice(1)).toEqual([
      expect.stringMatching(/^3\b.*\/dateOfBirth.*DD\.MM\.YYYY/s),
      expect.stringMatching(/^3\b.*\/name\/last/s),
    ]);
    await me.press('button', 'Import these now');
    await me.reads(/^Imported$/);
    await me.did('Import CSV of a bank');
    await me.hands.search(String(one));
    await me.reads(/Weiß/);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator imports what banks export by the maps of the command line', async () => {
    const me = await at('/imports');
    const opened = unique('giro');
    for (const [index, file] of BANK_EXPORTS.entries()) {
      const { kind, currency, timeZone } = file;
      const name = `export-${index}.csv`;
      const of = { program: 'demo', currency, timeZone };
      const account = kind === 'transactions' ? (await bank.gateway.given.account(of)).account : opened;
      const records = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
      await me.hands.choose('Records', records);
      await me.hands.attach('File', { name, mimeType: 'text/csv', buffer: bytesOf(file, account) });
      await me.hands.attach('Map (optional)', {
        name: 'map.yaml',
        mimeType: 'application/yaml',
        buffer: Buffer.from(file.map.replaceAll('ACCOUNT', account)),
      });
      await me.press('button', `Import ${kind}`);
      await me.page.getByLabel(name, { exact: true }).waitFor();
      await me.reads(/^Imported$/);
      expect([file.name, await me.page.getByRole('table', { name: 'Rejected lines' }).count()]).toEqual([file.name, 0]);
    }
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator adds a customer and opens an account for them', async () => {
    const last = `Quillfeather${unique('').replaceAll(/\W/g, '')}`;
    const account = unique('harbor');
    const me = await at('/customers');
    await me.press('button', 'Add customer');
    const adding = me.dialog('Add a customer');
    await me.hands.write('First name (optional)', 'Nerissa');
    await me.hands.write('Last name', last);
    await me.hands.write('Tax id (optional)', '900-12-4417');
    await me.press('button', 'Add address', adding);
    await me.hands.write('Street and number', '9 Lantern Row');
    await me.hands.write('City', 'Port Ambergill');
    await me.press('button', 'Add customer', adding);
    await me.page.waitForURL(/\/customers\/[0-9a-f-]{36}$/);
    await me.reads('9 Lantern Row, Port Ambergill, US');
    await me.did('Add a customer');
    await me.press('link', 'Accounts', me.page.getByRole('navigation', { name: 'Console' }));
    await me.press('button', 'Open account');
    const opening = me.dialog('Open an account');
    await me.hands.write('Find a customer', last);
    await me.press('button', `Choose Nerissa ${last}`, opening);
    await me.hands.write('Account id (optional)', account);
    await me.hands.write('Currency', 'USD');
    await me.hands.write('Time zone', 'America/New_York');
    await me.hands.write('Overdraft limit in USD (optional)', '250');
    await me.press('button', 'Open account', opening);
    await me.page.waitForURL(url => url.pathname.endsWith(`/accounts/${account}`));
    await me.reads(`Nerissa ${last}`);
    await me.did('Open an account');
    await me.reads(/^Checking in USD/);
    await me.reads('250.00');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator finds a customer by telephone, and reads the last five movements', async () => {
    const clerk = await bank.somebody('clerk');
    const number = `+1 503 555 ${String(Math.floor(1000 + Math.random() * 9000))}`;
    const { body: customer } = await clerk.rest.post('/customers', {
      name: { first: 'Orsolya', last: unique('Lantern') },
      contact: { email: [], telephones: [{ type: 'CELL', number }] },
    });
    for (const days of [
      ['01', '03', '05'],
      ['02', '04', '06'],
    ]) {
      const owners = [customer.customerId];
      const { account, caller } = await bank.gateway.given.account({ program: OWN, owners, openedOn: '2026-03-01' });
      const movements = days.map(day => {
        const time = `2026-03-${day}T12:00:00.000Z`;
        return entry({ description: `Movement of day ${day}`, transactionTimestamp: time, postedTimestamp: time });
      });
      await post(bank.gateway, { account, caller }, movements);
    }
    const me = await at('/');
    await me.hands.search(number);
    await me.press('option', /Orsolya/);
    await me.page.waitForURL(url => url.pathname.endsWith(`/customers/${customer.customerId}`));
    await me.did('Find a customer by telephone');
    const rows = me.page.getByRole('table', { name: 'Last movements' }).getByRole('row');
    await me.reads('Movement of day 06');
    const told = (await rows.allTextContents()).flatMap(text => /Movement of day (\d\d)/.exec(text)?.[1] ?? []);
    expect(told).toEqual(['06', '05', '04', '03', '02']);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator finds a customer by a name with accents, with and without them', async () => {
    const clerk = await bank.somebody('clerk');
    // A family name of letters, so that it is one word of the name.
    const plain = `Munoz${unique('').replaceAll(/[^a-z]/gi, '')}`;
    const name = { first: 'Zoë', last: plain.replace('Munoz', 'Muñoz') };
    const { body } = await clerk.rest.post('/customers', { name, contact: { email: [], telephones: [] } });
    const me = await at('/');
    for (const typed of [plain, name.last]) {
      await me.hands.search(typed);
      await me.press('option', new RegExp(`Zoë ${name.last}`));
      await me.page.waitForURL(url => url.pathname.endsWith(`/customers/${body.customerId}`));
      if (typed === plain) await me.did('Find a customer by a name with an accent');
      await me.open('/');
    }
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator posts a correction', async () => {
    const { account } = await bank.gateway.given.account({ program: OWN });
    const me = await at(`/accounts/${account}`);
    await me.press('button', `Actions for ${account}`);
    await me.press('button', 'Post a transaction');
    await me.hands.write('Amount in USD', '12.5');
    await me.hands.write('Description', 'Interest of March, corrected');
    await me.press('button', 'Post', me.dialog(`Post a transaction to ${account}`));
    await me.reads('Interest of March, corrected', me.page.getByRole('table', { name: 'Latest transactions' }));
    await me.did('Post a transaction');
    expect(await bank.balanceOf(account)).toBe('12.50');
    await me.press('link', 'Changes', me.tabs);
    await me.reads(`Otto Marlowe credited 12.50 USD to ${account}: adjustment`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator exports a month for bookkeeping, with its balances', async () => {
    const me = await at(`/accounts/${JOINT}/history`);
    await me.press('button', 'Export');
    const exporting = me.dialog('Export the history');
    await me.hands.choose('Format', 'camt.053 (ISO 20022)');
    await me.hands.writeDay('First day', '1995-03-01');
    await me.hands.writeDay('Last day', '1995-03-31');
    const [download] = await Promise.all([me.page.waitForEvent('download'), me.press('link', 'Download', exporting)]);
    await me.did('Export a month');
    const text = await readFile(await download.path(), 'utf8');
    expect(text).toContain('camt.053.001.08');
    expect(text).toContain('<FrDtTm>1995-03-01');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator corrects an address, and finds the change', async () => {
    const { customer } = await bank.gateway.given.customer({ program: OWN });
    const me = await at(`/customers/${customer}`);
    await me.press('button', 'Edit');
    const street = unique('Cooper Street');
    await me.hands.write('Street and number', street);
    await me.press('button', 'Save', me.dialog(/^Edit Ada Owner/));
    await me.reads(new RegExp(street));
    await me.reads(/address/i, me.row(/changed a customer/));
    const { rows } = await bank.gateway.sql.query('SELECT version, tax_id FROM customer WHERE customer_id = $1', [
      customer,
    ]);
    expect(rows).toEqual([{ version: 2, tax_id: expect.stringMatching(/^\*{5}\d{4}$/) }]);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator refunds a part of a fee, and notes why', async () => {
    const { account, caller } = await bank.gateway.given.account({ program: OWN });
    const fee = entry({
      amount: '4.50',
      debitCreditMemo: 'DEBIT',
      transactionType: 'FEE',
      description: 'Monthly service fee',
    });
    await post(bank.gateway, { account, caller }, [fee]);
    const me = await at(`/accounts/${account}/history/${fee.transactionId}`);
    await me.press('button', 'Refund the fee');
    await me.hands.write('Amount in USD', '2.5');
    await me.press('button', 'Refund', me.dialog('Refund the fee'));
    await me.reads(`2.5 USD were refunded to ${account}.`);
    await me.did('Refund a fee');
    expect(await bank.balanceOf(account)).toBe('-2.00');
    await me.press('button', 'Add note', me.dialog('Transaction'));
    await me.hands.write('Note', 'Charged twice in March.');
    await me.press('button', 'Add note', me.dialog('Add a note about the transaction'));
    await me.reads('Charged twice in March.', me.dialog('Transaction'));
    await me.did('Write a note');
    await me.open(`/accounts/${account}`);
    await me.reads('Charged twice in March.');
    await me.reads('Refund: Monthly service fee');
    await me.press('link', 'Changes', me.tabs);
    await me.reads(`Otto Marlowe refunded 2.50 USD of ${fee.transactionId} to ${account}`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator uploads the statement of a partner', async () => {
    const { account } = await bank.gateway.given.account({ program: OWN });
    const me = await at(`/accounts/${account}/documents`);
    await me.press('button', 'Upload a document');
    await me.hands.attach('PDF', { name: 'march.pdf', mimeType: 'application/pdf', buffer: pdfOf() });
    await me.reads('march.pdf');
    await me.hands.writeDay('Last day of the period', '2026-03-31');
    await me.press('button', 'Upload', me.dialog(`Upload a document for ${account}`));
    await me.reads('Partner', me.row('Mar 31, 2026'));
    await me.did('Upload a statement of a partner');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator sets a limit, and a larger transfer is refused', async () => {
    const { from, to } = await bank.limitedPair({ perDay: null });
    const me = await at(`/accounts/${from}`);
    await me.press('button', `Actions for ${from}`);
    await me.press('button', 'Set limits');
    await me.hands.write('Largest transfer in USD', '50');
    await me.press('button', 'Set limits', me.dialog(`Limits of ${from}`));
    await me.reads(`The limits of ${from} were set.`);
    await me.did('Change a limit');
    await me.press('button', 'Move money');
    await me.hands.write('To account', to);
    await me.hands.write('Amount in USD', '50.01');
    await me.press('button', 'Preview');
    await me.reads(/50\.00 USD/, me.dialog(`Move money from ${from}`));
    expect(await bank.balanceOf(to)).toBe('0.00');
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an approver reads two requests of others, and approves them together', async () => {
    const [one, other] = [await closingAskedBy('nightly-batch'), await closingAskedBy('nightly-batch')];
    const me = await at('/', 'Approver');
    await me.press('link', 'Close an account', me.row(one.account));
    await me.page.waitForURL(url => url.pathname.endsWith(one.path));
    await me.press('link', 'Approvals', me.page.getByRole('navigation', { name: 'Console' }));
    await me.press('button', /^Review /);
    for (;;) {
      const request = me.dialog(/^Request /);
      await request.or(me.dialog(/^Approve /)).waitFor();
      if ((await request.count()) === 0) break;
      const isWanted = await Promise.all(
        [one, other].map(({ account }) => request.getByText(new RegExp(`${account},`)).count()),
      );
      await me.press('button', isWanted.some(Boolean) ? 'Choose to approve' : 'Leave it waiting', request);
    }
    await me.press('button', 'Approve 2 requests', me.dialog('Approve 2 requests'));
    await me.press('button', 'Close', me.dialog('Approve 2 requests').locator('.dialog-foot'));
    const { rows } = await bank.gateway.sql.query('SELECT status FROM account WHERE account_id = ANY($1)', [
      [one.account, other.account],
    ]);
    expect(rows).toEqual([{ status: 'CLOSED' }, { status: 'CLOSED' }]);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator prints an account without what is for the screen', async () => {
    const me = await at(`/accounts/${JOINT}`);
    await me.page.evaluate('print = () => document.body.setAttribute("data-printed", "yes")');
    await me.press('button', `Actions for ${JOINT}`);
    await me.press('button', 'Print');
    expect(await me.page.locator('body').getAttribute('data-printed')).toBe('yes');
    await me.page.emulateMedia({ media: 'print' });
    await me.reads(JOINT);
    await me.reads('Maren Ashdown');
    expect(await me.page.getByRole('button').filter({ visible: true }).count()).toBe(0);
    expect(await me.page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
    expect(me.complaints).toEqual([]);
  });
});

testInChromium('keys alone go to a list, turn it round, and open its second row', async () => {
  await bank.limitedPair();
  const me = await Operator.at(browser, bank.url, '/', { by: 'keyboard' });
  await me.page.keyboard.press('ControlOrMeta+k');
  await me.page.keyboard.type('acc');
  await me.page.keyboard.press('Enter');
  await me.page.waitForURL(/\/accounts$/);
  await me.press('link', /^Account/, me.page.getByRole('columnheader'));
  await me.page.waitForURL(/order=reversed/);
  await me.reads(/accounts/);
  await me.settled();
  const links = me.page.getByRole('table', { name: 'Accounts' }).getByRole('row').getByRole('link');
  const ids = (await links.allInnerTexts()).filter(text => !text.startsWith('Account'));
  expect(ids).toEqual(ids.toSorted().toReversed());
  for (const key of ['j', 'j', 'Enter']) await me.page.keyboard.press(key);
  await me.page.waitForURL(url => url.pathname.endsWith(`/accounts/${ids[1]}`));
  expect(me.complaints).toEqual([]);
});
