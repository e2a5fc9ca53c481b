import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openChromium } from '../pages/chromium.js';
import { testInChromium } from '../pages/visitor.js';
import { Bank } from './bank.js';
import { findings, offSide } from './in-page.mjs';
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
async function visit<Found>(
  context: BrowserContextOptions,
  look: (operator: Operator, screen: ScreenOf) => Promise<readonly Found[]>,
  as: DemoRole = 'Operator',
): Promise<Record<string, readonly Found[]>> {
  const operator = await Operator.at(browser, bank.url, '/', { as, context });
  const found: Record<string, readonly Found[]> = {};
  try {
    for (const screen of screens) {
      await operator.open(screen.path);
      await operator.settled();
      await screen.open?.(operator);
      const there = await look(operator, screen);
      if (there.length > 0) found[screen.name] = there;
    }
    expect(operator.complaints).toEqual([]);
    return found;
  } finally {
    await operator.leave();
  }
}

describe.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 360],
  ['dark', 360],
] as const)('in %s colours, %i px wide', (colorScheme, width) => {
  testInChromium('no screen or dialog has anything that axe finds', async () => {
    const found = await visit(
      { colorScheme, viewport: { width, height: 800 }, reducedMotion: 'reduce' },
      async ({ page }) => {
        await page.evaluate(axe);
        return page.evaluate(findings);
      },
    );
    expect(found).toEqual({});
  });
});

testInChromium('every screen fits into 320 px, which is 1280 px at 400 %, without scrolling to the side', async () => {
  const found = await visit({ viewport: { width: 320, height: 640 } }, ({ page }) => page.evaluate(offSide));
  expect(found).toEqual({});
});
