import type { Bank } from '../bank.js';
import type { Config } from '../config.js';
import { createLogger, type Logger } from '../platform/logging/logger.js';

/** Opens the bank for a command, and closes it whatever becomes of the work. */
export async function withBank<Result>(config: Config, work: (bank: Bank) => Promise<Result>): Promise<Result> {
  const { openBank } = await import('../bank.js');
  const bank = await openBank(config, commandLog());
  try {
    return await work(bank);
  } finally {
    await bank.close();
  }
}

/** Standard output is for results, and a command is no server: only what needs attention is logged. */
export function commandLog(): Logger {
  return createLogger({ level: 'warn', destination: process.stderr });
}
