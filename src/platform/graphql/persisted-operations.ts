import { readFile } from 'node:fs/promises';
import { GraphQLError, Kind, parse, validate, type GraphQLSchema } from 'graphql';
import { selectedFields } from '../../../lib/graphql-compiler/selected-fields.js';
import { Refusal } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { refuseDeepNesting, shapeLimits } from './limits.js';
import type { GraphqlLimits, GraphqlSettings } from './settings.js';

/** The manifest cannot be used. One line for each operation that is wrong. */
class BadManifest extends UsageError {}

const SETTING = 'PERSISTED_OPERATIONS';
const MAX_OPERATIONS = 10_000;
const MAX_PROBLEMS = 20;

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

/** The operation of a request, as the request names it. */
export interface OperationRequest {
  readonly query?: string | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
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
    const { operations, problems } = await readManifest(persistedOperationsFile, schema, limits);
    if (problems.length > 0) throw new BadManifest(problems.slice(0, MAX_PROBLEMS).join('\n'));
    return PersistedOperations.of(operations);
  }

  static of(operations: readonly ManifestOperation[]): PersistedOperations {
    return new PersistedOperations(new Map(operations.map(({ id, body }) => [id, body])));
  }

  /**
   * A request with the text of its operation in place of the hash. Apollo refuses a request that has neither. Throws
   * `PersistedQueryNotFound`, `PersistedOperationRequired`.
   */
  resolve(request: OperationRequest): OperationRequest {
    const text = this.textOf(request);
    return text === null ? request : { ...request, query: text, extensions: {} };
  }

  private textOf({ query, extensions }: OperationRequest): string | null {
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

/** An operation of a manifest. */
export interface ManifestOperation {
  readonly id: string;
  readonly name: string;
  readonly body: string;
}

/**
 * Reads the manifest that Apollo's generate-persisted-query-manifest writes. Gives the operations that fit the schema
 * and the limits, and a line for each that does not: the gateway could never answer it. Throws `BadManifest`.
 */
export async function readManifest(
  file: string,
  schema: GraphQLSchema,
  limits: GraphqlLimits,
): Promise<{ readonly operations: readonly ManifestOperation[]; readonly problems: readonly string[] }> {
  const operations = new Map<string, ManifestOperation>();
  const problems: string[] = [];
  for (const [index, operation] of (await operationsIn(file)).entries()) {
    const { id, body, name, type } = Object(operation) as Record<string, unknown>;
    let problem: string | null;
    if (typeof id !== 'string' || typeof body !== 'string') problem = 'the id and the body must be texts.';
    else if (operations.has(id)) problem = 'an earlier operation has the same id.';
    else {
      problem = problemIn(body, schema, limits, { name, type });
      if (problem === null) operations.set(id, { id, name: String(name), body });
    }
    const of = `operations[${index}]${typeof name === 'string' ? ` (${name})` : ''}`;
    if (problem !== null) problems.push(`${SETTING}: ${of}: ${problem}`);
  }
  return { operations: [...operations.values()], problems };
}

async function operationsIn(file: string): Promise<unknown[]> {
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw new BadManifest(
      `The file in ${SETTING} cannot be read as JSON. Check the path, the permissions and the content.`,
    );
  }
  const { format, version, operations } = Object(manifest) as Record<string, unknown>;
  if (format !== 'apollo-persisted-query-manifest' || version !== 1) {
    throw new BadManifest(
      `The file in ${SETTING} is not a manifest with "format": "apollo-persisted-query-manifest", "version": 1.`,
    );
  }
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > MAX_OPERATIONS) {
    throw new BadManifest(
      `The file in ${SETTING} must have a list of 1 to ${MAX_OPERATIONS} operations in operations.`,
    );
  }
  return operations as unknown[];
}

/**
 * The reason why a document can never be answered; null where it is one operation that fits the schema and the limits,
 * with the name and the type that are given.
 */
export function problemIn(
  body: string,
  schema: GraphQLSchema,
  limits: GraphqlLimits,
  entry: { readonly name: unknown; readonly type: unknown } | null = null,
): string | null {
  try {
    refuseDeepNesting(body, limits.maxTokens);
    const document = parse(body, { maxLexicalTokens: limits.maxTokens });
    const [mistake] = validate(schema, document);
    if (mistake) return located(mistake);
    const operations = document.definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION);
    const [operation, another] = operations;
    if (!operation || another) return 'the body must be exactly one operation.';
    if (entry && (operation.name?.value !== entry.name || operation.operation !== entry.type)) {
      return 'the name and the type must be those of the body.';
    }
    selectedFields(schema, document, operation, shapeLimits(limits));
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return located(error);
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

function located({ message, locations }: GraphQLError): string {
  const [at] = locations ?? [];
  return at ? `line ${at.line}, column ${at.column}: ${message}` : message;
}
