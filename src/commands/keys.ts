import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { WRONG_USAGE, explain } from '../platform/cli/explain.js';
import { keepHeapSmall } from '../platform/cli/heap.js';
import { Report } from '../platform/cli/report.js';
import { stopSignal } from '../platform/cli/stop-signal.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { jsonOption, settings } from './options.js';
import { withBank } from './with-bank.js';

export function keysGenerate(command: Command): void {
  explain(command, {
    about: [
      'Keep it as you keep a password: whoever has it can read what is sealed under it. tillgate keys rotate --help says what to do with it.',
    ],
    result: { key: 'k1a2b3c4:base64 of 32 bytes' },
    examples: {
      'tillgate keys generate': 'Prints id:base64, for the front of FIELD_KEYS.',
    },
    status: { 0: 'printed', 2: WRONG_USAGE },
  });
  command
    .description('Print a new key as an entry of FIELD_KEYS. Changes nothing.')
    .addOption(jsonOption())
    .action(({ json = false }: { json?: boolean }) => {
      const report = new Report(process.stdout, json);
      const key = KeyRing.generate();
      report.line(key);
      report.result({ key });
    });
}

export function keysRotate(command: Command): void {
  explain(command, {
    about: [
      'The newest key is the first entry of FIELD_KEYS or, in development without it, of the file field-keys in DATA_DIR. To rotate:',
      '1. Put a new key (tillgate keys generate) in front, with a comma after it, and start every gateway again. Where several serve, put it at the end first and start them all again, so that each can open what the others will seal.',
      '2. tillgate keys rotate. It changes nothing while a process runs that lacks the newest key, and says which. It can be stopped at any moment and started again.',
      '3. Drop the keys that it says are no longer needed. A backup from before needs them still.',
      'Rows that cannot be opened are told with their primary keys on standard error, and the others go on.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    result: {
      columns: [
        {
          ...{ name: 'customer.sealed', resealed: 9, current: 0, unreadable: 1 },
          unreadableRows: [{ key: ['0000d001-0000-4000-8000-000000000000'], reason: 'unknown_key' }],
        },
      ],
      unreadable: 1,
      newest: 'k3',
      idle: ['k1'],
      needed: [{ id: 'k2', inRing: true, seals: 0, digests: 4 }],
      finished: true,
    },
    examples: {
      'tillgate keys rotate': 'Seals everything under the newest key, and says which keys may go.',
      'tillgate keys rotate --json':
        'The same for a program: idle are the keys that may go, needed those that may not.',
    },
    status: {
      0: 'everything is under the newest key',
      1: 'a running process lacks the newest key, something could not be opened, or is under an older key in spite of it',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM: the same command does the rest',
    },
  });
  command
    .description('Seal again, under the newest key, whatever is under an older one. Gateways may serve meanwhile.')
    .addOption(jsonOption())
    .action(async ({ json = false }: { json?: boolean }) => {
      keepHeapSmall();
      const config = readConfig(process.env);
      const stop = stopSignal();
      const report = new Report(process.stdout, json);
      const { stderr } = process;
      const { rotateKeys } = await import('../platform/cli/rotate-keys.js');
      const { SEALS } = await import('../seals.js');
      process.exitCode = await withBank(config, ({ database, keys }) =>
        rotateKeys({ database, keys, columns: SEALS, stop, report, stderr }),
      );
    });
}
