import { claimSetting, RFC_9068, type TokenProfile, type TokenType } from './token-profile.js';
import {
  INTROSPECTION_SETTINGS,
  readIntrospectionSettings,
  type IntrospectionSettings,
} from './introspection-settings.js';
import { POSSESSION_SETTINGS, readPossessionSettings, type PossessionSettings } from './possession-settings.js';
import { isClientId } from './token-identity.js';
import { safeAddressProblem } from '../settings/safe-address.js';
import type { SettingGroup } from '../settings/setting.js';
import type { Settings } from '../settings/settings.js';
import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import { repeatedName } from '../../shared/repeated-name.js';

/** The issuer whose access tokens are accepted. */
export interface AuthSettings {
  readonly issuer: string;
  /** Any of several will do. */
  readonly audience: string | readonly string[];
  readonly jwksUrl: string;
  /** RFC 9068 where none is given. */
  readonly profile?: TokenProfile;
  /** Bound tokens are refused where none is given. */
  readonly possession?: PossessionSettings;
  /** The issuer is not asked about tokens where none is given. */
  readonly introspection?: IntrospectionSettings | null;
}

const TOKEN_TYPES = new Map<string, TokenType>([
  ['at+jwt', 'at+jwt'],
  ['JWT', 'jwt'],
  ['absent', null],
]);
const MAX_LISTED = 1000;
const LIST_FORM = `must be a list of 1 to ${MAX_LISTED} texts of 1 to 255 characters, separated by commas.`;
const MAX_CLIENTS = 1000;

/** The form that `clientPrograms` expects, for a person. */
const CLIENT_PROGRAMS_FORM = `a JSON object of at most ${MAX_CLIENTS} clients, each once, with their programs of ${BANK_ID_FORM}, such as {"mobile-app":"acme"}`;

export const ISSUER_SETTINGS = {
  heading: 'Access tokens',
  settings: {
    AUTH_ISSUER: {
      text: null,
      about: 'The `iss` that access tokens (RFC 9068) must have. Set this and the next two, or none of them.',
      unset: 'the development issuer',
      example: 'https://login.example.com/',
    },
    AUTH_AUDIENCE: {
      parsed: null,
      parse: textsOf,
      problem: LIST_FORM,
      about: 'The `aud` that access tokens must have. Of several, separated by commas, they need one.',
      unset: 'the development issuer',
      example: 'https://bank.example.com/',
    },
    AUTH_JWKS_URL: {
      text: null,
      problemOf: safeAddressProblem,
      about: 'The https address at which the issuer publishes its public keys. http is allowed for a loopback host.',
      unset: 'the development issuer',
      example: 'https://login.example.com/.well-known/jwks.json',
    },
  },
} as const satisfies SettingGroup;

export const PROFILE_SETTINGS = {
  heading: 'Access tokens',
  settings: {
    AUTH_TOKEN_TYPES: {
      parsed: RFC_9068.types,
      parse: typesOf,
      problem: `must be a list of ${[...TOKEN_TYPES.keys()].join(', ')}. Set the values of the header typ that access tokens have, separated by commas, or unset it for at+jwt.`,
      about:
        'The accepted values of the header `typ` of access tokens, separated by commas: `at+jwt`, `JWT`, or `absent` for a header without it. [Recipes](identity.md) for Auth0, Keycloak, Entra ID, Okta and Cognito say what each setting loosens.',
      unset: '`at+jwt`',
      example: 'at+jwt',
    },
    AUTH_PROGRAM_CLAIM: claimSetting(
      RFC_9068.program,
      'The claim with the program. A claim is given by its name, such as `scp`, or by a JSON Pointer if it is nested, such as `/resource_access/tillgate/roles`. Of several, separated by commas, the first one that a token has is used.',
    ),
    AUTH_CLIENT_CLAIM: claimSetting(RFC_9068.client, 'The claim with the client.'),
    AUTH_SUBJECT_CLAIM: claimSetting(RFC_9068.subject, 'The claim with the user or system that acts.'),
    AUTH_PERSON_CLAIM: {
      ...claimSetting(
        null,
        'The claim that identifies a person, the same in access tokens and in sign-ins at the console. [Approvals](approvals.md#rules) compare it.',
      ),
      example: 'oid',
    },
    AUTH_CUSTOMER_CLAIM: claimSetting(RFC_9068.customer, 'The claim with the customer.'),
    AUTH_SCOPE_CLAIM: {
      ...claimSetting(null, 'The claim with the scopes. If it is set, the scopes may also be a list of texts.'),
      unset: '`scope`',
      example: 'scope',
    },
    AUTH_SCOPE_PREFIX: {
      text: '',
      // The characters of a scope are those of RFC 6749, 3.3.
      isValid: prefix => /^[\x21\x23-\x5b\x5d-\x7e]{0,255}$/.test(prefix),
      problem:
        'must be 1 to 255 visible ASCII characters without " and \\. Set the text that the issuer writes before each scope, such as tillgate/.',
      about: 'The prefix that is removed from each scope. Scopes without it are ignored.',
      unset: 'none',
      example: 'api://tillgate/',
    },
    AUTH_AUDIENCE_CLAIM: {
      ...claimSetting(
        RFC_9068.audience,
        'The claim that is compared with `AUTH_AUDIENCE` if a token has no `aud`. It needs `AUTH_SCOPE_PREFIX`.',
      ),
      unset: 'none',
      example: 'client_id',
    },
    AUTH_CLIENT_PROGRAMS: {
      parsed: RFC_9068.clientPrograms,
      parse: clientPrograms,
      problem: `is not valid. Set ${CLIENT_PROGRAMS_FORM}.`,
      about: 'The programs of clients whose tokens have no program claim. It needs `AUTH_PROGRAM_WIDE_CLIENTS`.',
      unset: 'none',
      example: '{"acme-backend":"acme","acme-app":"acme"}',
    },
    AUTH_PROGRAM_WIDE_CLIENTS: {
      parsed: null,
      parse: text => (text === 'none' ? [] : textsOf(text)),
      problem: LIST_FORM,
      about: 'The clients whose tokens may act for all customers of their program, separated by commas, or `none`.',
      unset: 'all clients',
      example: 'acme-backend',
    },
  },
} as const satisfies SettingGroup;

