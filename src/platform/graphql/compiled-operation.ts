import { GraphQLSchema, OperationTypeNode, type DocumentNode, type OperationDefinitionNode } from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { ArgumentValues } from './argument-values.js';
import { normalForm } from './normal-form.js';
import { aheadOf, type BeginAhead, type ReadAhead } from './read-ahead.js';
import { selectedFields, type Includes } from './selected-fields.js';
import type { GraphqlLimits } from './settings.js';

/**
 * Texts, numbers and names of enums are sent as resolvers give them, and columns and types see to it that they fit. graphql-jit would make
 * three lists and an object for each of them, before it knows whether there is an error to tell, which was a fifth of all that a page of a
 * history allocated.
 */
const AS_THEY_ARE = { disableLeafSerialization: true };

/** What a compiled operation holds, measured: its functions and what they lead to, and as much again for each field. */
const BYTES = 12_000;
const BYTES_A_FIELD = 3000;

/** An operation as functions, for requests whose variables decide its directives alike. */
export interface CompiledOperation {
  readonly run: CompiledQuery['query'];
  /** Begins to read what the operation will need; null where nothing can be begun. */
  readonly begin: BeginAhead | null;
  readonly bytes: number;
}

/** Makes functions of operations. Who asks is in the context of the request and the variables come with it, so a function knows the document alone. */
export class Compiler {
  private asQueries?: GraphQLSchema;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: GraphqlLimits,
    private readonly readAhead: ReadAhead,
  ) {}

  /** Null where graphql-js alone may run the operation. */
  compile(document: DocumentNode, operation: OperationDefinitionNode, includes: Includes): CompiledOperation | null {
    const selected = selectedFields(this.schema, document, operation, this.limits, includes);
    const normal = normalForm(this.schema, operation, selected);
    if (!normal) return null;
    const schema = operation.operation === OperationTypeNode.MUTATION ? this.writesAsQueries() : this.schema;
    const result = compileQuery(schema, normal.document, operation.name?.value, AS_THEY_ARE);
    if (!isCompiledQuery(result)) return null;
    const begin = aheadOf(normal.fields, new ArgumentValues(operation), this.readAhead);
    return { run: result.query, begin, bytes: BYTES + BYTES_A_FIELD * normal.size };
  }

  // graphql-jit lets the writes of an operation wait for each other by functions that the collector takes for old from the start, and keeps
  // with all that they lead to (docs/adr/0016). One write has none to wait for, so it is compiled as a query of a schema whose queries are writes.
  private writesAsQueries(): GraphQLSchema {
    const { schema } = this;
    this.asQueries ??= new GraphQLSchema({ ...schema.toConfig(), query: schema.getMutationType(), mutation: null });
    return this.asQueries;
  }
}
