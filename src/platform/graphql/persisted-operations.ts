import type { GraphQLSchema } from 'graphql';
import { Refusal } from '../../shared/errors.js';
import { readManifest } from './persisted-manifest.js';
import type { GraphqlSettings } from './settings.js';

/** The manifest has no operation with the hash. The message is the one that Apollo's clients expect. */
export class PersistedQueryNotFound extends Refusal {
  readonly code = 'PERSISTED_QUERY_NOT_FOUND';
  constructor() {
    super('PersistedQueryNotFound');
  }
}

export class PersistedOperationRequired extends Refusal {
  readonly code = 'persisted_operation_required';
  constructor() {
    super(
      'Only persisted operations are accepted. Send the sha256Hash of one in extensions.persistedQuery, or its text exactly as the manifest has it.',
    );
  }
}

/** A request of GraphQL over HTTP: a POST has a body, and a GET has parameters in its address. */
export interface GraphqlRequest {
  readonly body: unknown;
  readonly search: string;
}

/** The operations of a manifest, where only those are answered. */
export class PersistedOperations {
  private readonly texts: ReadonlySet<string>;

  private constructor(private readonly byId: ReadonlyMap<string, string>) {
    this.texts = new Set(byId.values());
  }

  /** Null if any operation is answered. Throws `BadManifest`. */
  static async open(
    { persistedOperationsFile, limits }: GraphqlSettings,
    schema: GraphQLSchema,
  ): Promise<PersistedOperations | null> {
    if (persistedOperationsFile === null) return null;
    return new PersistedOperations(await readManifest(persistedOperationsFile, schema, limits));
  }

  /**
   * The same request with the text of its operation in place of the hash. Apollo refuses a request that has neither.
   * Throws `PersistedQueryNotFound`, `PersistedOperationRequired`.
   */
  resolve({ body, search }: GraphqlRequest): GraphqlRequest {
    if (body !== undefined) {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body, search };
      const { query, extensions } = body as Record<string, unknown>;
      const text = this.textOf(query, extensions);
      return text === null ? { body, search } : { body: { ...body, query: text, extensions: null }, search };
    }
    const parameters = new URLSearchParams(search);
    const text = this.textOf(parameters.get('query') ?? undefined, parsed(parameters.get('extensions')));
    if (text === null) return { body, search };
    parameters.set('query', text);
    parameters.delete('extensions');
    return { body, search: `?${parameters.toString()}` };
  }

  private textOf(query: unknown, extensions: unknown): string | null {
    const { persistedQuery } = Object(extensions) as { persistedQuery?: unknown };
    const { version, sha256Hash } = Object(persistedQuery) as { version?: unknown; sha256Hash?: unknown };
    if (typeof sha256Hash !== 'string') {
      if (typeof query !== 'string') return null;
      if (!this.texts.has(query)) throw new PersistedOperationRequired();
      return query;
    }
    const text = this.byId.get(sha256Hash);
    if (text === undefined && query === undefined) throw new PersistedQueryNotFound();
    if (version !== 1 || text === undefined || (query !== undefined && query !== text)) {
      throw new PersistedOperationRequired();
    }
    return text;
  }
}

function parsed(json: string | null): unknown {
  try {
    return json === null ? undefined : JSON.parse(json);
  } catch {
    return undefined;
  }
}
