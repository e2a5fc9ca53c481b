import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { headersOf, newKeyPair, newSecret, signerOf } from '../../lib/standard-webhooks/standard-webhooks.js';
import type * as documents from '../../packages/client/src/generated/documents.js';
import type * as index from '../../packages/client/src/index.js';
import type * as webhooks from '../../packages/client/src/webhooks.js';
import { subscriptions } from '../platform/graphql/subscriptions/listening.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import { postSome } from '../transaction/support/ledger.js';
import { openChromium } from './chromium.js';
import { testInChromium } from './visitor.js';

declare const client: typeof index & typeof webhooks & { readonly documents: typeof documents };

const ENTRY = `export * from './index.js'; export * from './webhooks.js'; export * as documents from './generated/documents.js';`;

let page: Server;
let origin: string;
let gateway: TestGateway;
let browser: Browser | null;
beforeAll(async () => {
  const resolveDir = fileURLToPath(new URL('../../packages/client/src/', import.meta.url));
  const { outputFiles } = await build({
    stdin: {
      contents: ENTRY,
      resolveDir,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'client',
    target: 'es2022',
    write: false,
  });
  const html = `<!doctype html><title>A page with the client</title><script>${outputFiles[0]?.text}</script>`;
  page = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html),
  );
  await new Promise<void>(resolve => page.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  [gateway, browser] = await Promise.all([startTestGateway({ corsOrigins: [origin] }), openChromium()]);
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
  page.closeAllConnections();
  page.close();
});

testInChromium('the client reads, writes, follows and verifies in the page of another origin', async () => {
  const given = await gateway.given.account({ balanceMinor: 907_199_254_740_993_117n });
  const tab = await browser?.newPage();
  await tab?.goto(origin);
  const settings = { url: gateway.url, token: given.caller, account: given.account };
  const seen = await tab?.evaluate(async ({ account, ...access }) => {
    const tillgate = new client.Tillgate(access);
    const { availableBalance } = await tillgate.accounts.get(account);
    const added = await tillgate.beneficiaries.add(account, {
      name: {
        first: 'Ada',
        last: 'Once',
      },
      relationship: 'CHILD',
      sharePercentage: 100,
      beneficiaryType: 'PRIMARY',
    });
    const names: string[] = [];
    for await (const { name } of tillgate.beneficiaries.list(account)) names.push(name.first);
    const refused: unknown = await tillgate.accounts.get('no-such-account').catch((error: unknown) => error);
    return {
      availableBalance,
      names,
      isAdded: added.name.last === 'Once',
      refused: refused instanceof client.AccountNotFound && typeof refused.requestId === 'string',
    };
  }, settings);
  expect(seen).toEqual({ availableBalance: '9071992547409931.17', names: ['Ada'], isAdded: true, refused: true });

  const following = tab?.evaluate(async ({ account, ...access }) => {
    const ids: string[] = [];
    const items = new client.Tillgate(access).subscribe(client.documents.TransactionPosted, { accountId: account });
    for await (const { transactionPosted } of items) {
      ids.push(transactionPosted?.transaction.transactionId ?? '');
      if (ids.length === 2) break;
    }
    return ids;
  }, settings);
  await subscriptions(gateway, 1);
  const posted = await postSome(gateway, given, 2);
  expect(await following).toEqual(posted);

  const { secretKey, publicKey } = newKeyPair();
  const secret = newSecret();
  const body = '{"type":"card.frozen","timestamp":"2026-03-31T18:05:00.000Z","data":{}}';
  const message = { id: 'evt_1', timestampSeconds: Math.floor(Date.now() / 1000), body: Buffer.from(body) };
  const headers = headersOf(message, [secret, secretKey].map(signerOf));
  const verified = await tab?.evaluate(
    async ({ secrets, ...request }) =>
      Promise.all(secrets.map(async one => (await client.verifyWebhook({ ...request, secrets: one })).id)),
    { headers, body, secrets: [secret, publicKey] },
  );
  expect(verified).toEqual(['evt_1', 'evt_1']);
});
