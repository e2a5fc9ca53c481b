import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { Bank, OWN } from '../../../test/session/bank.js';
import { keyed, unique } from '../../../test/support/gateway.js';
import type { InputDevice } from './hands.js';
import { Operator } from './operator.js';

const REASON = 'The customer lost the card, and called at 9:40.';

let bank: Bank;
let browser: Browser | null;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

const setProposals = (agentProposals: boolean): Promise<void> =>
  bank.gateway.given.programRecord(OWN, { name: 'Harborlight', approvals: { agentProposals } });

/** An assistant that acts for Maren proposes to freeze a card. */
async function proposed(account: string, cardId: string) {
  const token = await bank.gateway.caller({
    program: OWN,
    scopes: 'cards.write agent',
    clientId: 'assistant',
    subject: 'maren',
  });
  const headers = { ...keyed(unique('freeze')), 'agent-reason': REASON };
  const FREEZE = `mutation ($account: ID!, $card: ID!) { freezeCard(input: { accountId: $account, cardId: $card }) { replayed } }`;
  return bank.gateway.as(token).graphql(FREEZE, { account, card: cardId }, { headers });
}

describe.each<InputDevice['by']>(['mouse', 'keyboard'])('by %s', by => {
  testInChromium('an operator lets agents propose, which holds when another person approves', async () => {
    await setProposals(false);
    const { account, cardId } = await bank.accountWithCard();
    expect((await proposed(account, cardId)).errors?.[0].extensions.code).toBe('AGENTS_ONLY_READ');
    const me = await Operator.at(browser, bank.url, '/settings/approvals', { by });
    await me.reads('Only read');
    await me.press('button', 'Change the rules');
    const changing = me.dialog('Change the rules of approvals');
    await me.press('checkbox', 'Agents propose changes, of which each waits', changing);
    await me.press('button', 'Save', changing);
    await me.press('link', 'Open the approval');
    await me.reads(/agent ?proposals/i);
    const approval = me.address.split('/').at(-1);
    const answer = await (await bank.somebody('teller-07')).rest.post(`/approvals/${approval}/approve`);
    expect([answer.status, answer.body.status]).toEqual([200, 'APPROVED']);
    await me.open('/settings/approvals');
    await me.reads('Propose changes, of which each waits');
    expect((await proposed(account, cardId)).errors?.[0].extensions.code).toBe('APPROVAL_REQUIRED');
    expect(me.complaints).toEqual([]);
    await me.leave();
  });

  testInChromium('an approver reads who proposes what through which agent, and why, and approves it', async () => {
    await setProposals(true);
    const { account, cardId, last4 } = await bank.accountWithCard();
    await proposed(account, cardId);
    const me = await Operator.at(browser, bank.url, '/approvals', { by, as: 'Approver' });
    await me.press('link', /freeze/i, me.row(account));
    await me.reads(/maren.*, through assistant/);
    await me.reads(REASON);
    await me.reads(/^active$/i, me.row(/frozen/i));
    await me.press('button', 'Approve');
    await me.press('button', 'Approve', me.dialog('Approve the request'));
    await me.reads(/approved and carried out/);
    await me.open(`/accounts/${account}/cards`);
    await me.reads('Frozen', me.row(last4));
    expect(me.complaints).toEqual([]);
    await me.leave();
  });
});
