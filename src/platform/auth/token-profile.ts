import type { JWTPayload } from 'jose';
import { Unauthenticated } from '../../shared/errors.js';

/** The seconds by which the clocks of the issuer and of the gateway may differ. */
export const CLOCK_TOLERANCE_SECONDS = 60;

/** The header `typ` of a token; null stands for a header without it. */
export type TokenType = 'at+jwt' | 'jwt' | null;

/** The form of an issuer's access tokens. Of several claims for one thing the first that a token has counts. */
export interface TokenProfile {
  readonly types: ReadonlySet<TokenType>;
  /** The claims that stand in for a missing `aud`. Empty: a token without `aud` is refused. */
  readonly audience: readonly ClaimPath[];
  readonly program: readonly ClaimPath[];
  readonly client: readonly ClaimPath[];
  readonly subject: readonly ClaimPath[];
  /** The claim that tells a person, whatever the subject is; null: the subject alone does. */
  readonly person: readonly ClaimPath[] | null;
  readonly customer: readonly ClaimPath[];
  readonly scope: readonly ClaimPath[];
  /** True if scopes may come as a list of texts as well; RFC 9068 has one text. */
  readonly scopeLists: boolean;
  /** Removed from each scope; scopes without it are ignored. Empty: scopes stay as they are. */
  readonly scopePrefix: string;
  /** The programs of clients whose tokens name none. */
  readonly clientPrograms: ReadonlyMap<string, string>;
  /** The clients whose tokens may act for the whole program; null: each one whose token names no customer. */
  readonly programWideClients: ReadonlySet<string> | null;
}

/** Access tokens as RFC 9068 has them, with the claims `program` and `customer_id`. */
export const RFC_9068: TokenProfile = {
  types: new Set(['at+jwt'] as const),
  audience: [],
  program: [claimNamed('program')],
  client: [claimNamed('client_id')],
  subject: [claimNamed('sub')],
  person: null,
  customer: [claimNamed('customer_id')],
  scope: [claimNamed('scope')],
  scopeLists: false,
  scopePrefix: '',
  clientPrograms: new Map(),
  programWideClients: null,
};

/** The place of a claim: names from the top of the token's claims down, mostly one. */
export interface ClaimPath {
  /** As written in the settings, for the log. */
  readonly text: string;
  readonly names: readonly string[];
}

export interface FoundClaim {
  readonly path: ClaimPath;
  readonly value: unknown;
}

const MAX_PATHS = 8;
const MAX_NAMES = 8;
/** Visible ASCII but the comma, which stands between claims. */
const CLAIM = /^[\x21-\x2b\x2d-\x7e]{1,255}$/;
const POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/;

/** The form that `claimPaths` expects, for a person. */
const CLAIM_PATHS_FORM = `1 to ${MAX_PATHS} claims separated by commas, each as the name of a claim (scp, https://bank.example/program) or as a JSON Pointer to a nested claim (/resource_access/tillgate/roles)`;

/** A claim by its name, whatever characters are in it. */
function claimNamed(name: string): ClaimPath {
  return { text: name, names: [name] };
}

/**
 * Reads claims from a setting, the first choice first: `scp,roles`. A text that begins with a slash is a JSON Pointer
 * (RFC 6901), any other is the name of one claim, with its dots and slashes. Null if it is neither.
 */
function claimPaths(text: string): ClaimPath[] | null {
  const paths = text.split(',').map(part => claimPath(part.trim()));
  return paths.length <= MAX_PATHS && paths.every(path => path !== null) ? paths : null;
}

/** The declaration of a setting that names claims. */
export function claimSetting<Default extends readonly ClaimPath[] | null>(fallback: Default, about: string) {
  const names = fallback?.map(({ text }) => text).join(',');
  return {
    parsed: fallback,
    parse: claimPaths,
    problem: `must be a list of claims. Set ${CLAIM_PATHS_FORM}.`,
    about,
    ...(names && { unset: `\`${names}\``, example: names }),
  } as const;
}

function claimPath(text: string): ClaimPath | null {
  if (!CLAIM.test(text)) return null;
  if (!text.startsWith('/')) return claimNamed(text);
  if (!POINTER.test(text)) return null;
  const names = text
    .slice(1)
    .split('/')
    .map(name => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.length <= MAX_NAMES ? { text, names } : null;
}

/**
 * The first of the claims that the token has, or null. Throws `Unauthenticated` where a path leads through a value that
 * is no object: a claim that the issuer meant to set must not count as a missing one.
 */
export function findClaim(claims: JWTPayload, paths: readonly ClaimPath[]): FoundClaim | null {
  for (const path of paths) {
    const value = valueAt(claims, path);
    if (value !== undefined) return { path, value };
  }
  return null;
}

function valueAt(claims: JWTPayload, path: ClaimPath): unknown {
  let value: unknown = claims;
  for (const name of path.names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw invalidToken(
        'The access token has a claim with an unexpected structure.',
        `The path ${path.text} leads through ${kindOf(value)}. Each claim on the path must be an object.`,
      );
    }
    // Inherited properties such as `constructor` are no claims.
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** The kind of a value, for a log that must not repeat it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/**
 * A refusal of a token. The description is for the sender, and has nothing of the gateway's settings; the reason is for
 * the operator's log, and names claims and settings. Neither repeats anything of the token.
 */
export function invalidToken(description: string, reason: string = description): Unauthenticated {
  return new Unauthenticated(description, 'invalid_token', reason);
}
