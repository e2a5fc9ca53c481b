import type { Command } from 'commander';
import { readIssuerConfig } from '../app/config.js';
import { WRONG_USAGE, explain } from './explain.js';
import { Report } from '../platform/report/report.js';
import { defaultScopes, isUuid } from '../platform/auth/token-endpoint.js';
import { UsageError } from '../shared/usage-error.js';
import { AGENT_SCOPE, SCOPES, TOKEN_SCOPES, isTokenScope } from '../shared/caller.js';
import { jsonOption, programOption, settings } from './options.js';
import type { CommandProcess } from './command-process.js';

const CLIENT = 'tillgate-cli';
/** A development token that outlives a year was forgotten somewhere. */
const MAX_TTL_SECONDS = 366 * 86_400;

interface TokenOptions {
  readonly program: string;
  /** Separated by spaces. */
  readonly scope?: string;
  readonly customer?: string;
  readonly ttl: number;
  readonly json?: boolean;
}

export function token(command: Command, process: CommandProcess): void {
  explain(command, {
    about: [
      'The token is for development: it is valid for gateways with the same DATA_DIR and without AUTH_ISSUER. The command needs neither a database nor a running gateway.',
      `The scopes: ${SCOPES.join(' ')}. ${AGENT_SCOPE} beside them marks the token of an agent, which reads, and whose writes wait for a person.`,
    ],
    settings: settings('DATA_DIR', 'AUTH_ISSUER'),
    result: { token: 'eyJ...', expiresAt: '2026-11-21T13:00:00.000Z' },
    examples: {
      'export TOKEN=$(tillgate token --program demo)':
        'A token for the demo data, for curl -H "Authorization: Bearer $TOKEN".',
      'tillgate token --program demo --scope "accounts.read pii.read" --ttl 60':
        'A token with two scopes, valid for a minute.',
      'tillgate token --program demo --customer 0000d001-0000-4000-8000-000000000000':
        'A token that can access only the accounts of this customer.',
    },
    status: { 0: 'printed', 1: 'the key in DATA_DIR cannot be read or written', 2: WRONG_USAGE },
  });
  command
    .description('Print an access token of the development issuer.')
    .addOption(programOption('the tenant whose data the token can access').makeOptionMandatory())
    .option(
      '--scope <scopes>',
      'the scopes, separated by spaces (default: all except pii.read; for a customer also without those of a whole program)',
      readScope,
    )
    .option(
      '--customer <id>',
      'a UUID: binds the token to one customer, and to the accounts of that customer',
      readCustomer,
    )
    .option('--ttl <seconds>', 'the lifetime, at most 366 days', readTtl, 3600)
    .addOption(jsonOption())
    .action(async ({ program, scope, customer, ttl, json = false }: TokenOptions) => {
      const config = readIssuerConfig(process.env);
      if (config.auth) {
        throw new UsageError(
          'AUTH_ISSUER, AUTH_AUDIENCE and AUTH_JWKS_URL are set. Get the token from that issuer, or unset them for the development issuer.',
        );
      }
      const [{ DevIssuer }, { decodeJwt }] = await Promise.all([
        import('../platform/auth/dev-issuer.js'),
        import('jose'),
      ]);
      const customerId = customer ?? null;
      const issuer = await DevIssuer.open(config.dataDir);
      const signed = await issuer.sign({
        program,
        clientId: CLIENT,
        subject: customerId ?? CLIENT,
        customerId,
        scope: scope ?? defaultScopes(customerId),
        ttlSeconds: ttl,
      });
      const { exp = 0 } = decodeJwt(signed);
      const report = new Report(process.stdout, json);
      report.line(signed);
      report.result({ token: signed, expiresAt: new Date(exp * 1000).toISOString() });
    });
}

function readCustomer(text: string): string {
  if (!isUuid(text)) throw new UsageError('--customer must be a UUID.');
  return text.toLowerCase();
}

/** Scopes that are separated by spaces, each once. Throws `UsageError`. */
export function readScope(text: string): string {
  const scopes = new Set(text.split(/\s+/).filter(Boolean));
  if (![...scopes].every(isTokenScope)) {
    throw new UsageError(`--scope must contain only these scopes: ${TOKEN_SCOPES.join(' ')}.`);
  }
  return [...scopes].join(' ');
}

function readTtl(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds;
  throw new UsageError(`--ttl must be a whole number of seconds from 1 to ${MAX_TTL_SECONDS}.`);
}
