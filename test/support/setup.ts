// As src/cli/command-line.ts does for production: whatever a test file imports first, entities need it.
import 'reflect-metadata';

// Jest sets it in its workers, and what commands print would have colours.
delete process.env['FORCE_COLOR'];

// Jest runs each test file in a context of its own with the `fetch` of Node, whose failures are no `TypeError` of that
// context (https://github.com/jestjs/jest/issues/2549). Libraries such as openid-client ask for one by `instanceof`.
const fetchOfNode = globalThis.fetch;
globalThis.fetch = async (...request: Parameters<typeof fetch>) => {
  try {
    return await fetchOfNode(...request);
  } catch (error) {
    const { name, message, cause } = error as Error;
    throw name === 'TypeError' ? new TypeError(message, { cause }) : error;
  }
};
