import {
  claimPaths,
  CLAIM_PATHS_FORM,
  type ClaimPath,
  RFC_9068,
  type TokenProfile,
  type TokenType,
} from './token-profile.js';
import {
  INTROSPECTION_SETTINGS,
  readIntrospectionSettings,
  type IntrospectionSettings,
} from './introspection-settings.js';
import { POSSESSION_SETTINGS, readPossessionSettings, type PossessionSettings } from './possession-settings.js';
import { isClientId } from './token-identity.js';
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

interface Reader {
  text(name: string): string | null;
  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T;
  wholeNumber(name: string, limits: { fallback: number; least: number; most: number }): number;
  refuse(name: string, problem: string): void;
}

const ISSUER_SETTINGS = ['AUTH_ISSUER', 'AUTH_AUDIENCE', 'AUTH_JWKS_URL'] as const;

const PROFILE_SETTINGS = [
  'AUTH_TOKEN_TYPES',
  'AUTH_AUDIENCE_CLAIM',
  'AUTH_PROGRAM_CLAIM',
  'AUTH_CLIENT_CLAIM',
  'AUTH_SUBJECT_CLAIM',
  'AUTH_PERSON_CLAIM',
  'AUTH_CUSTOMER_CLAIM',
  'AUTH_SCOPE_CLAIM',
  'AUTH_SCOPE_PREFIX',
  'AUTH_CLIENT_PROGRAMS',
  'AUTH_PROGRAM_WIDE_CLIENTS',
] as const;
type ProfileSetting = (typeof PROFILE_SETTINGS)[number];

/** Settings about the tokens of an issuer. */
const ISSUER_DETAILS = [...PROFILE_SETTINGS, ...POSSESSION_SETTINGS, ...INTROSPECTION_SETTINGS];

const TOKEN_TYPES = new Map<string, TokenType>([
  ['at+jwt', 'at+jwt'],
  ['JWT', 'jwt'],
  ['absent', null],
]);
const MAX_LISTED = 1000;

/** Reads the settings that begin with AUTH_. Null if none is set: then the development issuer signs tokens. */
export function readAuthSettings(settings: Reader): AuthSettings | null {
  const [issuer, audience, jwksUrl] = ISSUER_SETTINGS.map(name => settings.text(name));
  if (!issuer && !audience && !jwksUrl) {
    for (const name of ISSUER_DETAILS.filter(each => settings.text(each) !== null)) {
      settings.refuse(name, 'is set, but AUTH_ISSUER is not. Set AUTH_ISSUER, or unset it for the development issuer.');
    }
    return null;
  }
  for (const name of ISSUER_SETTINGS) {
    if (settings.text(name) === null) {
      settings.refuse(
        name,
        `is not set, but others of ${ISSUER_SETTINGS.join(', ')} are. Set all three, or none for the development issuer.`,
      );
    }
  }
  if (jwksUrl && !isSafeAddress(jwksUrl)) {
    settings.refuse(
      'AUTH_JWKS_URL',
      'must be an https address without user name and password. http is allowed for a loopback host only.',
    );
  }
  const profile = readTokenProfile(settings);
  const possession = readPossessionSettings(settings);
  const introspection = readIntrospectionSettings(settings, isSafeAddress);
  return issuer && audience && jwksUrl
    ? { issuer, audience: readList(settings, 'AUTH_AUDIENCE') ?? [], jwksUrl, profile, possession, introspection }
    : null;
}

/** Whether an address may be asked who somebody is: who can change its answers lets people in, so plain text is out. */
export function isSafeAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) && username === '' && password === ''
  );
}

function readTokenProfile(settings: Reader): TokenProfile {
  const profile: TokenProfile = {
    types: readTypes(settings),
    audience: readClaims(settings, 'AUTH_AUDIENCE_CLAIM', RFC_9068.audience),
    program: readClaims(settings, 'AUTH_PROGRAM_CLAIM', RFC_9068.program),
    client: readClaims(settings, 'AUTH_CLIENT_CLAIM', RFC_9068.client),
    subject: readClaims(settings, 'AUTH_SUBJECT_CLAIM', RFC_9068.subject),
    person: settings.text('AUTH_PERSON_CLAIM') === null ? null : readClaims(settings, 'AUTH_PERSON_CLAIM', []),
    customer: readClaims(settings, 'AUTH_CUSTOMER_CLAIM', RFC_9068.customer),
    scope: readClaims(settings, 'AUTH_SCOPE_CLAIM', RFC_9068.scope),
    scopeLists: settings.text('AUTH_SCOPE_CLAIM') !== null,
    scopePrefix: readScopePrefix(settings),
    clientPrograms: readClientPrograms(settings),
    programWideClients: readProgramWideClients(settings),
  };
  refuseHoles(settings, profile);
  return profile;
}

