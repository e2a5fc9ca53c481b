import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { signToken, type TokenOptions } from '../platform/cli/token.js';
import { UsageError } from '../platform/cli/usage-error.js';

export function token(command: Command): void {
  command
    .description('Print an access token of the development issuer.')
    .requiredOption('--program <program>', 'the tenant whose data it opens')
    .option(
      '--scope <scopes>',
      'what it allows, space separated (default: all but pii.read; for a customer not operations either)',
    )
    .option('--customer <id>', 'binds it to one customer, who sees only what that customer owns')
    .option('--ttl <seconds>', 'how long it is valid', '3600')
    .action(async (options: TokenOptions) => {
      const config = readConfig(process.env);
      if (config.auth) {
        throw new UsageError(
          'AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL are set: get the token from that issuer, or unset them for the development issuer.',
        );
      }
      process.stdout.write(`${await signToken(config.dataDir, options)}\n`);
    });
}
