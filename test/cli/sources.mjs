/**
 * Lets Node run our sources as they are: `node --import ./test/cli/sources.mjs src/main.ts`. Its own type stripping knows no decorators,
 * so swc compiles them, with the same reading of TypeScript as in tsconfig.json.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

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

const require = createRequire(import.meta.url);
const COMPILER = `${require('@swc/core/package.json').version} ${JSON.stringify(OPTIONS)}`;
/** Tests start hundreds of processes, each of which needs most of the sources. One file a source, with what it was made of. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/tillgate-sources/', import.meta.url));

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
    const { code, map } = compiled(fileURLToPath(address));
    sourceMaps.set(url, map);
    return { format: 'module', source: code, shortCircuit: true };
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
  const { code, map } = transformSync(source, { ...OPTIONS, filename });
  return { code, map: `data:application/json;base64,${Buffer.from(map).toString('base64')}` };
}

function read(file, key) {
  try {
    const text = readFileSync(file, 'utf8');
    const [keyEnd, mapEnd] = [key.length, text.indexOf('\n', key.length + 1)];
    return text.startsWith(key) ? { map: text.slice(keyEnd + 1, mapEnd), code: text.slice(mapEnd + 1) } : null;
  } catch {
    return null;
  }
}

function write(file, key, { code, map }) {
  try {
    mkdirSync(CACHE, { recursive: true });
    // Another process may be reading or writing it.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, `${key}\n${map}\n${code}`);
    renameSync(unfinished, file);
  } catch {
    // A folder that cannot be written to costs time alone.
  }
  return { code, map };
}
