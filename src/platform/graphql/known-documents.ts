import { hash } from 'node:crypto';
import { Refusal } from '../../shared/errors.js';
import { PersistedQueryNotFound, type OperationRequest } from './persisted-operations.js';

/** The hash that comes with a text is not the text's, or the protocol is another. The messages are those of Apollo. */
class BadPersistedQuery extends Refusal {
  readonly code = 'BAD_REQUEST';
}

/** Keeps documents. */
export interface Texts {
  /** The text that the sender has sent before. */
  textOf(sha256: string, sender: string): string | undefined;
}

/** The version of Apollo's protocol of automatic persisted queries. */
const VERSION = 1;

/**
 * Automatic persisted queries: a request with the text of its operation in place of the SHA-256 of the
 * text. The gateway knows the texts of the valid documents that it keeps, and needs no second cache. A hash stands for
 * what the same program has sent, so that nobody learns which operations others send.
 * Another process, or one that has forgotten the text, answers `PersistedQueryNotFound`, and the client sends the text.
 * Throws `PersistedQueryNotFound`, `BadPersistedQuery`.
 */
export function withKnownText(request: OperationRequest, documents: Texts, program: string): OperationRequest {
  const { query, extensions } = request;
  const { persistedQuery, ...further } = Object(extensions) as Record<string, unknown>;
  if (persistedQuery === undefined || persistedQuery === null) return request;
  const { version, sha256Hash } = Object(persistedQuery) as Record<string, unknown>;
  if (version !== VERSION) throw new BadPersistedQuery('Unsupported persisted query version');
  const text = query ?? (typeof sha256Hash === 'string' ? documents.textOf(sha256Hash, program) : undefined);
  if (text === undefined) throw new PersistedQueryNotFound();
  if (typeof query === 'string' && hash('sha256', query) !== sha256Hash) {
    throw new BadPersistedQuery('provided sha does not match query');
  }
  return { ...request, query: text, extensions: further };
}
