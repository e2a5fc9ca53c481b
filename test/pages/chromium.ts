import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const STEP_MS = 12_000;
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

const executablePath = findChromium();

/** A test that needs a Chromium: the one that CHROMIUM names, or one in PATH. Where there is none it is skipped. */
export const testInChromium = executablePath ? test : test.skip;

/** A browser without a window, or null where there is none. */
export async function openChromium(): Promise<Browser | null> {
  return executablePath ? chromium.launch({ executablePath, args: ['--no-sandbox'] }) : null;
}

/** Somebody with a fresh browser profile and no way out to other hosts. What the pages wanted there, or complained of, is kept. */
export class Visitor {
  /** Addresses at other hosts that a page asked for. */
  readonly elsewhere: string[] = [];
  /** Errors and warnings on the console, uncaught errors, and violations of the content security policy. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async arrive(browser: Browser | null, origin: string): Promise<Visitor> {
    if (!browser) throw new Error('only tests of testInChromium have a visitor');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    // Sooner than the test, so that what was waited for is told.
    context.setDefaultTimeout(STEP_MS);
    const visitor = new Visitor(context, await context.newPage());
    await visitor.watch(origin);
    return visitor;
  }

  async leave(): Promise<void> {
    await this.context.close();
  }

  private async watch(origin: string): Promise<void> {
    const { page, context, elsewhere, complaints } = this;
    await context.route(
      url => url.origin !== origin && url.protocol !== 'data:',
      async route => {
        elsewhere.push(route.request().url());
        await route.abort();
      },
    );
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    await page.exposeFunction('complain', (text: string) => void complaints.push(text));
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', event => complain(event.violatedDirective + ': ' + event.blockedURI))",
    );
  }
}
