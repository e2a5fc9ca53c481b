import { test } from '@jest/globals';
import { openChromium } from '../pages/chromium.js';
import { Bank, JOINT } from './bank.js';
import { Operator } from './operator.js';
import { screensOf } from './screens.js';
test('pictures', async () => {
  const [bank, browser] = await Promise.all([Bank.open(), openChromium()]);
  const screens = await screensOf(bank);
  for (const [scheme, width] of [['light', 1280], ['dark', 1280], ['light', 360]] as const) {
    if (process.env['ONLY'] && process.env['ONLY'] !== `${scheme}${width}`) continue;
    const operator = await Operator.at(browser, bank.url, '/', { context: { colorScheme: scheme, viewport: { width, height: 800 } } });
    operator.page.on('response', r => { if (r.status() === 404) console.log(r.url(), operator.address); });
    for (const screen of screens) {
      try {
        await operator.open(screen.path);
        await operator.settled();
        await screen.open?.(operator);
        await operator.page.screenshot({ path: `/tmp/trials/${screen.name.replaceAll(' ', '-')}-${scheme}-${width}.png` });
        if (screen.path.endsWith('/history') && screen.path.includes(JOINT)) console.log(await operator.page.locator('.list-foot').allInnerTexts());
      } catch (error) {
        console.log(screen.name, String(error).slice(0, 300));
      }
    }
    console.log(operator.complaints);
    await operator.leave();
  }
  await browser?.close();
  await bank.close();
}, 300_000);
