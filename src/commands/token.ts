import type { Command } from 'commander';
import { readConfig } from '../config.js';
import { WRONG_USAGE, explain } from '../platform/cli/explain.js';
import { Report } from '../platform/cli/report.js';
import { readCustomer, readScope, readTtl, signToken } from '../platform/cli/token.js';
import { UsageError } from '../platform/cli/usage-error.js';
import { SCOPES } from '../shared/caller.js';
import { jsonOption, programOption, settings } from './options.js';

interface TokenArguments {
  readonly program: string;
  readonly scope?: string;
  readonly customer?: string;
  readonly ttl: number;
  readonly json?: boolean;
}

export function token(command: Command): void {
  explain(command, {
    about: [
      'For development: a gateway accepts it that has the same DATA_DIR and no AUTH_ISSUER. It needs no database, and the gateway need not run.',
      `The scopes: ${SCOPES.join(' ')}`,
    ],
    settings: settings('DATA_DIR', 'AUTH_ISSUER'),
    result: { token: 'eyJ...', expiresAt: '2026-11-21T13:00:00.000Z' },
    examples: {
      'export TOKEN=$(tillgate token --program demo)':
        'A token for the demo data, for curl -H "Authorization: Bearer $TOKEN".',
      'tillgate token --program demo --scope "accounts.read pii.read" --ttl 60':
        'One that may do little, for a minute.',
      'tillgate token --program demo --customer 0000d001-0000-4000-8000-000000000000':
        'One that sees only what this customer owns.',
    },
    status: { 0: 'printed', 1: 'the key in DATA_DIR cannot be read or written', 2: WRONG_USAGE },
  });
  command
    .description('Print an access token of the development issuer.')
    .addOption(programOption('the tenant whose data it opens').makeOptionMandatory())
    .option(
      '--scope <scopes>',
      'what it allows, space separated (default: all but pii.read; for a customer not operations either)',
      readScope,
    )
    .option('--customer <id>', 'a UUID: binds it to one customer, who sees only what that customer owns', readCustomer)
    .option('--ttl <seconds>', 'how long it is valid, at most 366 days', readTtl, 3600)
    .addOption(jsonOption())
    .action(async ({ json = false, ...options }: TokenArguments) => {
      const config = readConfig(process.env);
      if (config.auth) {
        throw new UsageError(
          'AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL are set: get the token from that issuer, or unset them for the development issuer.',
        );
      }
      const signed = await signToken(config.dataDir, options);
      const report = new Report(process.stdout, json);
      report.line(signed.token);
      report.result({ ...signed });
    });
}
