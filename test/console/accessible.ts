import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { findings, moving, offSide } from './in-page.mjs';
import type { Operator } from './operator.js';

let axe: Promise<string> | undefined;

/** What axe-core finds in light and in dark colours, as wide as a desk's window and as a telephone. */
export async function findingsOfAxe({ page }: Operator): Promise<readonly string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await axe);
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

/** What does not fit into 320 px, which is 1280 px at 400 %, and what moves though nobody wants motion. */
export async function wideOrMoving({ page }: Operator): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  return [...(await page.evaluate(offSide)), ...(await page.evaluate(moving))];
}
