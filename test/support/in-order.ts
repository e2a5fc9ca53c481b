import { expect } from '@jest/globals';

/** Expects a text to have these parts one after the other. */
export function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) throw new Error(`'${part}' is not there, or not in its place, in: ${text.slice(from, from + 400)}`);
    from = at + part.length;
  }
  expect(from).toBeGreaterThan(0);
}
