// As src/cli/command-line.ts does for production: whichever test file comes first, entities need it.
import 'reflect-metadata';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type * as Globals from '@jest/globals';
import { sourceMaps } from '../cli/sources.mjs';
import type ProcessEnvironment from './environment.js';
import { setJestGlobals } from './jest-globals.js';

const require = createRequire(import.meta.url);
const GLOBALS = new URL('./jest-globals.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : nextResolve(specifier, context),
});

let filesBefore = 0;

/**
 * Loads test files with the loader of Node, as production loads the sources. Jest's own runtime would load every module anew for each
 * file, in a context of `node:vm`, which takes seconds of processor time a file. Modules cannot be mocked here.
 */
export default class ProcessRuntime {
  constructor(
    _config: unknown,
    private readonly environment: ProcessEnvironment,
  ) {}

  /** Jest's own code about the tests of one file, whose state must not be that of the file before. */
  requireInternalModule(path: string): unknown {
    delete require.cache[path];
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'));
    return require(path);
  }

  requireModule(path: string): unknown {
    return require(path);
  }

  unstable_shouldLoadAsEsm(): boolean {
    return true;
  }

  /** A test file runs as often as Jest asks for it; what it imports is loaded once. */
  async unstable_importModule(path: string): Promise<void> {
    await import(`${pathToFileURL(path).href}?run=${(filesBefore += 1)}`);
  }

  setGlobalsForRuntime(globals: Omit<typeof Globals, 'jest'>): void {
    const { jest } = this.environment;
    setJestGlobals({ ...globals, jest: jest as unknown as typeof Globals.jest });
  }

  restoreAllMocks(): void {
    this.environment.moduleMocker.restoreAllMocks();
  }

  getSourceMaps(): Map<string, string> {
    return sourceMaps;
  }

  getAllCoverageInfoCopy(): void {}
  enterTestCode(): void {}
  leaveTestCode(): void {}
  teardown(): void {}
}
