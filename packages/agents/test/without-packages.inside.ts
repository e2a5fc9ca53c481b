import type { StartOptions } from '../../../src/app/gateway.js';
import { BANK_NOUNS, type NOUNS } from '../../../src/app/nouns.js';
import { agentsNoun } from '../src/agents.noun.js';

/** A gateway with this package and no other. */
export function options(): StartOptions {
  return { nouns: BANK_NOUNS.and(agentsNoun) as unknown as typeof NOUNS };
}
