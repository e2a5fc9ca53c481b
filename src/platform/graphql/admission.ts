import type { GraphQLRequestContextDidResolveOperation } from '@apollo/server';
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { Variables } from '../../../lib/graphql-compiler/arguments.js';
import { Documents } from '../../../lib/graphql-compiler/documents.js';
import { Refusal, TooLarge } from '../../shared/errors.js';
import { operationUnits } from '../http/gate.js';
import { turnToRead } from '../rate/reading-queue.js';
import type { Context } from './context.js';
import { AnalyzedOperation, loggedName } from './analyzed-operation.js';
import { BeyondLimit, MAX_DOCUMENT_CHARACTERS, refuseDeepNesting, shapeLimits, tooCostly } from './limits.js';
import type { GraphqlLimits } from './settings.js';
import { refuseConditionsAtRoot } from './subscriptions/root-conditions.js';

/**
 * Parsing, validating and analyzing a new document takes some milliseconds, however short it is, and about 0.5 ms more
 * for so many characters. The smallest query takes 0.5 ms, which is one unit.
 */
const UNITS_OF_DOCUMENT = 4;
const CHARACTERS_OF_UNIT = 512;

/** Admits an operation once before it runs, whether graphql-js or a compiled function executes it. */
export class Admission {
  /** The documents that were used last, with their operations or why those are refused. */
  readonly documents: Documents<AnalyzedOperation | BeyondLimit>;

  constructor(
    schema: GraphQLSchema,
    private readonly limits: GraphqlLimits,
  ) {
    const shape = shapeLimits(limits);
    const analyze = (document: DocumentNode, operation: OperationDefinitionNode): AnalyzedOperation | BeyondLimit => {
      try {
        return new AnalyzedOperation(schema, shape, document, operation);
      } catch (error) {
        if (error instanceof BeyondLimit) return error;
        throw error;
      }
    };
    this.documents = new Documents(analyze, analyzed => (analyzed instanceof BeyondLimit ? 0 : analyzed.bytes));
  }

  /** True if a document needs no admission because it is kept. */
  isKnown(text: string): boolean {
    return this.documents.has(text);
  }

  /**
   * Charges for a new document before it is parsed. The documents of a manifest are free: they were parsed at the
   * start. Throws `TooLarge`, `RateLimited`, `MalformedRequest`.
   */
  async admitDocument(text: string, context: Context): Promise<void> {
    if (text.length > MAX_DOCUMENT_CHARACTERS) {
      throw new TooLarge(
        `The document has more than ${MAX_DOCUMENT_CHARACTERS} characters. Send values as variables, and several shorter documents.`,
      );
    }
    const { caller, exchange } = context;
    if (!exchange.isOfManifest) {
      context.documentUnits = UNITS_OF_DOCUMENT + Math.floor(text.length / CHARACTERS_OF_UNIT);
      await exchange.charge(context.documentUnits);
      // New documents wait for each other, so that a client with many of them does not delay others.
      await turnToRead(caller);
    }
    refuseDeepNesting(text, this.limits.maxTokens);
    refuseConditionsAtRoot(text, this.limits.maxTokens);
  }

  /** Checks the variables and the cost. Throws `InvalidInput`, `BeyondLimit`. */
  private check(analyzed: AnalyzedOperation, variables: Variables, context: Context): void {
    const { exchange } = context;
    exchange.isMutation = analyzed.isWrite;
    exchange.rootFields = analyzed.rootFields;
    context.writes = analyzed.writes;
    analyzed.checkVariables(variables);
    exchange.cost = analyzed.cost(variables);
    if (exchange.cost > this.limits.maxCost) throw tooCostly(exchange.cost, this.limits.maxCost);
  }

  /** Charges the cost that `check` found. Throws `RateLimited`. */
  private async charge({ exchange, documentUnits, writes }: Context): Promise<void> {
    await exchange.charge(documentUnits + operationUnits(exchange.cost, writes.size));
  }

  /** Lets replicas answer a query. What writes or follows is answered by the primary. */
  private open({ operation }: AnalyzedOperation, { exchange }: Context): Promise<void> | undefined {
    return operation.operation === OperationTypeNode.QUERY ? exchange.reading?.open() : undefined;
  }

  /**
   * Admits an operation of a valid document. Throws a `GraphQLError` with the refusal and the place in the document.
   */
  async admitOperation({
    operation,
    document,
    source,
    request,
    contextValue: context,
  }: GraphQLRequestContextDidResolveOperation<Context>): Promise<void> {
    if (!operation) return;
    context.exchange.operation = loggedName(operation);
    try {
      const analyzed = this.documents.learn(source, request.operationName, document, operation);
      this.documents.sentBy(source, context.caller.program);
      if (analyzed instanceof BeyondLimit) throw analyzed;
      this.check(analyzed, request.variables ?? {}, context);
      await this.charge(context);
      await this.open(analyzed, context);
      context.analyzed = analyzed;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const nodes = error instanceof BeyondLimit ? [operation] : operation.variableDefinitions;
      throw new GraphQLError(error.message, { nodes, originalError: error });
    }
  }
}
