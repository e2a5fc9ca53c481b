/**
 * Writes the pictures of docs/images: `npm run generate -- screenshots`. Names as arguments of this program take only
 * those: `node --import ./test/cli/sources.mjs test/pages/screenshots.ts docs`. Pages show a gateway with fresh demo
 * data, documents are those of the tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { openChromium } from './chromium.js';
import { CONSOLE_SHOTS, prepareConsole } from './console-pictures.js';
import { DOCUMENT_PICTURES, takeDocumentPicture } from './document-pictures.js';

const FOLDER = 'docs/images';
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

const SHOTS: Record<string, (page: Page) => Promise<unknown>> = {
  'start-page': page => page.goto('/'),
  graphiql: async page => {
    await page.goto('/graphiql');
    await page.locator('.graphiql-tab-button').getByText('Account', { exact: true }).click();
    await page.click('.graphiql-execute-button');
    await page.locator('.result-window').getByText('Maren').waitFor();
    // The pointer would show the name of the button, and the caret blinks.
    await page.mouse.move(0, 0);
  },
  docs: async page => {
    await page.goto('/docs');
    await page.getByRole('button', { name: 'Open Group - Beneficiaries' }).click();
    await page.getByRole('link', { name: 'Add a beneficiary' }).click();
    await page.getByRole('heading', { name: 'Add a beneficiary' }).waitFor();
  },
  ...CONSOLE_SHOTS,
};

const asked = process.argv.slice(2);
const wanted = (name: string): boolean => asked.length === 0 || asked.includes(name);
const unknown = asked.filter(name => !(name in SHOTS) && !DOCUMENT_PICTURES.includes(name));
if (unknown.length > 0) throw new Error(`There is no picture ${unknown.join(', ')}.`);
await mkdir(FOLDER, { recursive: true });
for (const name of DOCUMENT_PICTURES.filter(wanted)) await takeDocumentPicture(name, FOLDER);
const shots = Object.entries(SHOTS).filter(([name]) => wanted(name));
if (shots.length > 0) await takeShots(shots);

async function takeShots(chosen: [string, (page: Page) => Promise<unknown>][]): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'tillgate-screenshots-'));
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' };
  const gateway = spawn(process.execPath, ['dist/src/main.js', 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stopped = once(gateway, 'exit');
  try {
    const browser = await openChromium();
    if (!browser) throw new Error('There is no Chromium in PATH: name one in CHROMIUM.');
    try {
      const baseURL = await addressOf(createInterface(gateway.stdout));
      if (chosen.some(([name]) => name in CONSOLE_SHOTS)) await prepareConsole(baseURL, dataDir, env);
      for (const [name, show] of chosen) {
        const context = await browser.newContext({
          baseURL,
          viewport: /-narrow/.test(name) ? NARROW : WIDE,
          colorScheme: name.endsWith('-dark') ? 'dark' : 'light',
        });
        const page = await context.newPage();
        await show(page);
        await page.screenshot({ path: `${FOLDER}/${name}.png`, animations: 'disabled', caret: 'hide' });
        await context.close();
      }
    } finally {
      await browser.close();
    }
  } finally {
    gateway.kill();
    await stopped;
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) if (line.startsWith('http')) return line;
  throw new Error('The gateway did not start.');
}
