import type { Logger } from '../platform/logging/logger.js';
import type { Config } from './config.js';

/**
 * Tells where the gateway serves: in production by a line of the log, so that each line is JSON, and otherwise by the
 * address alone. Where the port was picked, the address comes by itself in production as well, before that line.
 */
export function tellAddress(url: string, { production, port }: Pick<Config, 'production' | 'port'>, log: Logger): void {
  if (!production || port === 0) process.stdout.write(`${url}\n`);
  if (production) log.info({ url }, 'serving');
}
