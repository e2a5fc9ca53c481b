import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { execute, installFile, pack, weightOf } from './installed.js';

/** It knows the types of records and of operations, and runs where no gateway is. */
const PROGRAM = `
import { NoAnswer, Tillgate } from '@tillgate/client';
import { add, type Decimal } from '@tillgate/client/decimal';
import { Account } from '@tillgate/client/documents';
import { WebhookNotVerified, verifyWebhook } from '@tillgate/client/webhooks';

const tillgate = new Tillgate({ url: 'http://127.0.0.1:9', token: 'none', timeoutMs: 200 });
const sum: Decimal = add('0.1', '0.2');
const refused = await tillgate.graphql(Account, { accountId: 'a' }).then(
  data => data.account?.availableBalance,
  (error: unknown) => error instanceof NoAnswer && error.code,
);
const pages = tillgate.accounts.transactions('a').pages()[Symbol.asyncIterator]();
const page = await pages.next().catch((error: unknown) => error instanceof NoAnswer && error.code);
const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const hook = await verifyWebhook({ headers: {}, body: '{}', secrets }).catch(
  (error: unknown) => error instanceof WebhookNotVerified,
);
// @ts-expect-error: an account is named by a text.
const wrong = () => tillgate.accounts.get(1);
console.log(JSON.stringify([sum, refused, page, hook, typeof wrong]));
`;
const COMPILER_OPTIONS = { strict: true, module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [] };
const PRINTED = '["0.3","no_answer","no_answer",true,"function"]\n';

/** Installs the file of the client in an empty folder: its types, a program of Node.js, and a bundle for a browser. */
export async function tryClient(folder: string, nodes: readonly string[]): Promise<void> {
  await mkdir(folder);
  const file = await pack('packages/client', join(folder, 'file'));
  const { stdout: list } = await execute('tar', ['--list', '--file', file]);
  const names = list
    .trim()
    .split('\n')
    .map(name => name.replace('package/', ''));
  assert.deepEqual(names.filter(name => !/^dist\/[\w./-]+\.(js|d\.ts)$/.test(name)).sort(), [
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  const place = join(folder, 'program');
  await installFile(place, file, '--ignore-scripts');
  console.log(`ok: npm install of the client (${await weightOf(place)})`);
  await writeFile(join(place, 'program.mts'), PROGRAM);
  await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER_OPTIONS }));
  await execute('tsc', ['-p', place]);
  for (const node of nodes) {
    const { stdout } = await execute(node, ['program.mjs'], { cwd: place });
    assert.equal(stdout, PRINTED);
  }
  const bundled = join(place, 'bundled.mjs');
  await build({
    entryPoints: [join(place, 'program.mjs')],
    outfile: bundled,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  assert.doesNotMatch(await readFile(bundled, 'utf8'), /node:|\brequire\(|\bprocess\.|\bBuffer\b/);
  assert.equal((await execute(nodes.at(-1) ?? '', [bundled])).stdout, PRINTED);
  console.log('ok: the client in programs and in a bundle for browsers');
}
