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
  testTimeout: 30_000,
  // Each worker has its own gateway and database connections; Jest's default would be one worker on a machine with two cores.
  maxWorkers: Math.min(8, Math.max(2, availableParallelism() - 1)),
  restoreMocks: true,
};
