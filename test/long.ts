import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endOnSignals, makeRunFolder, removeRunFolder } from './support/run-folder.js';

interface LongRun {
  readonly command: readonly string[];
  readonly about: string;
  /** A folder with packages of its own, which are installed at the first run. */
  readonly packages?: string;
  /** It uses what is compiled. */
  readonly isCompiled?: boolean;
  readonly env?: Readonly<Record<string, string>>;
}

const NODE = [process.execPath, '--import', './test/cli/sources.mjs'];
const source = (file: string): readonly string[] => [...NODE, file];
const TEST = ['npm', 'run', 'test:all', '--'];

/**
 * What takes too long for each change, by name: `npm run long -- NAME`. README.md beside this file says what each of
 * them shows.
 */
const LONG_RUNS: Readonly<Record<string, LongRun>> = {
  faults: { command: source('test/reliability/long-run.ts'), about: 'writes while processes are killed and frozen' },
  citus: { command: source('test/installed/citus-suite.ts'), about: 'all tests on a cluster of Citus' },
  'citus-operations': {
    command: [
      ...source('test/installed/citus-suite.ts'),
      'test/platform/database/citus-operations',
      'test/platform/feed',
    ],
    about: 'writes while shards move and nodes of Citus restart',
    env: { CITUS_RESTARTS: 'true' },
  },
  webhooks: { command: source('packages/webhooks/test/long-run.ts'), about: '100,000 events to endpoints that fail' },
  feed: { command: source('test/platform/feed/long-run.ts'), about: 'a million events, and 100 kills' },
  replicas: { command: source('test/platform/database/replicas-long-run.ts'), about: 'a million reads from replicas' },
  holds: { command: source('test/hold/long-run.ts'), about: '100,000 operations on holds against a model' },
  transfers: {
    command: source('test/transfer/long-run.ts'),
    about: '100,000 transfers, reversals, postings, holds and limits at once',
  },
  formats: { command: source('test/formats/long-run.ts'), about: '1,000 statements in every format' },
  tax: { command: source('packages/us-tax-forms/test/long-run.ts'), about: 'the returns of a million Forms 1099-INT' },
  differential: {
    command: source('test/platform/graphql/differential/long-run.ts'),
    about: 'compiled operations against graphql-js',
  },
  fuzz: { command: source('test/security/fuzz-long-run.ts'), about: 'malformed requests for a minute' },
  conformance: {
    command: [process.execPath, 'test/conformance/run.mjs'],
    about: 'Spectral and Prism on the OpenAPI document',
    packages: 'test/conformance',
    isCompiled: true,
  },
  clients: {
    command: [process.execPath, 'test/clients/run.mjs'],
    about: 'clients, routers and generators of others',
    packages: 'test/clients',
    isCompiled: true,
  },
  installs: { command: source('test/cli/installs/run.ts'), about: 'the packages in empty folders', isCompiled: true },
  pooler: { command: source('test/support/pooler-run.ts'), about: 'all tests through PgBouncer' },
  roles: {
    command: TEST,
    about: 'all tests with gateways whose role owns no tables',
    env: { TILLGATE_TEST_ROLE: 'tillgate_serving' },
  },
  production: {
    command: source('test/deploy/production/run.ts'),
    about: 'the steps of deploy/README.md, from an empty cluster to the first alert',
    isCompiled: true,
  },
  containers: {
    command: source('test/deploy/containers/run.ts'),
    about: 'the image and both compositions in containers, where there is an engine',
  },
  restarts: {
    command: [...TEST, 'test/deploy/rolling-restart'],
    about: 'processes behind nginx and HAProxy that are restarted',
    env: { ROLLING_RESTARTS: 'true' },
  },
};

const WRONG_USAGE = 2;

const [name = '', ...args] = process.argv.slice(2);
const chosen = Object.hasOwn(LONG_RUNS, name) ? LONG_RUNS[name] : undefined;
if (!chosen) {
  const width = Math.max(...Object.keys(LONG_RUNS).map(one => one.length));
  const lines = Object.entries(LONG_RUNS).map(([one, { about }]) => `  ${one.padEnd(width)}  ${about}`);
  process.stderr.write(`npm run long -- NAME, where NAME is one of\n${lines.join('\n')}\n`);
  process.exit(WRONG_USAGE);
}

// Some run for half an hour: whatever stops one, nothing of it stays.
const folder = await makeRunFolder();
endOnSignals(() => removeRunFolder(folder));
try {
  const { packages, isCompiled = false, command, env } = chosen;
  const steps = [
    ...(isCompiled ? [[process.execPath, '.ci/compile.mjs']] : []),
    ...(packages === undefined
      ? []
      : [
          [
            'sh',
            '-c',
            `test ${packages}/node_modules/.package-lock.json -nt ${packages}/package-lock.json || npm --prefix ${packages} ci`,
          ],
        ]),
    [...command, ...args],
  ];
  for (const [program = '', ...rest] of steps) {
    const child = spawn(program, rest, { stdio: 'inherit', env: { ...process.env, ...env } });
    const [status] = (await once(child, 'exit')) as [number | null];
    process.exitCode = status ?? 1;
    if (status !== 0) break;
  }
} finally {
  await removeRunFolder(folder);
}
