/**
 * Lets Node run our sources as they are: `node --import ./test/cli/sources.mjs src/main.ts`. Its own type stripping
 * knows no decorators, so swc compiles them, with the same reading of TypeScript as in tsconfig.json.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

/** How TypeScript is compiled for tests: for Jest (jest.config.mjs), and for the processes that tests start. */
export const SWC_OPTIONS = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
    target: 'es2024',
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
  swcrc: false,
};

/** Packages import this by its name. */
const NOUN = new URL('../../src/noun.ts', import.meta.url).href;

const require = createRequire(import.meta.url);
const COMPILER = `${require('@swc/core/package.json').version} ${JSON.stringify(SWC_OPTIONS)}`;
/**
 * Tests start hundreds of processes, each of which needs most of the sources. One file a source, with what it was made
 * of.
 */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tillgate-sources/', import.meta.url));

registerHooks({
  resolve(specifier, context, nextResolve) {
    if (specifier === 'tillgate/noun') return nextResolve(NOUN, context);
    const isSource =
      specifier.startsWith('.') && specifier.endsWith('.js') && /\.ts(\?|$)/.test(context.parentURL ?? '');
    return nextResolve(isSource ? `${specifier.slice(0, -3)}.ts` : specifier, context);
  },
  load(url, context, nextLoad) {
    const [address] = url.split('?');
    if (!address.endsWith('.ts')) return nextLoad(url, context);
    return { format: 'module', source: compiled(fileURLToPath(address)), shortCircuit: true };
  },
});

function compiled(filename) {
  const source = readFileSync(filename, 'utf8');
  const key = createHash('sha256').update(`${COMPILER}\n${filename}\n${source}`).digest('hex');
  const cached = `${CACHE}${filename.replaceAll(/\W/g, '_')}`;
  return read(cached, key) ?? write(cached, key, compile(filename, source));
}

function compile(filename, source) {
  // Loaded where it is needed only: a process that finds everything compiled starts sooner.
  const { transformSync } = require('@swc/core');
  return transformSync(source, { ...SWC_OPTIONS, filename }).code;
}

function read(file, key) {
  try {
    const text = readFileSync(file, 'utf8');
    return text.startsWith(key) ? text.slice(key.length + 1) : null;
  } catch {
    return null;
  }
}

function write(file, key, code) {
  try {
    mkdirSync(CACHE, { recursive: true });
    // Another process may be reading or writing it.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${key}\n${code}`);
    renameSync(unfinished, file);
  } catch {
    // A folder that cannot be written to costs time alone.
  }
  return code;
}
