import { afterAll, beforeAll, expect } from '@jest/globals';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { customerRecord, importing } from '../../../test/cli/importing.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { NAMES } from '../../../test/support/awkward-people.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { inSeconds } from '../../../test/hold/support/in-seconds.js';
import { keyed, unique } from '../../../test/support/gateway.js';
import { leastBeneficiary } from '../../../test/support/given.js';
import { entry, post } from '../../../test/transaction/support/ledger.js';
import { Bank, JOINT, OWN } from '../../../test/session/bank.js';
import { Operator } from './operator.js';
import { NAMING_TEXT, SHOWING_TEXT } from '../../../src/shared/written.js';
import { STORED_TEXTS } from './stored-text.js';

let bank: Bank;
let browser: Browser | null;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

const MAX_SCROLLS = 20;
/** Browsers show runs of blanks as one. */
const asShown = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Opens an address, loads all of its lists, and holds what can be read against the texts. */
async function expectText(operator: Operator, path: string, texts: readonly string[]): Promise<void> {
  await operator.open(path);
  await operator.settled();
  let lacking = texts;
  for (let scroll = 0; lacking.length > 0 && scroll < MAX_SCROLLS; scroll++) {
    const shown = asShown(await operator.page.locator('main').innerText());
    lacking = texts.filter(text => !shown.includes(asShown(text)));
    if (lacking.length > 0) await operator.hands.scrollOn();
  }
  expect([path, lacking]).toEqual([path, []]);
}

testInChromium('whatever is stored is shown as the text that it is', async () => {
  const random = fc.sample(
    fc.string({ unit: fc.constantFrom(...'<>"\'`&=/;:(){}[]$#%\\ aä日𝒳'), minLength: 3, maxLength: 40 }),
    20,
  );
  // What shows nothing, or hides something, is refused and cannot be stored.
  const showing = new RegExp(SHOWING_TEXT, 'u');
  const naming = new RegExp(NAMING_TEXT, 'u');
  const texts = [...STORED_TEXTS, ...random.filter(text => text.trim() === text)].filter(text => showing.test(text));
  const names = STORED_TEXTS.filter(text => naming.test(text) && showing.test(text));
  const me = await bank.somebody();
  const customer = customerRecord({ name: { first: names[3], middle: names[7], last: names.at(-1) } });
  expect(await importing(bank.gateway, 'customers', OWN, [customer])).toEqual(['new']);
  const { account, caller } = await bank.gateway.given.account({ program: OWN, owners: [customer.customerId] });
  const described = texts.map((text, index) =>
    entry({ transactionId: `x-${index}`, description: text, memo: texts.at(-1 - index) ?? null }),
  );
  await post(bank.gateway, { account, caller }, described);
  const sent = [
    ...names
      .slice(0, 8)
      .map((text, index) =>
        me.rest.post(
          `/accounts/${account}/beneficiaries`,
          leastBeneficiary({ name: { first: text, last: names[index + 8] } }),
        ),
      ),
    me.rest.post(`/accounts/${account}/holds`, {
      holdId: 'x',
      amount: 1,
      description: texts[5],
      reference: texts[0],
      expiresAt: inSeconds(900),
    }),
  ];
  for (const { status, text } of await Promise.all(sent)) expect([status, text]).toEqual([201, text]);
  bank.answers.body = texts[3] ?? '';
  const endpoint = { url: bank.receiver.url, types: ['card.frozen'], description: texts[1] };
  const { endpointId } = (await me.rest.post('/webhook-endpoints', endpoint)).body;
  const { deliveryId } = (await me.rest.post(`/webhook-endpoints/${String(endpointId)}/test`, { type: 'card.frozen' }))
    .body;
  await bank.failed(String(deliveryId));
  const asked = await me.rest.post(`/accounts/${account}/restrict`, { reason: texts[4] }, keyed(unique('restrict')));
  expect(asked.status).toBe(200);

  const operator = await Operator.at(browser, bank.url, '/');
  const dialogs: string[] = [];
  operator.page.on('dialog', dialog => {
    dialogs.push(dialog.message());
    void dialog.dismiss();
  });
  await operator.page.exposeFunction('pwned', () => dialogs.push('pwned'));
  await expectText(operator, `/accounts/${account}`, [names[3] as string, names.at(-1) as string]);
  await expectText(operator, `/accounts/${account}/history`, texts);
  await expectText(operator, `/accounts/${account}/owners`, [texts[3] as string]);
  await expectText(operator, `/accounts/${account}/beneficiaries`, STORED_TEXTS.slice(0, 16));
  await expectText(operator, `/accounts/${account}/holds`, [texts[5] as string]);
  await expectText(operator, `/accounts/${account}/events`, []);
  await expectText(operator, `/customers/${customer.customerId}`, [texts[3] as string]);
  await expectText(operator, `/webhooks/${String(endpointId)}`, [texts[1] as string]);
  await expectText(operator, `/webhooks/${String(endpointId)}/${String(deliveryId)}`, [texts[3] as string]);
  for (const text of STORED_TEXTS.slice(0, 12)) {
    await expectText(operator, `/?text=${encodeURIComponent(text)}`, [text]);
  }
  expect([dialogs, operator.complaints]).toEqual([[], []]);
  await operator.leave();
});

testInChromium('names of all scripts are shown as they came in, and are found', async () => {
  const me = await bank.somebody();
  const { account } = await bank.gateway.given.account({ program: OWN });
  for (const { first, middle, last } of NAMES) {
    const { status } = await me.rest.post(
      `/accounts/${account}/beneficiaries`,
      leastBeneficiary({ name: { first, middle, last } }),
    );
    expect([last, status]).toEqual([last, 201]);
  }
  const operator = await Operator.at(browser, bank.url, '/');
  const shown = NAMES.map(({ first, middle, last }) => [first, middle, last].filter(Boolean).join(' '));
  await expectText(operator, `/accounts/${account}/beneficiaries`, shown);
  for (const { first, middle, last } of NAMES.filter(({ script }) =>
    ['Arab', 'Thai', 'Deva', 'Hans'].includes(script),
  )) {
    const customer = customerRecord({ name: { first, middle, last } });
    expect(await importing(bank.gateway, 'customers', OWN, [customer])).toEqual(['new']);
    await expectText(operator, `/?text=${encodeURIComponent(last)}`, [last]);
  }
  expect(operator.complaints).toEqual([]);
  await operator.leave();
});

testInChromium('a posting appears on the open account without a reload, and is read out', async () => {
  const operator = await Operator.at(browser, bank.url, `/accounts/${JOINT}/history`);
  await operator.reads(/transactions$/);
  await operator.page.evaluate('window.isStillThePage = true');
  const description = unique('Ferry to Saltmarsh');
  const caller = await bank.gateway.caller({ program: OWN });
  await post(bank.gateway, { account: JOINT, caller }, [entry({ description, amount: '12.34' })]);
  await operator.reads('12.34', operator.row(description));
  await operator.page.getByRole('status').filter({ hasText: '1 new transaction' }).waitFor({ state: 'attached' });
  expect(await operator.page.evaluate('window.isStillThePage')).toBe(true);
  expect(operator.complaints).toEqual([]);
  await operator.leave();
});
