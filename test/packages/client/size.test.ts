import { build } from 'esbuild';
import { expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const SOURCES = fileURLToPath(new URL('../../../packages/client/src/', import.meta.url));

/** What a page that is built with this line has to load, compressed. */
async function bytesOf(line: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: {
      contents: line,
      resolveDir: SOURCES,
      loader: 'ts',
    },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    legalComments: 'none',
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).length;
}

test('all of the client is at most 20 kB', async () => {
  const everything = ['index', 'decimal', 'webhooks', 'generated/documents'].map(
    name => `export * from './${name}.js';`,
  );
  const bytes = await bytesOf(everything.join('\n'));
  expect(bytes).toBeGreaterThan(5000);
  expect(bytes).toBeLessThanOrEqual(20_000);
});

test('who verifies webhooks alone loads at most 3 kB', async () => {
  const bytes = await bytesOf(`import { verifyWebhook } from './webhooks.js'; console.log(verifyWebhook);`);
  expect(bytes).toBeGreaterThan(300);
  expect(bytes).toBeLessThanOrEqual(3000);
});

test('who takes one error or document loads no other part', async () => {
  expect(await bytesOf(`import { AccountNotFound } from './index.js'; console.log(AccountNotFound);`)).toBeLessThan(
    1000,
  );
  expect(await bytesOf(`import { FeedCursor } from './generated/documents.js'; console.log(FeedCursor);`)).toBeLessThan(
    200,
  );
});
