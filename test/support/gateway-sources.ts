import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
/** Packages that run elsewhere: in programs of others, and in browsers. */
const OF_CLIENTS = /^packages\/(client|console)\//;

/** The sources of the gateway whose names end with this: those of `src`, and those of packages with nouns. */
export function gatewaySources(ending: string): URL[] {
  const patterns = ['src', 'packages/*/src'].map(folder => `${folder}/**/*${ending}`);
  const found = globSync(patterns, { cwd: fileURLToPath(ROOT) });
  return found.filter(file => !OF_CLIENTS.test(file)).map(file => new URL(file, ROOT));
}
