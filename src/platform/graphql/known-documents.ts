import type { ApolloServerOptions } from '@apollo/server';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Context } from './context.js';
import { KnownOperation } from './known-operation.js';
import { BeyondLimit } from './limits.errors.js';
import type { GraphqlLimits } from './settings.js';

/** What all documents may hold together, with what was found out about them and compiled of them. */
const MAX_BYTES = 32 * 1024 * 1024;
/** And one of them: some 3000 tokens. Longer ones are read anew each time. */
const MAX_DOCUMENT_BYTES = 1024 * 1024;
/** What they hold, measured: a document and its places in the cache, a token with its part of the tree, a field with what is known of it. */
const BYTES = 2000;
const BYTES_A_TOKEN = 300;
const BYTES_A_FIELD = 600;

interface KnownDocument {
  readonly document: DocumentNode;
  /** Apollo's name for the document. */
  readonly hash: string;
  /** By the name that a request asks for; '' where it names none. A refusal where the operation is more than one may be. */
  readonly operations: Map<string, KnownOperation | BeyondLimit>;
}

type DocumentStore = NonNullable<ApolloServerOptions<Context>['documentStore']>;

/**
 * The valid documents that came last. Each is parsed, validated and held to the limits on its shape once, whoever sends it: none of that
 * depends on the caller. Apollo keeps its documents here too.
 */
export class KnownDocuments implements DocumentStore {
  private readonly byText = new LRUCache<string, KnownDocument>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_DOCUMENT_BYTES,
    sizeCalculation: bytesOf,
    dispose: ({ hash }) => this.byHash.delete(hash),
  });
  private readonly byHash = new Map<string, KnownDocument>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: GraphqlLimits,
  ) {}

  /** What is held now, in bytes, by the estimates that bound it. */
  get bytes(): number {
    return this.byText.calculatedSize;
  }

  has(text: string): boolean {
    return this.byText.has(text);
  }

  /** An operation that came before, and was within the limits. */
  find(text: string, operationName: string | null | undefined): KnownOperation | undefined {
    const found = this.byText.get(text)?.operations.get(operationName ?? '');
    return found instanceof BeyondLimit ? undefined : found;
  }

  /** Takes in an operation of a valid document. Throws `BeyondLimit`. */
  learn(
    text: string,
    operationName: string | null | undefined,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): KnownOperation {
    const known = this.byText.get(text);
    const found = known?.operations.get(operationName ?? '') ?? this.look(document, operation);
    if (known && !known.operations.has(operationName ?? '')) {
      known.operations.set(operationName ?? '', found);
      this.weighAnew(text);
    }
    if (found instanceof BeyondLimit) throw found;
    return found;
  }

  /** To be told when something was compiled of a document. */
  weighAnew(text: string): void {
    const known = this.byText.peek(text);
    if (known) this.keep(text, known);
  }

  async get(hash: string): Promise<DocumentNode | undefined> {
    return this.byHash.get(hash)?.document;
  }

  async set(hash: string, document: DocumentNode): Promise<void> {
    const text = document.loc?.source.body;
    if (text !== undefined) this.keep(text, { document, hash, operations: new Map() });
  }

  async delete(hash: string): Promise<void> {
    const text = this.byHash.get(hash)?.document.loc?.source.body;
    if (text !== undefined) this.byText.delete(text);
  }

  private look(document: DocumentNode, operation: OperationDefinitionNode): KnownOperation | BeyondLimit {
    try {
      return KnownOperation.of(this.schema, this.limits, document, operation);
    } catch (error) {
      if (error instanceof BeyondLimit) return error;
      throw error;
    }
  }

  private keep(text: string, known: KnownDocument): void {
    this.byText.delete(text);
    this.byText.set(text, known);
    if (this.byText.has(text)) this.byHash.set(known.hash, known);
  }
}

function bytesOf({ document, operations }: KnownDocument): number {
  let bytes = BYTES;
  for (let token = document.loc?.startToken ?? null; token; token = token.next) bytes += BYTES_A_TOKEN;
  for (const operation of operations.values()) {
    if (!(operation instanceof BeyondLimit)) bytes += BYTES_A_FIELD * operation.size + operation.variants.bytes;
  }
  return bytes;
}
