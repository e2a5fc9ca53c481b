import {
  GraphQLSchema,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLError,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Variables } from './arguments.js';
import { normalForm } from './normal-form.js';
import { selectedFields, type Includes, type SelectedField, type ShapeLimits } from './selected-fields.js';

/**
 * Strings, numbers, Booleans and enums are sent as resolvers return them. With serialization graphql-jit would create
 * three lists and an object for each of them, which was a fifth of the allocations for a page of 10 records.
 */
const OPTIONS = { disableLeafSerialization: true };

/** The memory of a compiled operation, as measured. */
const BYTES = 12_000;
const BYTES_PER_FIELD = 3000;

/** An operation as a function. It has no state: the caller is in the context, and the values are in the variables. */
export interface CompiledOperation {
  execute(context: unknown, variables: Variables): Promise<ExecutionResult>;
  readonly bytes: number;
}

export class Compiler {
  private writeSchema?: GraphQLSchema;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: ShapeLimits,
  ) {}

  /** Null if only graphql-js executes the operation correctly. Several writes in one operation are among that. */
  compile(document: DocumentNode, operation: OperationDefinitionNode, includes: Includes): CompiledOperation | null {
    const isWrite = operation.operation === OperationTypeNode.MUTATION;
    const selected = selectedFields(this.schema, document, operation, this.limits, includes);
    if (isWrite && selected.filter(isWriteField).length !== 1) return null;
    const normal = normalForm(this.schema, operation, selected);
    if (!normal) return null;
    const compiled = isWrite
      ? compileQuery(this.writesAsQueries(), normal.document, operation.name?.value, {
          ...OPTIONS,
          // Resolvers and their middlewares are told the schema and the kind of operation that the client has sent.
          resolverInfoEnricher: ({ operation: compiledAs }) => ({
            schema: this.schema,
            operation: { ...compiledAs, operation: OperationTypeNode.MUTATION },
          }),
        })
      : compileQuery(this.schema, normal.document, operation.name?.value, OPTIONS);
    if (!isCompiledQuery(compiled)) return null;
    return {
      async execute(context, variables) {
        const result = (await compiled.query(undefined, context, variables)) as ExecutionResult;
        return result.errors ? { ...result, errors: firstErrors(result.data, result.errors) } : result;
      },
      bytes: BYTES + BYTES_PER_FIELD * normal.size,
    };
  }

  // graphql-jit executes writes one after another by functions that V8 allocates in the old generation, and that keep
  // all that they refer to. A single write waits for no other, so it is compiled as a query of a schema whose queries
  // are the mutations.
  private writesAsQueries(): GraphQLSchema {
    const { schema } = this;
    this.writeSchema ??= new GraphQLSchema({ ...schema.toConfig(), query: schema.getMutationType(), mutation: null });
    return this.writeSchema;
  }
}

function isWriteField({ definition }: SelectedField): boolean {
  return !definition.name.startsWith('__');
}

/**
 * One error for each null of the response, as from graphql-js: the first error that made a list or an object null
 * (GraphQL, section 6.4.4). graphql-jit returns all errors inside of it.
 */
function firstErrors(data: ExecutionResult['data'], errors: readonly GraphQLError[]): readonly GraphQLError[] {
  if (errors.length < 2) return errors;
  const nulls = new Set<string>();
  return errors.filter(({ path = [] }) => {
    const key = JSON.stringify(path.slice(0, depthOfNull(data, path)));
    return !nulls.has(key) && nulls.add(key);
  });
}

function depthOfNull(data: unknown, path: NonNullable<GraphQLError['path']>): number {
  let value = data;
  for (const [depth, step] of path.entries()) {
    if (value === null || value === undefined) return depth;
    value = (value as Record<string | number, unknown>)[step];
  }
  return path.length;
}
