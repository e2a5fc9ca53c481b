import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../logging/logger.js';
import { PersistedOperations, readManifest, type OperationRequest } from './persisted-operations.js';
import type { GraphqlLimits } from './settings.js';

/** Which operations a page of the gateway's own sends. */
export interface PageManifest {
  readonly file: string;
  /** The operations for which callers have scopes that are reserved for them. */
  readonly reserved: readonly string[];
}

/** The operations of a page of the gateway's own: the page can ask nothing else, whoever writes its requests. */
export class PageOperations {
  private constructor(
    private readonly operations: PersistedOperations,
    private readonly reserved: ReadonlySet<unknown>,
  ) {}

  /**
   * Leaves out, and logs, what does not fit: the schema of this gateway may lack what is off, such as the sandbox.
   * Throws `BadManifest`.
   */
  static async open(
    { file, reserved }: PageManifest,
    schema: GraphQLSchema,
    limits: GraphqlLimits,
    log: Logger,
  ): Promise<PageOperations> {
    const { operations, problems } = await readManifest(file, schema, limits);
    if (problems.length > 0) log.debug({ problems }, 'operations of the console are left out');
    const bodies = operations.filter(({ name }) => reserved.includes(name)).map(({ body }) => body);
    return new PageOperations(PersistedOperations.of(operations), new Set(bodies));
  }

  /** A request with the text. Throws `PersistedQueryNotFound`, `PersistedOperationRequired`. */
  resolve(request: OperationRequest): OperationRequest {
    return this.operations.resolve(request);
  }

  /** True if the operation of a request with its text is one that uses reserved scopes. */
  usesReserved({ query }: OperationRequest): boolean {
    return this.reserved.has(query);
  }
}
