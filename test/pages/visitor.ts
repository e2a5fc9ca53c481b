import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { testUnless, unlessInstalled } from '../support/unless.js';
import { executablePath } from './chromium.js';

/** How long one step in a page may take, on a machine that is busy with other tests. */
const STEP_MS = 300_000;
/** What is in the page itself, and what belongs to the browser, such as its viewer of PDFs. */
const WITHOUT_HOST = ['data:', 'blob:', 'chrome:', 'chrome-extension:'];
/**
 * Scripts of the browser, such as its viewer of PDFs, whose own assertions fail when a download begins while it loads.
 */
const OF_BROWSER = /\bchrome(?:-extension|-untrusted)?:\/\//;
/** How long one test may take there. */
const TEST_MS = 600_000;

/** A test that needs a Chromium. Where there is none it is skipped. */
export function testInChromium(name: string, run: () => Promise<void>): void {
  testUnless(unlessInstalled('chromium', executablePath))(name, run, TEST_MS);
}

/**
 * Somebody with a fresh browser profile and no way out to other hosts. What the pages wanted there, or complained of,
 * is kept.
 */
export class Visitor {
  /** Addresses at other hosts that a page asked for. */
  readonly elsewhere: string[] = [];
  /** Errors and warnings on the console, uncaught errors, and violations of the content security policy. */
  readonly complaints: string[] = [];

  private constructor(
    private readonly context: BrowserContext,
    readonly page: Page,
  ) {}

  static async arrive(browser: Browser | null, origin: string, options: BrowserContextOptions = {}): Promise<Visitor> {
    if (!browser) throw new Error('only tests of testInChromium have a visitor');
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
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
    context.on('request', request => {
      const url = new URL(request.url());
      if (url.origin !== origin && !WITHOUT_HOST.includes(url.protocol)) elsewhere.push(url.href);
    });
    page.on('pageerror', error => {
      if (!OF_BROWSER.test(error.stack ?? '')) complaints.push(error.message);
    });
    page.on('console', message => {
      if (!['error', 'warning'].includes(message.type()) || OF_BROWSER.test(message.location().url)) return;
      complaints.push(message.text());
    });
    await page.exposeFunction('complain', (text: string) => void complaints.push(text));
    await page.addInitScript(
      "document.addEventListener('securitypolicyviolation', event => complain(event.violatedDirective + ': ' + event.blockedURI))",
    );
  }
}