/** The settings about the tokens of an issuer. */
const ISSUER_DETAILS = [PROFILE_SETTINGS, POSSESSION_SETTINGS, INTROSPECTION_SETTINGS].flatMap(({ settings }) =>
  Object.keys(settings),
);

/** Reads the settings that begin with AUTH_. Null if none is set: then the development issuer signs tokens. */
export function readAuthSettings(settings: Settings): AuthSettings | null {
  const names = Object.keys(ISSUER_SETTINGS.settings);
  if (!names.some(name => settings.isSet(name))) {
    if (settings.production) {
      settings.refuse(
        names.join(', '),
        'are not set, and the development issuer is refused in production. Set those of your issuer.',
      );
    }
    for (const name of ISSUER_DETAILS.filter(each => settings.isSet(each))) {
      settings.refuse(name, 'is set, but AUTH_ISSUER is not. Set AUTH_ISSUER, or unset it for the development issuer.');
    }
    return null;
  }
  settings.areSet(
    names,
    `is not set, but others of ${names.join(', ')} are. Set all three, or none for the development issuer.`,
  );
  const { AUTH_ISSUER: issuer, AUTH_AUDIENCE: audience, AUTH_JWKS_URL: jwksUrl } = settings.read(ISSUER_SETTINGS);
  const profile = readTokenProfile(settings);
  const possession = readPossessionSettings(settings);
  const introspection = readIntrospectionSettings(settings);
  return issuer && audience && jwksUrl ? { issuer, audience, jwksUrl, profile, possession, introspection } : null;
}

function readTokenProfile(settings: Settings): TokenProfile {
  const read = settings.read(PROFILE_SETTINGS);
  const wide = read.AUTH_PROGRAM_WIDE_CLIENTS;
  const profile: TokenProfile = {
    types: read.AUTH_TOKEN_TYPES,
    audience: read.AUTH_AUDIENCE_CLAIM,
    program: read.AUTH_PROGRAM_CLAIM,
    client: read.AUTH_CLIENT_CLAIM,
    subject: read.AUTH_SUBJECT_CLAIM,
    person: read.AUTH_PERSON_CLAIM,
    customer: read.AUTH_CUSTOMER_CLAIM,
    scope: read.AUTH_SCOPE_CLAIM ?? RFC_9068.scope,
    scopeLists: read.AUTH_SCOPE_CLAIM !== null,
    scopePrefix: read.AUTH_SCOPE_PREFIX,
    clientPrograms: read.AUTH_CLIENT_PROGRAMS,
    programWideClients: wide && new Set(wide),
  };
  refuseHoles(settings, profile);
  return profile;
}

/** Refuses settings that are valid one by one, but admit too many callers together. */
function refuseHoles(settings: Settings, { audience }: TokenProfile): void {
  if (audience.some(({ text }) => text === 'iss')) {
    settings.refuse(
      'AUTH_AUDIENCE_CLAIM',
      'must not be iss, which all tokens of the issuer have. Set the claim that names the client.',
    );
  }
  if (settings.isSet('AUTH_AUDIENCE_CLAIM') && !settings.isSet('AUTH_SCOPE_PREFIX')) {
    settings.refuse(
      'AUTH_SCOPE_PREFIX',
      'is not set, but AUTH_AUDIENCE_CLAIM is. Set the prefix of the scopes of this gateway. It distinguishes tokens for this gateway from tokens for another API if tokens have no audience.',
    );
  }
  if (settings.isSet('AUTH_CLIENT_PROGRAMS') && !settings.isSet('AUTH_PROGRAM_WIDE_CLIENTS')) {
    settings.refuse(
      'AUTH_PROGRAM_WIDE_CLIENTS',
      'is not set, but AUTH_CLIENT_PROGRAMS is. Set the clients that may act for all customers of their program, or set none.',
    );
  }
}

function typesOf(text: string): ReadonlySet<TokenType> | null {
  const types = text.split(',').map(name => TOKEN_TYPES.get(name.trim()));
  return types.every(type => type !== undefined) ? new Set(types) : null;
}

/** Texts separated by commas. Null if one of them could not be a client. */
function textsOf(text: string): readonly string[] | null {
  const items = text.split(',').map(item => item.trim());
  return items.length <= MAX_LISTED && items.every(isClientId) ? items : null;
}

/** Reads the program of each client. Null if the text is no such object. */
export function clientPrograms(json: string): ReadonlyMap<string, string> | null {
  let object: unknown;
  try {
    object = JSON.parse(json);
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return null;
    if (repeatedName(json, object)) return null;
  } catch {
    return null;
  }
  const entries = Object.entries(object as Record<string, unknown>);
  const right = (entry: [string, unknown]): entry is [string, string] =>
    isClientId(entry[0]) && typeof entry[1] === 'string' && BANK_ID.test(entry[1]);
  return entries.length <= MAX_CLIENTS && entries.every(right) ? new Map(entries) : null;
}
