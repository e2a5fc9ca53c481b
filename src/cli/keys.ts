import type { Command } from 'commander';
import { WRONG_USAGE, explain } from './explain.js';
import { Report } from '../platform/report/report.js';
import { KeyRing } from '../platform/crypto/key-ring.js';
import { jsonOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

export function keysGenerate(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'Protect it like a password: whoever has it can decrypt the data that is encrypted with it. tillgate keys rotate --help explains how to use it.',
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

export function keysRotate(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'The newest key is the first entry of FIELD_KEYS or, in development without it, of the file field-keys in DATA_DIR. Cards are sealed with the newest of CARD_KEYS, if these are set. To rotate:',
      '1. Put a new key (tillgate keys generate) in front, with a comma after it, and restart every gateway. If several gateways run, first put the key at the end and restart them all, so that each can decrypt what the others will encrypt.',
      '2. tillgate keys rotate. It changes nothing while a running process lacks the newest key, and names that process. It can be stopped and started again at any time.',
      '3. Remove the keys that it reports as no longer needed. Older backups still need them.',
      'Rows that cannot be decrypted are reported with their primary keys on standard error, and the other rows are processed.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS', 'CARD_KEYS', 'KEY_COMMAND'),
    result: {
      columns: [
        {
          name: 'customer.sealed',
          resealed: 9,
          current: 0,
          unreadable: 1,
          unreadableRows: [{ key: ['0000d001-0000-4000-8000-000000000000'], reason: 'unknown_key' }],
        },
      ],
      unreadable: 1,
      newest: 'k3',
      newestForCards: 'k3',
      idle: ['k1'],
      needed: [{ id: 'k2', inRing: true, seals: 0, digests: 4 }],
      finished: true,
    },
    examples: {
      'tillgate keys rotate': 'Encrypts everything with the newest key, and reports which keys can be removed.',
      'tillgate keys rotate --json':
        'Prints the result as JSON: idle has the keys that can be removed, needed the keys that cannot.',
    },
    status: {
      0: 'everything is encrypted with the newest key',
      1: 'a running process lacks the newest key, a row could not be decrypted, or a row still has an older key',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again to finish',
    },
  });
  command
    .description('Encrypt all data with the newest key that has an older one. Gateways can serve meanwhile.')
    .addOption(jsonOption())
    .action(async (options: { json?: boolean }) => {
      const { config, ...run } = startCommand(process, options);
      const { rotateKeys } = await import('./rotate-keys.js');
      const { sealedColumnsOf } = await import('../platform/repository/sealed-columns.js');
      await withContainer(process, config, ({ database, keys, cardKeys, nouns }) =>
        rotateKeys({
          database,
          rings: { fields: keys, cards: cardKeys },
          columns: sealedColumnsOf(database, nouns.entities),
          ...run,
        }),
      );
    });
}
