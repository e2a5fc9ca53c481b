import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { readIssuerConfig } from '../app/config.js';
import { AGENT_SCOPE } from '../shared/caller.js';
import { UsageError } from '../shared/usage-error.js';
import type { CommandProcess } from './command-process.js';
import { WRONG_USAGE, explain } from './explain.js';
import { programOption, settings } from './options.js';
import { readScope } from './token.js';

interface McpOptions {
  readonly program: string;
  readonly url: string;
  readonly scope: string;
}

const URL_DEFAULT = 'http://127.0.0.1:4000';
/** The scopes with which an agent reads what operators read. */
const READS = 'accounts.read transactions.read statements.read cards.read beneficiaries.read operations.read';
const TTL_SECONDS = 86_400;

export function mcp(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'This is for assistants on the machine of a developer, which start it and speak the Model Context Protocol with it by standard input and output. It passes each message on to the address /mcp of a gateway that runs with MCP=true and without AUTH_ISSUER, with a token of the development issuer.',
    ],
    settings: settings('DATA_DIR', 'AUTH_ISSUER'),
    examples: {
      'tillgate mcp --program demo': 'Serves an assistant that reads the demo data.',
      [`tillgate mcp --program demo --scope "${READS} operations cards.write transfers.write"`]:
        'Serves one that also proposes, if the record of the program lets agents propose.',
    },
    status: { 0: 'the assistant has closed standard input', 2: WRONG_USAGE },
  });
  command
    .description('Serve an assistant on this machine by the Model Context Protocol.')
    .addOption(programOption('the tenant whose data the assistant reads').makeOptionMandatory())
    .option('--url <url>', 'the address of the gateway', URL_DEFAULT)
    .option('--scope <scopes>', 'the scopes of the token, separated by spaces', readScope, READS)
    .action(async ({ program, url, scope }: McpOptions) => {
      const { auth, dataDir } = readIssuerConfig(process.env);
      if (auth) {
        throw new UsageError(
          'AUTH_ISSUER is set. Connect the assistant to /mcp of the gateway, which asks that issuer for a token.',
        );
      }
      if (!URL.canParse('/mcp', url)) {
        throw new UsageError(`--url must be an http or https address, such as ${URL_DEFAULT}.`);
      }
      const { DevIssuer } = await import('../platform/auth/dev-issuer.js');
      const issuer = await DevIssuer.open(dataDir);
      const token = await issuer.sign({
        program,
        clientId: 'tillgate-mcp',
        subject: 'tillgate-mcp',
        customerId: null,
        scope: `${scope} ${AGENT_SCOPE}`,
        ttlSeconds: TTL_SECONDS,
      });
      const { McpRelay } = await import('../../packages/agents/src/relay.js');
      const relay = new McpRelay(new URL('/mcp', url), token);
      // One message after another, as an assistant hardly sends several at once.
      for await (const line of createInterface({ input: process.stdin })) {
        const answer = await relay.answer(line);
        if (answer !== null) process.stdout.write(`${answer}\n`);
      }
    });
}
