import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { isAlive } from '../../lib/embedded-postgres/lock-file.js';
import { until } from '../support/until.js';

/** The folders of runs in a folder of temporary files. */
async function runsIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter(name => name.startsWith('tillgate-test-'));
}

/** The processes of the servers whose data are in the folder. */
async function serversIn(folder: string): Promise<number[]> {
  // A folder that is renamed meanwhile, as one of an unfinished server is, ends the reading. The next one finds it.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter(name => name.endsWith('postmaster.pid'));
  const texts = await Promise.all(files.map(file => readFile(join(folder, file), 'utf8').catch(() => '')));
  return texts.map(text => Number(text.split('\n')[0])).filter(pid => pid > 0);
}

test.each(['SIGINT', 'SIGTERM'] as const)('npm test that gets %s leaves no server and no file', async signal => {
  const folder = await mkdtemp(join(tmpdir(), 'stopped-'));
  const run = spawn('npm', ['test', '--', 'test/hold/seen', 'test/owner'], {
    env: { ...process.env, TMPDIR: folder },
    stdio: 'ignore',
  });
  const ended = once(run, 'exit');
  let servers: number[] = [];
  await until(async () => (servers = await serversIn(folder)).length > 0);
  run.kill(signal);
  await ended;
  await until(async () => (await runsIn(folder)).length === 0);
  // A server has deleted its files a moment before it is gone.
  await until(() => !servers.some(isAlive));
  expect(servers).toHaveLength(1);
});
