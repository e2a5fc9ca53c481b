import type { JWTPayload } from 'jose';
import { invalidToken } from './invalid-token.js';

/** Where a claim is: names from the top of the token's claims down. Most have one. */
export interface ClaimPath {
  /** As the settings write it; operators find it in the log. */
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

/** What `claimPaths` asks for, to a person. */
export const CLAIM_PATHS_FORM = `1 to ${MAX_PATHS} claims separated by commas, each as the name of a claim (scp, https://bank.example/program) or as a JSON Pointer to a nested claim (/resource_access/tillgate/roles)`;

/** A claim by its name, whatever characters are in it. */
export function claimNamed(name: string): ClaimPath {
  return { text: name, names: [name] };
}

/**
 * Reads claims as settings write them, the first choice first: `scp,roles`. A text that begins with a slash is a JSON Pointer
 * (RFC 6901), any other the name of one claim as it stands, with the dots and slashes of a namespaced name. Null: it is neither.
 */
export function claimPaths(text: string): ClaimPath[] | null {
  const paths = text.split(',').map(part => claimPath(part.trim()));
  return paths.length <= MAX_PATHS && paths.every(path => path !== null) ? paths : null;
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
 * The first of the claims that the token has, or null. Throws `Unauthenticated` where a path leads through something that is no
 * object: a claim that the issuer meant to set must not count as one that is not there.
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
    // Its own alone: `constructor` and the like are names as any other.
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** What a claim is, for a log that must not repeat it. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'a text';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
