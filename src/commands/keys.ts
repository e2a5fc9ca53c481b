import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { rotateKeys } from '../platform/cli/rotate-keys.js';
import { keepHeapSmall } from '../platform/cli/heap.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { SEALS } from '../seals.js';
import { withBank } from './with-bank.js';

export function keysGenerate(command: Command): void {
  command
    .description('Print a new key as an entry of FIELD_KEYS. Changes nothing.')
    .action(() => void process.stdout.write(`${KeyRing.generate()}\n`));
}

export function keysRotate(command: Command): void {
  command
    .description('Seal again, under the newest key, whatever is under an older one. Gateways may serve meanwhile.')
    .addHelpText(
      'after',
      `
The newest key is the first entry of FIELD_KEYS or, in development without it, of the file field-keys in DATA_DIR. To rotate:
  1. Put a new key (tillgate keys generate) in front, with a comma after it, and start every gateway again. Where several
     serve, put it at the end first and start them all again, so that each can open what the others will seal.
  2. tillgate keys rotate. It can be stopped at any moment and started again.
  3. Drop the keys that it says are no longer needed. A backup from before needs them still.
Rows that cannot be opened are told with their primary keys, and the others go on.`,
    )
    .action(async () => {
      keepHeapSmall();
      const config = readConfig(process.env);
      const stop = stopSignal();
      const { stdout, stderr } = process;
      process.exitCode = await withBank(config, ({ database, keys }) =>
        rotateKeys({ database, keys, columns: SEALS, stop, stdout, stderr }),
      );
    });
}
