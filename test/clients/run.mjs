// Starts a gateway with demo data, and runs each `*.client.mjs` beside this file against it, or those that arguments
// name (`federation` for `federation.client.mjs`). Such a file uses `node:test`, and finds the gateway in
// `gateway.mjs`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startGateway } from './start.mjs';

const SUFFIX = '.client.mjs';
const FILE_MS = 300_000;

const here = fileURLToPath(new URL('.', import.meta.url));
const named = process.argv.slice(2);
const files = readdirSync(here).filter(
  file => file.endsWith(SUFFIX) && (named.length === 0 || named.includes(file.slice(0, -SUFFIX.length))),
);
if (files.length === 0) throw new Error(`No file beside run.mjs has this name: ${named.join(', ')}`);

const gateway = await startGateway();
try {
  const args = ['--test', '--test-concurrency=1', `--test-timeout=${FILE_MS}`, ...files.map(file => join(here, file))];
  const tests = spawn(process.execPath, args, {
    cwd: here,
    env: {
      ...process.env,
      TILLGATE_ADDRESS: gateway.address,
    },
    stdio: 'inherit',
  });
  const [status] = await once(tests, 'exit');
  process.exitCode = status ?? 1;
} finally {
  await gateway.stop();
}
