import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findPgBouncer } from '../installed/pgbouncer.js';

/**
 * `npm run long -- pooler`: the tests (all of them, or the files that are named) through a real PgBouncer, which pools
 * transactions, and then sessions.
 */
const NOT_FOUND = 2;

const found = await findPgBouncer();
if (!found) {
  process.stderr.write('PgBouncer was not found. Install 1.21 or later, or set PGBOUNCER to its file.\n');
  process.exit(NOT_FOUND);
}
process.stdout.write(`PgBouncer ${found.version} (${found.file})\n`);

const ended: Record<string, number | null> = {};
for (const mode of ['transaction', 'session']) {
  process.stdout.write(`\nThrough pool_mode = ${mode}:\n`);
  const child = spawn('npm', ['run', 'test:all', '--', ...process.argv.slice(2)], {
    stdio: 'inherit',
    env: { ...process.env, TEST_POOLER: mode },
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  ended[mode] = status;
}
for (const [mode, status] of Object.entries(ended)) {
  process.stdout.write(`pool_mode = ${mode}: ${status === 0 ? 'all tests passed' : `status ${status}`}\n`);
}
process.exitCode = Object.values(ended).every(status => status === 0) ? 0 : 1;
