import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { SWC_OPTIONS } from './test/cli/sources.mjs';

/**
 * The lanes of tests, by the ends of their files' names: `pure` needs neither a database nor a process, `http` asks a
 * gateway or a database, `process` starts programs, `browser` drives Chromium, `docs` runs what the pages of docs say.
 */
const LANES = ['docs', 'browser', 'process', 'http', 'pure'];
/** What `npm test` runs. `npm run test:all` sets TEST_LANES=all; a file or a folder that is named runs whatever its lane is. */
const USUAL = ['http', 'pure'];

const named = process.argv.slice(2).filter(argument => /^(\.\/)?(test|packages|lib)\//.test(argument));
const namesFile = named.length > 0;
const lanes = namesFile || process.env.TEST_LANES === 'all' ? LANES : USUAL;

/** A worker and the process of its gateways take four seconds of processor time, as do so many files of usual tests. */
const FILES_A_WORKER = 8;
/**
 * Tests wait for the database as well, so one worker more than processors keeps these busy. Two more take as long, and
 * a twentieth more processor time: each has a process of gateways to warm up.
 */
const MOST_WORKERS = Math.min(8, 1 + availableParallelism());

/** The workers that the named files are worth. */
function workers() {
  if (!namesFile) return MOST_WORKERS;
  const patterns = named.map(argument => new RegExp(argument.replace(/^\.\//, '')));
  const files = globSync('{test,packages/*/test,lib/*/test}/**/*.test.ts').filter(file =>
    patterns.some(pattern => pattern.test(file)),
  );
  const isLong = file => LANES.some(lane => !USUAL.includes(lane) && file.endsWith(`.${lane}.test.ts`));
  const weight = files.reduce((sum, file) => sum + (isLong(file) ? FILES_A_WORKER : 1), 0);
  return Math.min(MOST_WORKERS, Math.max(1, Math.ceil(weight / FILES_A_WORKER)));
}

/** @returns {import('jest').Config} */
const project = lane => ({
  displayName: lane,
  // Only these are crawled: never dist or the data directory.
  roots: ['src', 'lib', 'test', ...globSync('packages/*/test')].map(folder => `<rootDir>/${folder}`),
  testRegex: lane === 'pure' ? String.raw`/[^./]+\.test\.ts$` : String.raw`\.${lane}\.test\.ts$`,
  injectGlobals: false,
  // Sources and tests are ES modules, for which `npm test` sets --experimental-vm-modules
  // (https://jestjs.io/docs/ecmascript-modules).
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  // TypeScript names a module by what it is compiled to: `./a.js` is `./a.ts` in the sources.
  moduleNameMapper: { '^tillgate/noun$': '<rootDir>/src/noun.ts', '^(\\.{1,2}/.*)\\.js$': '$1' },
  // These run in Jest's own process, which loads sources by test/cli/sources.mjs.
  transformIgnorePatterns: ['/node_modules/', '/test/support/(global-(setup|teardown)|reporter)\\.ts$'],
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  ...(lane !== 'pure' && {
    globalSetup: '<rootDir>/test/support/global-setup.ts',
    globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  }),
  restoreMocks: true,
});

/** @type {import('jest').Config} */
export default {
  projects: lanes.map(project),
  testSequencer: '<rootDir>/test/support/lanes-in-order.mjs',
  reporters: ['default', '<rootDir>/test/support/reporter.ts'],
  // A test takes minutes on a machine with other work. The reporter tells of one that hangs long before.
  testTimeout: 600_000,
  maxWorkers: workers(),
  // Memory of the modules of a file is given back late, so a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1GB',
};
