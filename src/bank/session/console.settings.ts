import { claimSetting, type ClaimPath } from '../../platform/auth/token-profile.js';
import { isSafeAddress, safeAddressProblem } from '../../platform/settings/safe-address.js';
import type { SettingGroup } from '../../platform/settings/setting.js';
import type { Settings } from '../../platform/settings/settings.js';

/** The settings of the console. */
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
  /** The minutes after which the provider is asked again whether people still have their roles. */
  readonly recheckMinutes: number;
  /** `AUTH_PERSON_CLAIM`, as in access tokens; null without it. */
  readonly personClaim: readonly ClaimPath[] | null;
}

export const CONSOLE_SETTINGS = {
  heading: 'Console',
  settings: {
    CONSOLE: {
      flag: true,
      about: 'Serves [the console](#the-console) at `/console`. In production it also needs the next four settings.',
    },
    CONSOLE_OIDC_ISSUER: {
      text: null,
      problemOf: safeAddressProblem,
      about:
        'The OpenID provider at which people sign in. Without one, everybody who reaches the gateway can sign in as one of the demo people, and in production there is no console. Set this and the next three, or none of them.',
      example: 'https://login.bank.example/realms/staff',
    },
    CONSOLE_OIDC_CLIENT_ID: {
      text: null,
      about: 'The client of the gateway at the provider, a confidential one for the authorization code flow.',
      example: 'tillgate-console',
    },
    CONSOLE_OIDC_CLIENT_SECRET: { text: null, about: 'The secret of that client.', isSecret: true },
    CONSOLE_URL: {
      text: null,
      isValid: url => isSafeAddress(url) && /^https?:\/\/[^/?#]+\/console$/.test(url),
      problem:
        'must be the https address of the console, with the path /console, such as https://gateway.bank.example/console. http is allowed for a loopback host only.',
      about:
        'The address at which browsers find the console. The provider has to allow it after a sign-out, and with `/callback` after it for the sign-in.',
      example: 'https://gateway.bank.example/console',
    },
    CONSOLE_OIDC_SCOPE: {
      text: 'openid profile',
      isValid: scope => scope.split(' ').includes('openid'),
      problem: 'must contain openid. Set a list such as openid profile offline_access.',
      about:
        'The scopes that the provider is asked for. Entra ID, Auth0 and Okta give refresh tokens for `openid profile offline_access`, Keycloak in any case.',
    },
    CONSOLE_RECHECK_MINUTES: {
      number: 5,
      range: [1, 60],
      about:
        'The number of minutes after which the provider is [asked again](#the-roles-of-today) whether people still have their roles.',
    },
    CONSOLE_PROGRAM_CLAIM: claimSetting(
      [{ text: 'program', names: ['program'] }],
      "The claim with a person's program: a name, or a JSON Pointer. Of several, separated by commas, the first one that a person has is used.",
    ),
    CONSOLE_ROLES_CLAIM: {
      ...claimSetting(
        [{ text: 'roles', names: ['roles'] }],
        "The claim with a person's roles: `viewer`, `operator`, `approver`, `pii`.",
      ),
      example: '/realm_access/roles',
    },
  },
} as const satisfies SettingGroup;

/** The settings that make up the provider. */
const PROVIDER = ['CONSOLE_OIDC_ISSUER', 'CONSOLE_OIDC_CLIENT_ID', 'CONSOLE_OIDC_CLIENT_SECRET', 'CONSOLE_URL'];

/** Reads the settings that begin with CONSOLE. Null if the console is off. `personClaim`: that of access tokens. */
export function readConsoleSettings(
  settings: Settings,
  personClaim: readonly ClaimPath[] | null,
): ConsoleSettings | null {
  const read = settings.read(CONSOLE_SETTINGS);
  if (!PROVIDER.some(name => settings.isSet(name))) {
    for (const name of ['CONSOLE_PROGRAM_CLAIM', 'CONSOLE_ROLES_CLAIM'].filter(each => settings.isSet(each))) {
      settings.refuse(name, 'is set, but CONSOLE_OIDC_ISSUER is not. Set CONSOLE_OIDC_ISSUER, or unset it.');
    }
  }
  settings.areSet(PROVIDER, `is not set, but others of ${PROVIDER.join(', ')} are. Set all of them, or none.`);
  const {
    CONSOLE_OIDC_ISSUER: issuer,
    CONSOLE_OIDC_CLIENT_ID: clientId,
    CONSOLE_OIDC_CLIENT_SECRET: clientSecret,
    CONSOLE_URL: url,
    CONSOLE_OIDC_SCOPE: scope,
    CONSOLE_RECHECK_MINUTES: recheckMinutes,
    CONSOLE_PROGRAM_CLAIM: programClaim,
    CONSOLE_ROLES_CLAIM: rolesClaim,
  } = read;
  const provider =
    issuer && clientId && clientSecret && url
      ? { issuer, clientId, clientSecret, url, programClaim, rolesClaim, personClaim, scope, recheckMinutes }
      : null;
  return read.CONSOLE ? { provider } : null;
}
