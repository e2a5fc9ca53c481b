import { nouns } from '../../examples/nicknames/nicknames.js';
import type { StartOptions } from '../../src/app/gateway.js';
import { NOUNS } from '../../src/app/nouns.js';

export function options(): StartOptions {
  return { nouns: NOUNS.with(nouns) };
}
