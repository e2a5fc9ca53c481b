import type { Container } from '../app/container.js';
import type { Config } from '../app/config.js';
import { createLogger, type Logger } from '../platform/logging/logger.js';

/** Opens the container for a command, and closes it whatever becomes of the work. */
export async function withContainer<Result>(
  config: Config,
  work: (container: Container) => Promise<Result>,
): Promise<Result> {
  const { openContainer } = await import('../app/container.js');
  const container = await openContainer(config, commandLog());
  try {
    return await work(container);
  } finally {
    await container.close();
  }
}

/** Standard output is for results, and a command is no server: only what needs attention is logged. */
export function commandLog(): Logger {
  return createLogger({ level: 'warn', destination: process.stderr });
}
