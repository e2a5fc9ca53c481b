// How the import rules (.dependency-cruiser.mjs) find what packages import by its name, as `paths` of tsconfig.json
// says it to the compiler.
import { join } from 'node:path';

export default { resolve: { alias: { 'tillgate/noun': join(import.meta.dirname, '../src/noun.ts') } } };
