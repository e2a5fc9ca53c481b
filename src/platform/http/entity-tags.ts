import { hash } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** The headers of an answer that its client may keep, if it asks each time whether it is still current. */
export function revalidated(text: string | Buffer): { readonly ETag: string; readonly 'Cache-Control': string } {
  return { ETag: weakTagOf(text), 'Cache-Control': 'private, no-cache' };
}

/** The tag of a text in any of its codings, which makes it a weak one (RFC 9110, 8.8.1). */
export function weakTagOf(text: string | Buffer): string {
  return `W/"${hash('sha256', text)}"`;
}

/** True if the client has what it asks for: `If-None-Match` names the tag (RFC 9110, 13.1.2). */
export function isCurrent({ headers }: IncomingMessage, { ETag: tag }: OutgoingHttpHeaders): boolean {
  return typeof tag === 'string' && namesWeakly(headers['if-none-match'] ?? '', tag);
}

/** The tags in a header that has a list of them. */
const ENTITY_TAGS = /(W\/)?"[^"]*"/g;

export function tagsIn(list: string): string[] {
  return list.match(ENTITY_TAGS) ?? [];
}

export function isAny(list: string): boolean {
  return list.trim() === '*';
}

/** True if a list of entity tags has this very one (RFC 9110, 8.8.3.2: the strong comparison). */
export function namesStrongly(list: string, tag: string): boolean {
  return isAny(list) || tagsIn(list).includes(tag);
}

/** True if a list of entity tags has this one by its opaque part (RFC 9110, 8.8.3.2: the weak comparison). */
export function namesWeakly(list: string, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '');
  return namesStrongly(list, opaque) || namesStrongly(list, `W/${opaque}`);
}
