// What the page is made of. All paths are below the root of the repository, where the build works.
import { join } from 'node:path';

const PACKAGE = join('packages', 'console');
export const BUILD = join(PACKAGE, 'build');
export const PAGE = join(PACKAGE, 'src');
/** The part of lib that the page takes: it runs in browsers as well. */
export const SHARED = join('lib', 'csv');
export const GENERATED = join(PAGE, 'generated');
/** The schemas: that of production, and what the sandbox adds. */
export const SCHEMAS = ['schema.graphql', 'packages/sandbox/schema.graphql'];
