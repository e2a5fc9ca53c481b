import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { readConfig } from '../../src/app/config.js';
import { COOKIE } from '../session/by-hand.js';
import { IdentityProvider } from '../session/identity-provider.js';
import { executablePath, openChromium } from '../pages/chromium.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { testUnless, unlessInstalled } from '../support/unless.js';
import { freePort, programOf, Proxy } from './proxy.js';

let browser: Browser | null;
let provider: IdentityProvider;
let proxy: Proxy | undefined;
let gateway: TestGateway | undefined;
let url: string;
beforeAll(async () => {
  browser = await openChromium();
  provider = await IdentityProvider.start({ nora: { name: 'Nora Vance', program: 'demo', roles: ['operator'] } });
  if (programOf('nginx') === null) return;
  const port = await freePort();
  proxy = await Proxy.start('nginx', { upstreams: [port, port] });
  url = `https://127.0.0.1:${proxy.port}/console`;
  await provider.serve(url, { inIdToken: true });
  gateway = await startTestGateway({
    port,
    trustedProxies: ['127.0.0.1'],
    console: readConfig(provider.settings(url)).console,
  });
});
afterAll(async () => {
  await browser?.close();
  await gateway?.stop();
  await proxy?.stop();
  await provider.goDown();
});

testUnless(unlessInstalled('chromium', executablePath) ?? unlessInstalled('nginx', programOf('nginx')))(
  'behind nginx, over TLS, a browser signs in at the provider, comes back to the page that was wanted, and signs out',
  async () => {
    provider.person = 'nora';
    const context = await (browser as Browser).newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('pageerror', error => complaints.push(error.message));
    page.on('console', message => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(`${url}/approvals`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
    expect(page.url()).toBe(`${url}/approvals`);

    // The provider is on the same host here, and has cookies of its own.
    const cookies = (await context.cookies(url)).filter(({ name }) => name.startsWith('__'));
    expect(cookies).toEqual([
      expect.objectContaining({
        name: COOKIE,
        httpOnly: true,
        secure: true,
        sameSite: 'Strict',
        path: '/',
        expires: -1,
      }),
    ]);
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'attached' });
    expect(await page.evaluate('document.cookie')).toBe('');
    const session = await page.evaluate("fetch('/console/session').then(answer => answer.json())");
    expect(session).toMatchObject({ subject: 'nora', name: 'Nora Vance', signIn: 'oidc' });

    await page.evaluate("fetch('/console/sign-out', { method: 'POST' })");
    await page.reload();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  },
);
