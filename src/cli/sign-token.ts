import { decodeJwt } from 'jose';
import { SCOPES } from '../shared/caller.js';
import { DevIssuer, defaultScopes } from '../platform/auth/dev-issuer.js';
import { isScope, isUuid } from '../platform/auth/token-endpoint.js';
import { UsageError } from '../shared/usage-error.js';

export interface TokenOptions {
  readonly program: string;
  /** Space separated. */
  readonly scope?: string | undefined;
  readonly customer?: string | undefined;
  readonly ttl: number;
}

export interface SignedToken {
  readonly token: string;
  /** An instant in UTC. */
  readonly expiresAt: string;
}

const CLIENT = 'tillgate-cli';
/** A development token that outlives a year was forgotten somewhere. */
const MAX_TTL_SECONDS = 366 * 86_400;

/** An access token of the development issuer whose key is in `dataDir`. Needs no database. */
export async function signToken(
  dataDir: string,
  { program, customer, scope, ttl }: TokenOptions,
): Promise<SignedToken> {
  const issuer = await DevIssuer.open(dataDir);
  const customerId = customer ?? null;
  const token = await issuer.sign({
    ...{ program, clientId: CLIENT, subject: customerId ?? CLIENT, customerId, ttlSeconds: ttl },
    scope: scope ?? defaultScopes(customerId),
  });
  const { exp } = decodeJwt(token);
  return { token, expiresAt: new Date((exp ?? 0) * 1000).toISOString() };
}

/** Throws `UsageError`, as the two below. */
export function readCustomer(text: string): string {
  if (!isUuid(text)) throw new UsageError('--customer must be a UUID.');
  return text.toLowerCase();
}

export function readScope(text: string): string {
  const scopes = new Set(text.split(/\s+/).filter(Boolean));
  if (![...scopes].every(isScope)) throw new UsageError(`--scope must contain only these scopes: ${SCOPES.join(' ')}.`);
  return [...scopes].join(' ');
}

export function readTtl(text: string): number {
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= MAX_TTL_SECONDS) return seconds;
  throw new UsageError(`--ttl must be a whole number of seconds from 1 to ${MAX_TTL_SECONDS}.`);
}
