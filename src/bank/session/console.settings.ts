import { isSafeAddress } from '../../platform/auth/settings.js';
import { claimPaths, CLAIM_PATHS_FORM, type ClaimPath } from '../../platform/auth/token-profile.js';

/** How the console is served. */
export interface ConsoleSettings {
  /** Null: people sign in as one of the demo people, and in production there is no console. */
  readonly provider: ProviderSettings | null;
}

/** The OpenID provider at which people sign in. */
export interface ProviderSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where browsers find the console, such as `https://gateway.bank.example/console`. */
  readonly url: string;
  readonly programClaim: readonly ClaimPath[];
  readonly rolesClaim: readonly ClaimPath[];
  /** The scopes that the provider is asked for, such as `openid profile`. */
  readonly scope: string;
  /** How often the provider is asked again whether people still have their roles. */
  readonly recheckMinutes: number;
  /** `AUTH_PERSON_CLAIM`, as in access tokens; null without it. */
  readonly personClaim: readonly ClaimPath[] | null;
}

interface Reader {
  text(name: string): string | null;
  wholeNumber(name: string, limits: { fallback: number; least: number; most: number }): number;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  refuse(name: string, problem: string): void;
}

const TOGETHER = [
  'CONSOLE_OIDC_ISSUER',
  'CONSOLE_OIDC_CLIENT_ID',
  'CONSOLE_OIDC_CLIENT_SECRET',
  'CONSOLE_URL',
] as const;

const CLAIMS = ['CONSOLE_PROGRAM_CLAIM', 'CONSOLE_ROLES_CLAIM'] as const;

/** Reads the settings that begin with CONSOLE. Null if the console is off. */
export function readConsoleSettings(settings: Reader): ConsoleSettings | null {
  const provider = readProvider(settings);
  return settings.choice('CONSOLE', ['true', 'false'], 'true') === 'true' ? { provider } : null;
}

function readProvider(settings: Reader): ProviderSettings | null {
  const [issuer, clientId, clientSecret, url] = TOGETHER.map(name => settings.text(name));
  const programClaim = readClaims(settings, 'CONSOLE_PROGRAM_CLAIM', 'program');
  const rolesClaim = readClaims(settings, 'CONSOLE_ROLES_CLAIM', 'roles');
  const scope = settings.text('CONSOLE_OIDC_SCOPE') ?? 'openid profile';
  if (!scope.split(' ').includes('openid')) {
    settings.refuse('CONSOLE_OIDC_SCOPE', 'must contain openid. Set a list such as openid profile offline_access.');
  }
  const recheckMinutes = settings.wholeNumber('CONSOLE_RECHECK_MINUTES', { fallback: 5, least: 1, most: 60 });
  const person = settings.text('AUTH_PERSON_CLAIM');
  // What is wrong with it is said where the claims of access tokens are read.
  const personClaim = person === null ? null : claimPaths(person);
  if (!issuer && !clientId && !clientSecret && !url) {
    for (const name of CLAIMS.filter(each => settings.text(each) !== null)) {
      settings.refuse(name, 'is set, but CONSOLE_OIDC_ISSUER is not. Set CONSOLE_OIDC_ISSUER, or unset it.');
    }
    return null;
  }
  for (const name of TOGETHER) {
    if (settings.text(name) === null) {
      settings.refuse(name, `is not set, but others of ${TOGETHER.join(', ')} are. Set all of them, or none.`);
    }
  }
  if (issuer && !isSafeAddress(issuer)) {
    settings.refuse(
      'CONSOLE_OIDC_ISSUER',
      'must be an https address without user name and password. http is allowed for a loopback host only.',
    );
  }
  if (url && !(isSafeAddress(url) && /^https?:\/\/[^/?#]+\/console$/.test(url))) {
    settings.refuse(
      'CONSOLE_URL',
      'must be the https address of the console, with the path /console, such as https://gateway.bank.example/console. http is allowed for a loopback host only.',
    );
  }
  return issuer && clientId && clientSecret && url
    ? { issuer, clientId, clientSecret, url, programClaim, rolesClaim, personClaim, scope, recheckMinutes }
    : null;
}

function readClaims(settings: Reader, name: (typeof CLAIMS)[number], fallback: string): readonly ClaimPath[] {
  const paths = claimPaths(settings.text(name) ?? fallback);
  if (paths === null) settings.refuse(name, `must be a list of claims. Set ${CLAIM_PATHS_FORM}.`);
  return paths ?? [];
}
