import { availableParallelism } from 'node:os';
import { SWC_OPTIONS } from './test/cli/sources.mjs';

/** @type {import('jest').Config} */
export default {
  // Only these are crawled: never dist or the data directory.
  roots: ['<rootDir>/src', '<rootDir>/lib', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  injectGlobals: false,
  // Sources and tests are ES modules, for which `npm test` sets --experimental-vm-modules
  // (https://jestjs.io/docs/ecmascript-modules).
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', SWC_OPTIONS] },
  // TypeScript names a module by what it is compiled to: `./a.js` is `./a.ts` in the sources.
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  // These run in Jest's own process, which loads sources by test/cli/sources.mjs.
  transformIgnorePatterns: ['/node_modules/', '/test/support/global-(setup|teardown)\\.ts$'],
  setupFiles: ['<rootDir>/test/support/setup.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  // A busy machine with two cores needs minutes for what takes seconds alone.
  testTimeout: 600_000,
  // Tests wait for the database and for processes as well, so one worker more than processors keeps these busy.
  maxWorkers: Math.min(8, 1 + availableParallelism()),
  // Memory of the modules of a file is given back late, so a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1GB',
  restoreMocks: true,
};
