import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

function findChromium(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [process.env['CHROMIUM'], ...NAMES.flatMap(name => folders.map(folder => join(folder, name)))];
  return candidates.find(path => {
    try {
      accessSync(path ?? '', constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The one that CHROMIUM names, or one in PATH. */
export const executablePath = findChromium();

const ARGS = [
  '--no-sandbox',
  // Debian starts its Chromium with `--enable-gpu-rasterization`, and a GPU that is emulated takes a fifth more time.
  '--disable-gpu',
  // No page reaches another host. Playwright's own way to block requests switches the cache off, and every screen would
  // load its scripts again.
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
];

/** A browser without a window, or null where there is none. */
export async function openChromium(): Promise<Browser | null> {
  return executablePath ? chromium.launch({ executablePath, args: ARGS }) : null;
}
