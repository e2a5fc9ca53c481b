import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { Exchange } from '../http/exchange.js';
import { ArgumentValues, type Variables } from './argument-values.js';
import { variableCheck, type CheckVariables } from './check-variables.js';
import { costOf, type CostOf } from './cost.js';
import { TooCostly } from './limits.errors.js';
import { aheadOf, type BeginAhead, type ReadAhead } from './read-ahead.js';
import { selectedFields } from './selected-fields.js';
import type { GraphqlLimits } from './settings.js';

/** So many characters of documents that came last are known, and none that is longer than any honest one. */
const MAX_KNOWN_CHARACTERS = 8 * 1024 * 1024;
const MAX_CHARACTERS = 64 * 1024;
/** The longest name that is taken over into the log and the metrics. */
const MAX_NAME_CHARACTERS = 64;

/** An operation of a valid document within the limits, with all that is known of it before its variables are. */
export interface KnownOperation {
  readonly operation: OperationDefinitionNode;
  /** See `shownName`. */
  readonly name: string | null;
  readonly costOf: CostOf;
  readonly check: CheckVariables;
  /** Its fields at the root, `__typename` and questions about the schema apart. */
  readonly rootFields: number;
  readonly begin: BeginAhead | null;
  uses: number;
  /** undefined until it is compiled; null where it cannot be. */
  run?: CompiledQuery['query'] | null;
}

/** The operations that came last. What depends on the document alone is found out once: the limits on its shape, and how to tell its cost. */
export class KnownOperations {
  private readonly known = new LRUCache<string, KnownOperation>({
    maxSize: MAX_KNOWN_CHARACTERS,
    maxEntrySize: MAX_CHARACTERS,
    sizeCalculation: (_known, key) => key.length,
  });

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly limits: GraphqlLimits,
    private readonly readAhead: ReadAhead,
  ) {}

  find(source: string, operationName: unknown): KnownOperation | undefined {
    return this.known.get(keyOf(source, operationName));
  }

  /** Takes in an operation of a valid document. Throws `BeyondLimit`. */
  learn(
    source: string,
    operationName: unknown,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): KnownOperation {
    const found = this.find(source, operationName);
    if (found) return found;
    const fields = selectedFields(this.schema, document, operation, this.limits);
    const values = new ArgumentValues(operation);
    const known: KnownOperation = {
      operation,
      name: shownName(operation),
      costOf: costOf(operation, fields, values),
      check: variableCheck(this.schema, operation),
      rootFields: fields.filter(({ definition }) => !definition.name.startsWith('__')).length,
      begin: aheadOf(document, fields, values, this.readAhead),
      uses: 0,
    };
    this.known.set(keyOf(source, operationName), known);
    return known;
  }

  /** Notes on the exchange what is asked for, and what it may cost. Throws `TooCostly`. */
  weigh({ name, costOf: cost }: KnownOperation, variables: Variables, exchange: Exchange): void {
    exchange.operation = name;
    exchange.cost = cost(variables);
    if (exchange.cost > this.limits.maxCost) throw new TooCostly(exchange.cost, this.limits.maxCost);
  }
}

/** The name of an operation, for the log and the metrics; null where it has none, or one that is too long. */
export function shownName({ name }: OperationDefinitionNode): string | null {
  return name && name.value.length <= MAX_NAME_CHARACTERS ? name.value : null;
}

function keyOf(source: string, operationName: unknown): string {
  // No document has this character, so no name and document can be taken for another document.
  return typeof operationName === 'string' ? `${operationName}\u0000${source}` : source;
}
