import type { Logger } from '../platform/logging/logger.js';
import type { Config } from './config.js';

/** Tells where the gateway serves: by a line of the log in production, where each line is JSON, and otherwise by the address alone. */
export function tellAddress(url: string, { production }: Pick<Config, 'production'>, log: Logger): void {
  if (production) log.info({ url }, 'serving');
  else process.stdout.write(`${url}\n`);
}
