// What the page of the console is made of.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const PAGE = join('packages', 'console', 'src');
/** What the page takes of lib: it runs in browsers as well. */
export const SHARED = join('lib', 'csv');
export const GENERATED = join(PAGE, 'generated');
/** What production serves, and what the sandbox adds. */
export const SCHEMAS = ['schema.graphql', 'schema.sandbox.graphql'];

export function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
