import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  // Only these are crawled: never dist or the data directory.
  roots: ['<rootDir>/src', '<rootDir>/lib', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  injectGlobals: false,
  // Node loads the sources and the tests itself, by test/cli/sources.mjs, and a worker keeps them from one file to the next.
  runtime: '<rootDir>/test/support/runtime.ts',
  testEnvironment: '<rootDir>/test/support/environment.ts',
  transform: {},
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  testTimeout: 60_000,
  // Tests wait for the database and for processes as well, so two workers for each processor keep these busy.
  maxWorkers: Math.min(8, 2 * availableParallelism()),
  restoreMocks: true,
};
