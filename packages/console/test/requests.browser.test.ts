import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { Bank, OWN } from '../../../test/session/bank.js';
import { newCard } from '../../../test/support/card.js';
import { keyed, unique } from '../../../test/support/gateway.js';
import { entry } from '../../../test/transaction/support/ledger.js';
import { inputsOf } from '../../../test/support/postings.js';
import { until } from '../../../test/support/until.js';
import type { InputDevice } from './hands.js';
import { Operator } from './operator.js';

const POST = `mutation Post($account: ID!, $transactions: [TransactionInput!]!) {
  postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { replayed } }`;

let bank: Bank;
let browser: Browser | null;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

const ids = (id: string) => ({ 'x-request-id': id });

/** Resolves when the log has requests with this id: it is written behind the answers. */
async function written(id: string, count = 1): Promise<void> {
  await until(async () => {
    const { rows } = await bank.gateway.sql.query('SELECT FROM api_request WHERE request_id = $1', [id]);
    return rows.length >= count;
  });
}

/** A client of the program. */
async function client(clientId: string, subject = clientId) {
  return bank.gateway.as(await bank.gateway.caller({ program: OWN, clientId, subject }));
}

describe.each<InputDevice['by']>(['mouse', 'keyboard'])('by %s', by => {
  let me: Operator;
  beforeAll(async () => {
    if (browser) me = await Operator.at(browser, bank.url, '/', { by, as: 'Viewer' });
  });
  afterAll(() => me?.leave());

  testInChromium('an operator says why a card was refused', async () => {
    const { account, owners } = await bank.gateway.given.account({ program: OWN });
    const [sender, id] = [unique('card-maker'), unique('request')];
    const card = { ...newCard(account, owners[0] as string), number: '4111111111111112' };
    await (await client(sender)).rest.post('/cards/v1/cards', card, ids(id));
    await written(id);
    await me.goOnAt('/requests');
    await me.press('link', 'Refused', me.page.getByRole('navigation', { name: 'Views' }));
    await me.press('link', 'POST /cards/v1/cards', me.row(sender));
    await me.reads('The card number has the wrong length or the wrong check digit.');
    await me.reads(id);
    expect(me.address).toBe(`/requests/${id}`);
    expect(await me.page.getByText('4111111111111112').count()).toBe(0);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator says who sent a posting twice', async () => {
    const { account } = await bank.gateway.given.account({ program: OWN });
    const [sender, first, again] = [unique('poster'), unique('first'), unique('again')];
    const variables = { account, transactions: inputsOf([entry()]) };
    const key = keyed(unique('key'));
    for (const id of [first, again]) {
      const { errors } = await (await client(sender)).graphql(POST, variables, { headers: { ...ids(id), ...key } });
      expect(errors).toBeUndefined();
      await written(id);
    }
    await me.goOnAt(`/accounts/${account}/events`);
    await me.pressText(/credited/);
    await me.press('link', 'Open the request');
    await me.reads('With the same idempotency key');
    await me.reads(sender, me.row('Replay'));
    await me.press('link', 'Post', me.row('Replay'));
    await me.reads('An earlier request with the same key had done it.');
    expect(me.address).toBe(`/requests/${again}`);
    expect(me.complaints).toEqual([]);
  });

  testInChromium('an operator sees what a client sent yesterday', async () => {
    const { account } = await bank.gateway.given.account({ program: OWN });
    const [sender, yesterday, today] = [unique('core'), unique('yesterday'), unique('today')];
    const { rest } = await client(sender);
    for (const id of [yesterday, today]) {
      await rest.post(`/accounts/${account}/restrict`, { reason: 'Because' }, ids(id));
      await rest.post('/accounts/nobodys/close', { reason: 'Because' }, ids(id));
      await written(id, 2);
    }
    await bank.gateway.sql.query(
      `UPDATE api_request SET answered_at = answered_at - interval '24 hours' WHERE request_id = $1`,
      [yesterday],
    );
    await me.goOnAt('/requests');
    await me.press('button', 'Filter');
    await me.press('button', 'Client');
    await me.hands.write('Client', sender);
    await me.press('button', 'Apply');
    await me.reads('4 requests');
    await me.press('button', 'Add a filter');
    await me.press('button', 'When');
    await me.press('button', 'Yesterday');
    await me.reads('2 requests');
    await me.reads('Account not found', me.row('POST /accounts/:accountId/close'));
    await me.press('link', 'POST /accounts/:accountId/close');
    await me.reads('With the same request id');
    expect(me.address).toBe(`/requests/${yesterday}`);
    expect(me.complaints).toEqual([]);
  });
});
