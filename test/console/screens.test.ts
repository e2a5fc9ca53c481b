import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openChromium } from '../pages/chromium.js';
import { testInChromium } from '../pages/visitor.js';
import { Bank } from './bank.js';
import { findings, moving, offSide } from './in-page.mjs';
import { Operator, type DemoRole } from './operator.js';
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

/** Visits every screen, and gives what was found there by the name of the screen. */
async function visit(
  look: (operator: Operator, screen: ScreenOf) => Promise<readonly string[]>,
  as: DemoRole = 'Operator',
): Promise<Record<string, readonly string[]>> {
  const operator = await Operator.at(browser, bank.url, '/', { as, context: { reducedMotion: 'reduce' } });
  const found: Record<string, readonly string[]> = {};
  try {
    for (const screen of screens) {
      await operator.page.setViewportSize({ width: 1280, height: 800 });
      await operator.open(screen.path);
      await operator.settled();
      await screen.open?.(operator);
      const there = await look(operator, screen);
      if (there.length > 0) found[screen.name] = there;
    }
    return { ...found, ...(operator.complaints.length > 0 && { complaints: operator.complaints }) };
  } finally {
    await operator.leave();
  }
}

describe.each([1280, 360])('in a window of %i px', width => {
  testInChromium('axe finds nothing on any screen or dialog, in light and dark colours', async () => {
    const found = await visit(async ({ page }) => {
      await page.evaluate(axe);
      await page.setViewportSize({ width, height: 800 });
      const there: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        there.push(...(await page.evaluate(findings)).map(one => `${colorScheme}: ${one}`));
      }
      return there;
    });
    expect(found).toEqual({});
  });
});

testInChromium(
  'every screen fits into 320 px (1280 px at 400 %), and stands still for who wants no motion',
  async () => {
    const found = await visit(async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      return [...(await page.evaluate(offSide)), ...(await page.evaluate(moving))];
    });
    expect(found).toEqual({});
  },
);
