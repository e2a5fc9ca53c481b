import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../lib/embedded-postgres/embedded-postgres.js';
import { onServer } from '../../support/postgres.js';
import { commandLine, npm, weightOf, type Installation } from './installed.js';
import { addressOf, useIt } from './use.js';

/** What production installs by docs/install.md, on each Node.js, with a database of its own. */
export async function tryProduction(folder: string, nodes: readonly string[]): Promise<void> {
  await mkdir(folder);
  for (const name of ['package.json', 'package-lock.json']) await cp(name, join(folder, name));
  for (const name of ['src', 'lib', 'migrations', 'packages', 'console']) {
    await cp(join('dist', name), join(folder, 'dist', name), { recursive: true });
  }
  await npm(folder, 'ci', '--omit=dev', '--omit=optional');
  console.log(`ok: npm ci --omit=dev --omit=optional (${await weightOf(folder)})`);
  const embedded = process.env['DATABASE_URL']
    ? null
    : await startEmbeddedPostgres(join(folder, 'postgres'), { program: 'Tillgate' });
  try {
    const server = process.env['DATABASE_URL'] ?? embedded?.url('postgres') ?? '';
    for (const [index, node] of nodes.entries()) {
      await tryOn(installationOf(folder, node), server, `installs_${index}`);
      console.log(`ok: production on ${node}`);
    }
  } finally {
    await embedded?.stop();
  }
}

export async function tryTooOld(folder: string, node: string, least: string): Promise<void> {
  const { status, stdout, stderr } = await commandLine(installationOf(folder, node), ['serve'], {});
  assert.deepEqual({ status, stdout }, { status: 2, stdout: '' });
  assert.match(stderr, new RegExp(`^Tillgate needs Node\\.js ${least} or newer, .*\\n$`));
  console.log(`ok: ${node} is refused`);
}

function installationOf(folder: string, node: string): Installation {
  return { folder, command: [node, '--enable-source-maps', 'dist/src/main.js'] };
}

async function tryOn(installation: Installation, server: string, name: string): Promise<void> {
  const { folder, command } = installation;
  await onServer(server, `CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = name;
  const env = { DATABASE_URL: url.href, DATA_DIR: join(folder, name), DEMO_DATA: 'true', PORT: '0' };
  try {
    await tryWithout(installation);
    assert.equal((await commandLine(installation, ['migrate'], env)).status, 0);
    const gateway = spawn(command[0], ['--max-semi-space-size=64', ...command.slice(1), 'serve'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'] as const,
    });
    try {
      await useIt(await addressOf(gateway.stdout), installation, env);
    } finally {
      const closed = once(gateway, 'close');
      gateway.kill('SIGTERM');
      assert.deepEqual(await closed, [0, null]);
    }
  } finally {
    await onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }
}

/** The embedded PostgreSQL is optional, so its absence is told with what to do. */
async function tryWithout(installation: Installation): Promise<void> {
  const env = { DATA_DIR: join(installation.folder, 'none'), PORT: '0' };
  const { status, stdout, stderr } = await commandLine(installation, ['serve'], env);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /^The embedded PostgreSQL \(\S+\) is not installed\. Set DATABASE_URL .*\n$/);
}
