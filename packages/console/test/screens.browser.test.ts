import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../../../test/pages/chromium.js';
import { testInChromium } from '../../../test/pages/visitor.js';
import { findingsOfAxe, wideOrMoving } from './accessible.js';
import { Bank, JOINT } from '../../../test/session/bank.js';
import { Operator } from './operator.js';
import { screensOf, type ScreenOf } from './screens.js';

let bank: Bank;
let browser: Browser | null;
let screens: readonly ScreenOf[];
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
  screens = await screensOf(bank);
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

/** The place of the first transaction on a screen of 390 by 844 pixels. */
const FIRST_TRANSACTION_PX = 330;
/** One test for all would take longer than a test may. */
const PARTS = 6;

describe.each(Array.from({ length: PARTS }, (_, index) => index + 1))(
  `on the screens and dialogs of part %i of ${PARTS}`,
  part => {
    testInChromium('axe finds nothing, all fits into 320 px, and stands still for who wants no motion', async () => {
      const operator = await Operator.at(browser, bank.url, '/', { context: { reducedMotion: 'reduce' } });
      const found: Record<string, readonly string[]> = {};
      for (const { name, path, open } of screens.filter((_, index) => index % PARTS === part - 1)) {
        await operator.page.setViewportSize({ width: 1280, height: 800 });
        await operator.open(path);
        await operator.settled();
        await open?.(operator);
        const there = [...(await findingsOfAxe(operator)), ...(await wideOrMoving(operator))];
        if (there.length > 0) found[name] = there;
      }
      expect([found, operator.complaints]).toEqual([{}, []]);
      await operator.leave();
    });
  },
);

testInChromium('a screen with little on it is no taller than the window', async () => {
  const operator = await Operator.at(browser, bank.url, '/approvals?status=EXPIRED');
  for (const height of [900, 844]) {
    await operator.page.setViewportSize({ width: 1440, height });
    await operator.settled();
    expect(await operator.page.evaluate('document.documentElement.scrollHeight')).toBe(height);
  }
  await operator.leave();
});

testInChromium('on a telephone the first transaction of an account is in the upper part of the screen', async () => {
  const operator = await Operator.at(browser, bank.url, '/', { context: { viewport: { width: 390, height: 844 } } });
  for (const [path, name] of [
    [`/accounts/${JOINT}`, 'Latest transactions'],
    [`/accounts/${JOINT}/history`, 'Transactions'],
  ] as const) {
    await operator.open(path);
    await operator.settled();
    const first = operator.page.getByRole('table', { name, exact: true }).getByRole('row').nth(1);
    expect((await first.boundingBox())?.y).toBeLessThanOrEqual(FIRST_TRANSACTION_PX);
  }
  await operator.leave();
});
