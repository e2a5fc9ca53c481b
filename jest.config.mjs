import { availableParallelism } from 'node:os';

/** @type {import('jest').Config} */
export default {
  // Only these are crawled: never dist or the data directory.
  roots: ['<rootDir>/src', '<rootDir>/lib', '<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testEnvironment: 'node',
  injectGlobals: false,
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        // The same reading of TypeScript as in tsconfig.json.
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          target: 'es2023',
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  testTimeout: 30_000,
  // Each worker has its own gateway and database connections; Jest's default would be one worker on a machine with two cores.
  maxWorkers: Math.min(8, Math.max(2, availableParallelism() - 1)),
  restoreMocks: true,
};
