// Starts a gateway with demo data, and runs each `*.client.mjs` beside this file against it, or those that arguments
// name (`federation` for `federation.client.mjs`). Such a file uses `node:test`, and finds the gateway in
// `gateway.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SUFFIX = '.client.mjs';
const START_MS = 120_000;
const STOP_MS = 20_000;
const FILE_MS = 300_000;

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const named = process.argv.slice(2);
const files = readdirSync(here).filter(
  file => file.endsWith(SUFFIX) && (named.length === 0 || named.includes(file.slice(0, -SUFFIX.length))),
);
if (files.length === 0) throw new Error(`No file beside run.mjs has this name: ${named.join(', ')}`);

const folder = mkdtempSync(join(tmpdir(), 'tillgate-clients-'));
const settings = { PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', FEDERATION: 'true' };
const gateway = spawn(process.execPath, [join(root, 'dist/src/main.js'), 'serve'], {
  cwd: folder,
  env: {
    ...process.env,
    ...settings,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const address = await addressOf(gateway);
  const args = ['--test', '--test-concurrency=1', `--test-timeout=${FILE_MS}`, ...files.map(file => join(here, file))];
  const tests = spawn(process.execPath, args, {
    cwd: here,
    env: {
      ...process.env,
      TILLGATE_ADDRESS: address,
    },
    stdio: 'inherit',
  });
  const [status] = await once(tests, 'exit');
  process.exitCode = status ?? 1;
} finally {
  await stop(gateway);
  rmSync(folder, { recursive: true, force: true });
}

/** The first line that the gateway prints about where it listens. */
async function addressOf(program) {
  const timer = setTimeout(() => program.kill('SIGKILL'), START_MS);
  for await (const line of createInterface(program.stdout)) {
    const [address] = /https?:\/\/\S+/.exec(line) ?? [];
    if (!address) continue;
    clearTimeout(timer);
    program.stdout.resume();
    return address;
  }
  throw new Error('the gateway did not start');
}

async function stop(program) {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const timer = setTimeout(() => program.kill('SIGKILL'), STOP_MS);
  program.kill('SIGTERM');
  await once(program, 'exit');
  clearTimeout(timer);
}
