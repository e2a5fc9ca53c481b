import type { Command } from 'commander';
import { HELP_STYLE, WRONG_USAGE, explain, type Explanation } from './explain.js';
import { readManifest } from '../platform/manifest.js';
import { ToldCommand } from './wrong-usage.js';

/** The command line before it has any commands. */
export function tillgateCommand(): Command {
  const tillgate = new ToldCommand('tillgate')
    .description('A GraphQL gateway over a banking domain, with its REST contract beside it.')
    .version(readManifest().version, '-V, --version', 'print the version of Tillgate')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand('help [command]', 'Explain a command.')
    .configureHelp(HELP_STYLE)
    .exitOverride();
  return explain(tillgate, {
    about: [
      'Without a command it serves. Settings come from the environment, and npm run adds those of the file .env; .env.example explains each.',
    ],
    settings: {
      NODE_ENV:
        'production refuses what is for development only: embedded database, generated keys, own tokens, demo data',
      NO_COLOR: 'any value: no colours. FORCE_COLOR=1: colours even without a terminal',
    },
    examples: {
      tillgate: 'Serves with a database, keys and demo data of its own, and prints the address.',
      'tillgate import --help': 'Explains a command.',
    },
    status: {
      0: 'all done',
      1: 'something was rejected or failed',
      2: WRONG_USAGE,
      '130, 143': 'stopped by SIGINT or SIGTERM; run the same command again to finish',
    },
  });
}

/** A command that only holds others. `examples` shows what they are for. */
export function commandGroup(
  parent: Command,
  name: string,
  description: string,
  examples: Explanation['examples'],
): Command {
  const status = { 2: WRONG_USAGE };
  return explain(parent.command(name).description(description), { examples, status });
}
