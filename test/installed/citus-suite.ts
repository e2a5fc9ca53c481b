import { spawn } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { requiredCitus, removeCitus, startCitus } from './citus.js';

/**
 * Runs the suite, or the files that are named, on a Citus cluster: `npm run long -- citus [--workers 0|1|2] [what jest
 * takes]`.
 */
const args = process.argv.slice(2);
const at = args.indexOf('--workers');
const workers = at < 0 ? 2 : Number(args[at + 1]);
if (at >= 0) args.splice(at, 2);
if (![0, 1, 2].includes(workers)) {
  process.stderr.write('--workers must be 0, 1 or 2.\n');
  process.exit(2);
}
const programs = await requiredCitus();
const folder = await mkdtemp(path.join(tmpdir(), 'tillgate-citus-'));
const cluster = await startCitus(programs, { folder, workers, shards: 4 });
try {
  const env = {
    ...process.env,
    TEST_DATABASE_URL: cluster.url('postgres'),
    TEST_CITUS_WORKERS: cluster.nodes
      .slice(1)
      .map(({ port }) => port)
      .join(','),
  };
  const usual = args.some(arg => arg.startsWith('--maxWorkers')) ? [] : ['--maxWorkers=2'];
  const child = spawn('npm', ['run', 'test:all', '--', ...usual, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  process.exitCode = await new Promise<number>(resolve => child.on('exit', code => resolve(code ?? 1)));
} finally {
  await cluster.stop();
  await removeCitus(folder);
}
