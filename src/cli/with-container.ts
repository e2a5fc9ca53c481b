import { readBankConfig, type BankConfig } from '../app/config.js';
import type { Container } from '../app/container.js';
import type { Logger } from '../platform/logging/logger.js';
import { Report } from '../platform/report/report.js';
import type { CommandProcess } from './command-process.js';
import { stopSignal } from '../platform/report/stop-signal.js';

/** Starts a command that works on many records. Throws `BadSettings`. */
export function startCommand(process: CommandProcess, { json = false }: { readonly json?: boolean }) {
  const config = readBankConfig(process.env);
  return { config, stop: stopSignal(process), report: new Report(process.stdout, json), stderr: process.stderr };
}

/** Sets the exit status that the work gives, and closes the container even if the work fails. */
export async function withContainer(
  process: CommandProcess,
  config: BankConfig,
  work: (container: Container) => Promise<number>,
): Promise<void> {
  const { openContainer } = await import('../app/container.js');
  const container = await openContainer(config, await commandLog(process));
  try {
    process.exitCode = await work(container);
  } finally {
    await container.close();
  }
}

/** Standard output is for results, and a command is no server: only what needs attention is logged. */
export async function commandLog({ stderr }: Pick<CommandProcess, 'stderr'>): Promise<Logger> {
  const { createLogger } = await import('../platform/logging/logger.js');
  return createLogger({ level: 'warn', destination: stderr });
}
