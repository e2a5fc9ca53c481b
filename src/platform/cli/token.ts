import { SCOPES } from '../../shared/caller.js';
import { DevIssuer, defaultScopes } from '../auth/dev-issuer.js';
import { isScope, isUuid } from '../auth/token-claims.js';
import { readProgram } from './names.js';
import { UsageError } from './usage-error.js';

export interface TokenOptions {
  readonly program: string;
  /** Space separated. */
  readonly scope?: string | undefined;
  readonly customer?: string | undefined;
  readonly ttl: string;
}

const CLIENT = 'tillgate-cli';
/** A development token that outlives a year was forgotten somewhere. */
const MAX_TTL_SECONDS = 366 * 86_400;

/** An access token of the development issuer whose key is in `dataDir`. Needs no database. Throws `UsageError`. */
export async function signToken(dataDir: string, options: TokenOptions): Promise<string> {
  const program = readProgram(options.program);
  const customerId = readCustomer(options.customer);
  const scope = readScope(options.scope ?? defaultScopes(customerId));
  const ttlSeconds = readTtl(options.ttl);
  const issuer = await DevIssuer.open(dataDir);
  return issuer.sign({ program, clientId: CLIENT, subject: customerId ?? CLIENT, scope, customerId, ttlSeconds });
}

function readCustomer(text: string | undefined): string | null {
  if (text === undefined) return null;
  if (!isUuid(text)) throw new UsageError('--customer must be a UUID.');
  return text.toLowerCase();
}

function readScope(text: string): string {
  const scopes = new Set(text.split(/\s+/).filter(Boolean));
  if (![...scopes].every(isScope)) throw new UsageError(`--scope: the scopes are ${SCOPES.join(' ')}.`);
  return [...scopes].join(' ');
}

function readTtl(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds;
  throw new UsageError(`--ttl must be a whole number of seconds from 1 to ${MAX_TTL_SECONDS}.`);
}
