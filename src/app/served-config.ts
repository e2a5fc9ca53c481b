import { BadSettings } from '../platform/settings/settings.js';
import { DEFAULT_CARDS_PREFIX, readConfig, type Config } from './config.js';

/**
 * Reads the settings of a gateway that serves, as `readConfig` does, and compares them with the routes that it has.
 * Throws `BadSettings`.
 */
export async function readServedConfig(env: NodeJS.ProcessEnv): Promise<Config> {
  const config = readConfig(env);
  // All nouns are loaded for it, so only where somebody has chosen another prefix.
  if (config.cardsPrefix !== DEFAULT_CARDS_PREFIX) {
    const { nounsOf } = await import('./nouns.js');
    const { takenSegments } = await import('./taken-segments.js');
    const taken = takenSegments(await nounsOf(config));
    if (taken.has(config.cardsPrefix.toLowerCase())) {
      throw new BadSettings([
        `CARDS_PREFIX must not begin another path of the gateway (${[...taken].toSorted().join(', ')}). Set another one.`,
      ]);
    }
  }
  return config;
}
