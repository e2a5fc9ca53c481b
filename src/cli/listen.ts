import type { Command } from 'commander';
import { readManifest } from '../platform/manifest.js';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';
import { WRONG_USAGE, explain } from './explain.js';
import { programOption, settings } from './options.js';
import { startCommand, withContainer } from './with-container.js';
import type { CommandProcess } from './command-process.js';

interface ListenOptions {
  readonly forward: string;
  readonly program: string;
  readonly types?: readonly string[];
  readonly account?: string;
}

export function listen(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'This is for developers of a receiver of webhooks, who see what happens without an endpoint that the internet can reach. Each event is sent once, in order, from the moment when the command starts; nothing is repeated.',
      'Requests are signed as those of webhooks are (Standard Webhooks). The secret stays the same as long as FIELD_KEYS does.',
    ],
    settings: settings('DATABASE_URL', 'DATA_DIR', 'FIELD_KEYS'),
    examples: {
      'tillgate listen --forward http://localhost:3000/hook --program demo':
        'Prints the secret, sends every event of the program, and prints a line about each.',
      'tillgate listen --forward http://localhost:3000/hook --program demo --types card.frozen,card.closed --account demo-1001':
        'Sends only events of these types and of this account.',
    },
    status: {
      1: 'the database failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM, which is how it ends',
    },
  });
  command
    .description('Send the events of a program to an address of this machine, signed, as they happen.')
    .requiredOption('--forward <url>', 'an http or https address of this machine, such as http://localhost:3000/hook')
    .addOption(programOption('the tenant whose events are sent').makeOptionMandatory())
    .option('--types <types>', 'only events of these types, separated by commas', readTypes)
    .option('--account <id>', 'only events of the account with this id', readAccount)
    .action(async ({ forward: url, program, types, account }: ListenOptions) => {
      const { config, report, stop } = startCommand(process, {});
      const [{ forward, isOwnAddress }, { nounsOf }] = await Promise.all([
        import('../../packages/webhooks/src/forwarding.js'),
        import('../app/nouns.js'),
      ]);
      if (!isOwnAddress(url)) {
        throw new UsageError(
          '--forward must be an http or https address of this machine, such as http://localhost:3000/hook.',
        );
      }
      const names = new Set((await nounsOf(config)).eventTypes.all.map(({ type }) => type));
      if (types?.some(type => !names.has(type))) {
        throw new UsageError('--types must be types of events, such as card.frozen. docs/events.md lists all types.');
      }
      const userAgent = `Tillgate/${readManifest().version}`;
      await withContainer(process, config, async ({ feed, keys }) => {
        await feed.open();
        return forward({ feed, keys, program, wish: { types, accountId: account }, url, userAgent, report, stop });
      });
    });
}

function readTypes(text: string): string[] {
  return text.split(',').map(type => type.trim());
}

function readAccount(text: string): string {
  if (!BANK_ID.test(text)) throw new UsageError(`--account must be ${BANK_ID_FORM}.`);
  return text;
}
