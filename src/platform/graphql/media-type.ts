import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

/** What an answer can be (GraphQL over HTTP): what every client takes, and what tells an answer of ours from one of something in between. */
const TYPES = ['application/json', 'application/graphql-response+json'];

// Clients send one of a few texts, and reading one takes as long as much else of a request.
const chosen = new LRUCache<string, { readonly type: string | null }>({ max: 100 });
const MAX_REMEMBERED_CHARACTERS = 200;

/** The type of answer that the client likes best; null where it takes none of them. */
export function mediaTypeOf({ headers: { accept } }: IncomingMessage): string | null {
  if (accept === undefined || accept === '*/*') return 'application/json';
  const known = chosen.get(accept);
  if (known) return known.type;
  const type = new Negotiator({ headers: { accept } }).mediaType(TYPES) ?? null;
  if (accept.length <= MAX_REMEMBERED_CHARACTERS) chosen.set(accept, { type });
  return type;
}

export function contentType(type: string): { readonly 'Content-Type': string } {
  return { 'Content-Type': `${type}; charset=utf-8` };
}
