import { hash } from 'node:crypto';
import type { ApolloServerPlugin } from '@apollo/server';
import { Refusal } from '../../shared/errors.js';
import type { Context } from './context.js';
import { endBeforeParsing } from './early-refusal.js';
import type { PageOperations } from './page-operations.js';
import { PersistedQueryNotFound, type OperationRequest, type PersistedOperations } from './persisted-operations.js';

/** Keeps documents. */
export interface Texts {
  /** The text that the sender has sent before. */
  textOf(sha256: string, sender: string): string | undefined;
}

/** Where the texts of operations come from that are sent as a hash. */
export interface PersistedSources {
  /** The operations of the manifest, where only those are answered. */
  readonly manifest: PersistedOperations | null;
  /** The operations of the gateway's own page. */
  readonly page: PageOperations | null;
  /** The documents that are kept. */
  readonly documents: Texts;
}

/** Gives a request the text of its operation before Apollo Server looks for it, where the client sent the hash. */
export function persistedPlugin(sources: PersistedSources): ApolloServerPlugin<Context> {
  return {
    async requestDidStart(requestContext) {
      const { request, contextValue } = requestContext;
      try {
        Object.assign(request, resolved(sources, request, contextValue));
      } catch (error) {
        endBeforeParsing(requestContext, error);
      }
    },
  };
}

function resolved(
  { manifest, page, documents }: PersistedSources,
  request: OperationRequest,
  context: Context,
): OperationRequest {
  const { exchange } = context;
  if (context.isOwnDocument) {
    exchange.isOfManifest = true;
    return request;
  }
  if (!exchange.page) {
    exchange.isOfManifest = manifest !== null;
    return manifest ? manifest.resolve(request) : withKnownText(request, documents, context.caller.program);
  }
  if (!page) throw new Error('a page of ours sends an operation, and has no manifest');
  exchange.isOfManifest = true;
  const operation = page.resolve(request);
  if (page.usesReserved(operation)) exchange.caller = context.caller = context.caller.withReserved();
  return operation;
}

/** The hash that comes with a text is not the text's, or the protocol is another. The messages are those of Apollo. */
class BadPersistedQuery extends Refusal {
  readonly code = 'BAD_REQUEST';
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
function withKnownText(request: OperationRequest, documents: Texts, program: string): OperationRequest {
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
