/**
 * Lets Node run our sources as they are: `node --import ./test/cli/sources.mjs src/main.ts`. Its own type stripping knows no decorators,
 * so they are compiled as they are for the tests.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import jestConfig from '../../jest.config.mjs';

const [, options] = jestConfig.transform['\\.ts$'];

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource = specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL?.endsWith('.ts');
    return nextResolve(isSource ? `${specifier.slice(0, -3)}.ts` : specifier, context);
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { ...options, filename, swcrc: false });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
