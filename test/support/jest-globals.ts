import type * as Globals from '@jest/globals';

/**
 * What `import { test } from '@jest/globals'` gives. A worker keeps its modules from one test file to the next, so these bindings
 * change when a file begins.
 */
// oxlint-disable-next-line import/no-mutable-exports
export let { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = {} as typeof Globals;

export function setJestGlobals(globals: typeof Globals): void {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
}
