import { safeAddressProblem } from '../settings/safe-address.js';
import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';

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

const MAX_CACHE_SECONDS = 30;

export const INTROSPECTION_SETTINGS = {
  heading: 'Access tokens',
  settings: {
    AUTH_INTROSPECTION_URL: {
      text: null,
      problemOf: safeAddressProblem,
      about:
        'The address at which the issuer is [asked about tokens](tokens.md#ask-the-issuer) (RFC 7662). Set this and the next two, or none of them.',
      example: 'https://login.example.com/introspect',
    },
    AUTH_INTROSPECTION_CLIENT_ID: {
      text: null,
      about: 'The client of the gateway at that address.',
      example: 'tillgate',
    },
    AUTH_INTROSPECTION_CLIENT_SECRET: { text: null, about: 'The secret of that client.', isSecret: true },
    AUTH_INTROSPECTION_CACHE_SECONDS: {
      number: MAX_CACHE_SECONDS,
      range: [0, MAX_CACHE_SECONDS],
      about: 'The number of seconds for which an answer of the issuer counts.',
    },
    AUTH_INTROSPECTION_AWAY: {
      choice: 'refuse',
      of: ['refuse', 'accept'],
      about: 'The treatment of requests while the issuer does not answer.',
    },
  },
} as const satisfies SettingGroup;

/** Reads the settings; null where the issuer is not asked. */
export function readIntrospectionSettings(settings: Settings): IntrospectionSettings | null {
  const names = Object.keys(INTROSPECTION_SETTINGS.settings);
  const read = settings.read(INTROSPECTION_SETTINGS);
  if (!names.some(name => settings.isSet(name))) return null;
  const together = names.slice(0, 3);
  for (const name of together.filter(each => !settings.isSet(each))) {
    settings.refuse(name, `is not set, but others of AUTH_INTROSPECTION_... are. Set ${together.join(', ')}, or none.`);
  }
  const {
    AUTH_INTROSPECTION_URL: url,
    AUTH_INTROSPECTION_CLIENT_ID: clientId,
    AUTH_INTROSPECTION_CLIENT_SECRET: clientSecret,
    AUTH_INTROSPECTION_CACHE_SECONDS: cacheSeconds,
    AUTH_INTROSPECTION_AWAY: whenAway,
  } = read;
  return url && clientId && clientSecret ? { url, clientId, clientSecret, cacheSeconds, whenAway } : null;
}
