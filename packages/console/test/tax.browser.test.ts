import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readConfig } from '../../../src/app/config.js';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { startGatewayInside, type GatewayInThisProcess } from '../../../test/support/gateway-inside.js';
import { TEMPLATE, TaxBank, idOf, interest } from '../../us-tax-forms/test/bank.js';
import { findingsOfAxe, wideOrMoving } from './accessible.js';
import type { InputDevice } from './hands.js';
import { Operator } from './operator.js';

const foreign = { taxStatus: 'FOREIGN', taxStatusOn: '2026-01-01' };
const uncertified = { taxStatus: 'UNCERTIFIED', taxStatusOn: '2026-02-03' };

let gateway: GatewayInThisProcess;
let browser: Browser | null;
let bank: TaxBank;
let operator: Operator | undefined;
let filingId: string;
/** The interest on the corrected form, in units. */
let corrected = 6;
beforeAll(async () => {
  [gateway, browser] = await Promise.all([startGatewayInside({ console: readConfig({}).console }), openChromium()]);
  const payees = [
    { key: '1', last: 'Quill', taxId: '222222201', accounts: [[interest('1234.56')], [interest('6.00')]] },
    { key: '2', last: 'Foreign', taxId: '222222202', changes: foreign, accounts: [[interest('40.00')]] },
    { key: '3', last: 'Uncertified', taxId: '222222203', changes: uncertified, accounts: [[interest('15.00')]] },
    { key: '4', last: 'Euro', taxId: '222222204', currency: 'EUR', accounts: [[interest('50.00')]] },
  ];
  bank = await TaxBank.open(gateway, payees, 'demo');
  await bank.issue();
  const { files, filings } = await bank.file();
  filingId = filings[0]?.filingId ?? '';
  const [xml = ''] = files.values();
  await bank.answer(idOf(xml), 'Accepted with Errors', 'R-1', { 1: 'TIN_1' });
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

  testInChromium('a filer reads what is to do until when, and finds the accounts that were left out', async () => {
    const me = await at('/');
    await me.press('link', 'Tax');
    await me.open('/tax/2026');
    await me.reads('Feb 1, 2027', me.row(/Issue the Forms/));
    await me.reads('Done', me.row(/Issue the Forms/));
    await me.reads('Mar 31, 2027', me.row(/Write the returns/));
    await me.reads('At once', me.row(/Withhold 24 percent/));
    await me.reads('To do', me.row(/Correct returns/));
    await me.reads('Returns accepted with errors');
    await me.reads(/not in US dollars/, me.row(bank.accountId('4')));
    await me.reads(/Form 1042-S/, me.row(bank.accountId('2')));
    await me.press('link', bank.accountId('2'), me.row(bank.accountId('2')));
    await me.page.waitForURL(url => url.pathname.endsWith(`/accounts/${bank.accountId('2')}`));
    expect(me.complaints).toEqual([]);
  });

  testInChromium('a filer goes from the error of a return to its form, and from a payee to all forms', async () => {
    const me = await at('/tax/2026');
    await me.press('link', 'Original');
    await me.press('link', 'With errors');
    await me.reads('1 return');
    await me.reads(/TIN_1: The name and the TIN do not match/, me.row(bank.accountId('1')));
    await me.press('link', bank.accountId('1'));
    await me.page.waitForURL(/\/documents\//);
    await me.page.goBack();
    await me.press('link', '2026');
    await me.press('link', 'To correct');
    await me.reads('1 form');
    await me.press('link', 'With a form');
    await me.reads('3 forms');
    await me.reads('1,234.56', me.row(bank.accountId('1')));
    await me.press('link', 'To withhold from');
    await me.reads('1 customer');
    await me.press('link', 'Ada Uncertified');
    await me.reads(/Uncertified, from/);
    expect(me.complaints).toEqual([]);
  });
});

describe.each<InputDevice['by']>(['mouse', 'keyboard'])('in a program that goes on, by %s', by => {
  testInChromium('a filer corrects a form, files it for the portal, and tells what the portal shows', async () => {
    await bank.postTo('1', 2, [interest('5.00', '2026-12-30')]);
    corrected += 5;
    const me = (operator = await Operator.at(browser, gateway.url, '/tax/2026', { by }));
    await me.press('button', 'Issue the forms');
    const issuing = me.dialog('Issue Forms 1099-INT');
    await me.press('button', 'Issue the forms', issuing);
    await me.page.waitForURL(/\/statement-runs\/[0-9a-f-]{36}$/);
    await gateway.endOfRun(me.address.slice(-36));
    await me.did('Correct a form 1099');

    await me.goOnAt('/tax/2026');
    await me.press('button', 'File the returns');
    const filing = me.dialog('File the returns of 2026');
    await me.hands.attach('Template of the portal', {
      name: 'template.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(TEMPLATE),
    });
    await me.reads(/template.csv/, filing);
    await me.press('button', 'File the returns', filing);
    await me.reads('Exported', me.row(/^Correction/));
    await me.press('link', 'Correction');
    const [download] = await Promise.all([me.page.waitForEvent('download'), me.press('link', /^Download 1099/)]);
    await me.did('File the forms 1099');
    expect(download.suggestedFilename()).toMatch(/^1099-int-2026-correction-.*-1\.csv$/);
    expect(await readFile(await download.path(), 'utf8')).toContain(`${bank.accountId('1', 2)},${corrected}.00`);
    await me.press('button', 'Tell the outcome');
    await me.hands.choose('What the portal shows', 'Accepted');
    await me.press('button', 'Keep the outcome', me.dialog('Tell what the portal shows'));
    await me.reads('Accepted', me.row(/1099-int/));
    expect(me.complaints).toEqual([]);
  });
});

testInChromium('a filer hands over an answer, and reads why another file is none', async () => {
  const me = (operator = await Operator.at(browser, gateway.url, '/tax/2026'));
  await me.press('button', 'Hand over an answer');
  const dialog = me.dialog('Hand over an answer of the IRS');
  const choose = async (xml: string) => {
    const buffer = Buffer.from(xml);
    await dialog.getByLabel('Answer of the IRS').setInputFiles({ name: 'ack.xml', mimeType: 'text/xml', buffer });
    await me.press('button', 'Hand it over', dialog);
  };
  await choose('<ack>');
  await me.reads(/not well-formed XML/, dialog);
  const { rows } = await gateway.sql.query('SELECT transmission_id FROM tax_transmission WHERE filing_id = $1', [
    filingId,
  ]);
  await choose(
    `<ack><UniqueTransmissionId>${rows[0]?.transmission_id}</UniqueTransmissionId><TransmissionStatusCd>Accepted</TransmissionStatusCd></ack>`,
  );
  await me.page.waitForURL(url => url.pathname.endsWith(`/tax/filings/${filingId}`));
  await me.reads('Accepted', me.row(/1099-int/));
  expect(me.complaints).toEqual([]);
});

testInChromium('what is to do prints on one page, without the lists', async () => {
  operator = await Operator.at(browser, gateway.url, '/tax/2026?list=FORMS');
  await operator.reads('3 forms');
  await operator.page.emulateMedia({ media: 'print' });
  expect(await operator.page.getByRole('table', { name: 'What is to do' }).isVisible()).toBe(true);
  expect(await operator.page.getByText('3 forms').isVisible()).toBe(false);
  const pdf = (await operator.page.pdf({ format: 'Letter' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

testInChromium('axe finds nothing on the tax year and the filing, and all fits into 320 px', async () => {
  operator = await Operator.at(browser, gateway.url, '/', { context: { reducedMotion: 'reduce' } });
  const found: Record<string, readonly string[]> = {};
  for (const path of [
    '/tax/2026',
    '/tax/2026?list=FORMS',
    '/tax/2026?list=BACKUP_WITHHOLDING',
    `/tax/filings/${filingId}`,
  ]) {
    await operator.page.setViewportSize({ width: 1280, height: 800 });
    await operator.open(path);
    await operator.settled();
    const there = [...(await findingsOfAxe(operator)), ...(await wideOrMoving(operator))];
    if (there.length > 0) found[path] = there;
  }
  expect([found, operator.complaints]).toEqual([{}, []]);
});