/** Settings that are valid one by one, but admit too many callers together. */
function refuseHoles(settings: Reader, { audience }: TokenProfile): void {
  if (audience.some(({ text }) => text === 'iss')) {
    settings.refuse(
      'AUTH_AUDIENCE_CLAIM',
      'must not be iss, which all tokens of the issuer have. Set the claim that names the client.',
    );
  }
  if (settings.text('AUTH_AUDIENCE_CLAIM') !== null && settings.text('AUTH_SCOPE_PREFIX') === null) {
    settings.refuse(
      'AUTH_SCOPE_PREFIX',
      'is not set, but AUTH_AUDIENCE_CLAIM is. Set the prefix of the scopes of this gateway. It distinguishes tokens for this gateway from tokens for another API if tokens have no audience.',
    );
  }
  if (settings.text('AUTH_CLIENT_PROGRAMS') !== null && settings.text('AUTH_PROGRAM_WIDE_CLIENTS') === null) {
    settings.refuse(
      'AUTH_PROGRAM_WIDE_CLIENTS',
      'is not set, but AUTH_CLIENT_PROGRAMS is. Set the clients that may act for all customers of their program, or set none.',
    );
  }
}

function readTypes(settings: Reader): ReadonlySet<TokenType> {
  const text = settings.text('AUTH_TOKEN_TYPES');
  if (text === null) return RFC_9068.types;
  const types = text.split(',').map(name => TOKEN_TYPES.get(name.trim()));
  if (types.every(type => type !== undefined)) return new Set(types);
  settings.refuse(
    'AUTH_TOKEN_TYPES',
    `must be a list of ${[...TOKEN_TYPES.keys()].join(', ')}. Set the values of the header typ that access tokens have, separated by commas, or unset it for at+jwt.`,
  );
  return RFC_9068.types;
}

function readClaims(settings: Reader, name: ProfileSetting, fallback: readonly ClaimPath[]): readonly ClaimPath[] {
  const text = settings.text(name);
  const paths = text === null ? fallback : claimPaths(text);
  if (paths === null) settings.refuse(name, `must be a list of claims. Set ${CLAIM_PATHS_FORM}.`);
  return paths ?? fallback;
}

/** The characters of a scope are those of RFC 6749, 3.3. */
function readScopePrefix(settings: Reader): string {
  const prefix = settings.text('AUTH_SCOPE_PREFIX') ?? '';
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{0,255}$/.test(prefix)) {
    settings.refuse(
      'AUTH_SCOPE_PREFIX',
      'must be 1 to 255 visible ASCII characters without " and \\. Set the text that the issuer writes before each scope, such as tillgate/.',
    );
  }
  return prefix;
}

function readClientPrograms(settings: Reader): ReadonlyMap<string, string> {
  const text = settings.text('AUTH_CLIENT_PROGRAMS');
  const programs = text === null ? RFC_9068.clientPrograms : clientPrograms(text);
  if (programs === null) settings.refuse('AUTH_CLIENT_PROGRAMS', `is not valid. Set ${CLIENT_PROGRAMS_FORM}.`);
  return programs ?? RFC_9068.clientPrograms;
}

function readProgramWideClients(settings: Reader): ReadonlySet<string> | null {
  const name = 'AUTH_PROGRAM_WIDE_CLIENTS';
  if (settings.text(name) === 'none') return new Set();
  const clients = readList(settings, name);
  return clients && new Set(clients);
}

/** Texts separated by commas. Null if the setting is not set. */
function readList(settings: Reader, name: 'AUTH_AUDIENCE' | 'AUTH_PROGRAM_WIDE_CLIENTS'): readonly string[] | null {
  const items =
    settings
      .text(name)
      ?.split(',')
      .map(item => item.trim()) ?? null;
  if (items && (items.length > MAX_LISTED || !items.every(isClientId))) {
    settings.refuse(name, `must be a list of 1 to ${MAX_LISTED} texts of 1 to 255 characters, separated by commas.`);
  }
  return items;
}

/** Whether a host can be reached from this machine alone. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[?::1\]?)$/i.test(hostname);
}

const MAX_CLIENTS = 1000;

/** What `clientPrograms` expects, for a person. */
const CLIENT_PROGRAMS_FORM = `a JSON object of at most ${MAX_CLIENTS} clients, each once, with their programs of ${BANK_ID_FORM}, such as {"mobile-app":"acme"}`;

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
