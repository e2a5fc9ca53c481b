import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { findings, moving, offSide } from './in-page.mjs';
import type { Operator } from './operator.js';

let axe: Promise<string> | undefined;

/** A desk's window in light colours and a telephone in dark ones: colours do not depend on the width. */
const LOOKS = [
  { width: 1280, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

/** What axe-core finds in both looks. */
export async function findingsOfAxe({ page }: Operator): Promise<readonly string[]> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await axe);
  const there: string[] = [];
  for (const { width, colorScheme } of LOOKS) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme });
    there.push(...(await page.evaluate(findings)).map(one => `${width} px, ${colorScheme}: ${one}`));
  }
  return there;
}

/** What does not fit into 320 px, which is 1280 px at 400 %, and what moves though nobody wants motion. */
export async function wideOrMoving({ page }: Operator): Promise<readonly string[]> {
  await page.setViewportSize({ width: 320, height: 640 });
  return [...(await page.evaluate(offSide)), ...(await page.evaluate(moving))];
}
