import { hash } from 'node:crypto';
import { Refusal } from '../../shared/errors.js';
import { PersistedQueryNotFound, type OperationRequest } from './persisted-operations.js';

/** The hash that comes with a text is not the text's, or the protocol is another. The messages are those of Apollo. */
export class BadPersistedQuery extends Refusal {
  readonly code = 'BAD_REQUEST';
}

/** What keeps documents. */
export interface Texts {
  textOf(sha256: string): string | undefined;
}

/** The version of Apollo's protocol of automatic persisted queries. */
const VERSION = 1;

/**
 * Automatic persisted queries: a request with the text of its operation in place of the SHA-256 of the
 * text. The gateway knows the texts of all valid documents that it keeps, whoever sent them, and needs no second cache.
 * Another process, or one that has forgotten the text, answers `PersistedQueryNotFound`, and the client sends the text.
 * Throws `PersistedQueryNotFound`, `BadPersistedQuery`.
 */
export function withKnownText(request: OperationRequest, documents: Texts): OperationRequest {
  const { query, extensions } = request;
  const { persistedQuery, ...further } = Object(extensions) as Record<string, unknown>;
  if (persistedQuery === undefined || persistedQuery === null) return request;
  const { version, sha256Hash } = Object(persistedQuery) as Record<string, unknown>;
  if (version !== VERSION) throw new BadPersistedQuery('Unsupported persisted query version');
  const text = query ?? (typeof sha256Hash === 'string' ? documents.textOf(sha256Hash) : undefined);
  if (text === undefined) throw new PersistedQueryNotFound();
  if (typeof query === 'string' && hash('sha256', query) !== sha256Hash) {
    throw new BadPersistedQuery('provided sha does not match query');
  }
  return { ...request, query: text, extensions: further };
}
