/** How the issuer is asked whether tokens are still active (RFC 7662). */
export interface IntrospectionSettings {
  readonly url: string;
  /** The gateway as a client of the issuer, by HTTP Basic. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** How long an answer counts. */
  readonly cacheSeconds: number;
  /** What becomes of requests while the issuer does not answer. */
  readonly whenAway: 'refuse' | 'accept';
}

interface Reader {
  text(name: string): string | null;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  wholeNumber(name: string, limits: { fallback: number; least: number; most: number }): number;
  refuse(name: string, problem: string): void;
}

export const INTROSPECTION_SETTINGS = [
  'AUTH_INTROSPECTION_URL',
  'AUTH_INTROSPECTION_CLIENT_ID',
  'AUTH_INTROSPECTION_CLIENT_SECRET',
  'AUTH_INTROSPECTION_CACHE_SECONDS',
  'AUTH_INTROSPECTION_AWAY',
] as const;
const TOGETHER = INTROSPECTION_SETTINGS.slice(0, 3);
const MAX_CACHE_SECONDS = 30;

/** Null where the issuer is not asked. `isSafeAddress` tells where it may be. */
export function readIntrospectionSettings(
  settings: Reader,
  isSafeAddress: (text: string) => boolean,
): IntrospectionSettings | null {
  const [url, clientId, clientSecret] = TOGETHER.map(name => settings.text(name));
  const cacheSeconds = settings.wholeNumber('AUTH_INTROSPECTION_CACHE_SECONDS', {
    fallback: MAX_CACHE_SECONDS,
    least: 0,
    most: MAX_CACHE_SECONDS,
  });
  const whenAway = settings.choice('AUTH_INTROSPECTION_AWAY', ['refuse', 'accept'], 'refuse');
  if (INTROSPECTION_SETTINGS.every(name => settings.text(name) === null)) return null;
  for (const name of TOGETHER.filter(each => settings.text(each) === null)) {
    settings.refuse(name, `is not set, but others of AUTH_INTROSPECTION_... are. Set ${TOGETHER.join(', ')}, or none.`);
  }
  if (url && !isSafeAddress(url)) {
    settings.refuse(
      'AUTH_INTROSPECTION_URL',
      'must be an https address without user name and password. http is allowed for a loopback host only.',
    );
  }
  return url && clientId && clientSecret ? { url, clientId, clientSecret, cacheSeconds, whenAway } : null;
}
