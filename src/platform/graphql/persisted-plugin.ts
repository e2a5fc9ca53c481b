import type { ApolloServerPlugin } from '@apollo/server';
import type { Context } from './context.js';
import { endBeforeParsing } from './early-refusal.js';
import { withKnownText, type Texts } from './known-documents.js';
import type { PageOperations } from './page-operations.js';
import type { OperationRequest, PersistedOperations } from './persisted-operations.js';

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
