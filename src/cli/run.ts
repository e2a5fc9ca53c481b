import { styleText } from 'node:util';
import type { Command } from 'commander';
import { BadSettings } from '../app/config.js';
import { failureOf, type Failure } from './failure.js';
import { commandLog } from './with-container.js';

/** How long a command that failed may take to close what it still can. */
const EXIT_WITHIN_MS = 5000;

/** Runs the command that the arguments name (`serve` where they name none), tells how it failed, and sets the exit status. */
export async function run(tillgate: Command): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader);
  try {
    await tillgate.parseAsync(process.argv.length > 2 ? process.argv : [...process.argv, 'serve']);
  } catch (error) {
    const failure: Failure =
      error instanceof BadSettings ? { status: 2, code: 'bad_settings', message: error.message } : failureOf(error);
    tell(failure);
    if (failure.unexpected) commandLog().error(error);
    process.exitCode = failure.status;
    // What failed may have left something open that would keep the process alive.
    setTimeout(() => process.exit(), EXIT_WITHIN_MS).unref();
  }
}

/** A reader that has gone (`| head -1`) wants no more, and what was begun is brought to its end all the same. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

function tell({ code, message }: Failure): void {
  if (message === null) return;
  // Asked of the arguments themselves, since what failed may be their reading.
  const text = process.argv.includes('--json')
    ? JSON.stringify({ error: { code, message } })
    : styleText('red', message, { stream: process.stderr });
  process.stderr.write(`${text}\n`);
}
