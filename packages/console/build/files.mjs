// What the page is made of. All paths are below the root of the repository, where the build works.
import { join } from 'node:path';

const PACKAGE = join('packages', 'console');
export const BUILD = join(PACKAGE, 'build');
export const PAGE = join(PACKAGE, 'src');
/** What the page takes of lib: it runs in browsers as well. */
export const SHARED = join('lib', 'csv');
export const GENERATED = join(PAGE, 'generated');
/** What production serves, and what the sandbox adds. */
export const SCHEMAS = ['schema.graphql', 'packages/sandbox/schema.graphql'];
