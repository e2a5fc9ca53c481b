import type { TestServer } from './global-setup.js';

/** Stops the server that `global-setup.ts` started, and deletes its files. */
export default async function globalTeardown(): Promise<void> {
  await (globalThis as TestServer).stopTestServer?.();
}
