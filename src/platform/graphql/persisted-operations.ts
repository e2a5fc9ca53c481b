import type { GraphQLSchema } from 'graphql';
import { Refusal } from '../../shared/errors.js';
import { readManifest } from './persisted-manifest.js';
import type { GraphqlSettings } from './settings.js';

/** What asks for an operation by an id that the manifest does not have, in the words that Apollo's clients know. */
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

/** Where a request says what it asks for: in its body, or by GET in its address. */
export interface Came {
  readonly body: unknown;
  readonly search: string;
}

interface Asked {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

/** The only operations that are answered, where there is a manifest of them. */
export class PersistedOperations {
  private readonly texts: ReadonlySet<string>;

  private constructor(private readonly byId: ReadonlyMap<string, string>) {
    this.texts = new Set(byId.values());
  }

  /** Null where any operation is answered. Throws `BadManifest`. */
  static async open(
    { persistedOperationsFile, limits }: GraphqlSettings,
    schema: GraphQLSchema,
  ): Promise<PersistedOperations | null> {
    if (persistedOperationsFile === null) return null;
    return new PersistedOperations(await readManifest(persistedOperationsFile, schema, limits));
  }

  /**
   * The same request with the text of its operation, so that what comes by its id is compiled and answered as what comes by its text. A
   * request that names no operation at all is left as it is, for Apollo to refuse. Throws `PersistedQueryNotFound`, `PersistedOperationRequired`.
   */
  resolve({ body, search }: Came): Came {
    if (body !== undefined) {
      if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body, search };
      const query = this.textFor(body);
      return query === null ? { body, search } : { body: { ...body, query, extensions: null }, search };
    }
    const parameters = new URLSearchParams(search);
    const query = this.textFor({
      query: parameters.get('query') ?? undefined,
      extensions: parsed(parameters.get('extensions')),
    });
    if (query === null) return { body, search };
    parameters.set('query', query);
    parameters.delete('extensions');
    return { body, search: `?${parameters.toString()}` };
  }

  private textFor({ query, extensions }: Asked): string | null {
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
  if (json === null) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
