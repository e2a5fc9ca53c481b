/**
 * Lets Node run our sources as they are: `node --import ./test/cli/sources.mjs src/main.ts`. Its own type stripping knows no decorators,
 * so swc compiles them, with the same reading of TypeScript as in tsconfig.json.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const OPTIONS = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
    target: 'es2024',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
  swcrc: false,
};

/** Source maps by the address of the module, as addresses that hold the map. */
export const sourceMaps = new Map();

registerHooks({
  resolve(specifier, context, nextResolve) {
    const isSource =
      specifier.startsWith('.') && specifier.endsWith('.js') && /\.ts(\?|$)/.test(context.parentURL ?? '');
    return nextResolve(isSource ? `${specifier.slice(0, -3)}.ts` : specifier, context);
  },
  load(url, context, nextLoad) {
    const [address] = url.split('?');
    if (!address.endsWith('.ts')) return nextLoad(url, context);
    const filename = fileURLToPath(address);
    const { code, map } = transformSync(readFileSync(filename, 'utf8'), { ...OPTIONS, filename });
    sourceMaps.set(url, `data:application/json;base64,${Buffer.from(map).toString('base64')}`);
    return { format: 'module', source: code, shortCircuit: true };
  },
});
