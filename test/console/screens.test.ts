import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../pages/chromium.js';
import { testInChromium } from '../pages/visitor.js';
import { Bank } from './bank.js';
import { findings, moving, offSide } from './in-page.mjs';
import { Operator } from './operator.js';
import { screensOf, type ScreenOf } from './screens.js';

let bank: Bank;
let browser: Browser | null;
let screens: readonly ScreenOf[];
let axe: string;
beforeAll(async () => {
  [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
  screens = await screensOf(bank);
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
});
afterAll(async () => {
  await browser?.close();
  await bank.close();
});

/** In light and in dark colours, as wide as a desk's window and as a telephone. */
async function findingsOfAxe({ page }: Operator): Promise<readonly string[]> {
  await page.evaluate(axe);
  const there: string[] = [];
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      there.push(...(await page.evaluate(findings)).map(one => `${width} px, ${colorScheme}: ${one}`));
    }
  }
  return there;
}

/** In 320 px, which is 1280 px at 400 %, for who wants no motion. */
async function wideOrMoving({ page }: Operator): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  return [...(await page.evaluate(offSide)), ...(await page.evaluate(moving))];
}

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
