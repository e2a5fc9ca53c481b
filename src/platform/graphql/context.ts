import type { DocumentNode, ExecutionResult, GraphQLSchema } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { Variables } from '../../../lib/graphql-compiler/arguments.js';
import type { Caller } from '../../shared/caller.js';
import { Refusal } from '../../shared/errors.js';
import type { Exchange } from '../http/exchange.js';
import type { AnalyzedOperation } from './analyzed-operation.js';

/** The context that every resolver gets beside its arguments. */
export interface Context {
  caller: Caller;
  readonly exchange: Exchange;
  /** Units that were charged for parsing the document. */
  documentUnits: number;
  /** The positions of the mutation fields, from 1, by response name. */
  writes: ReadonlyMap<string, number>;
  /** Why the request ended before its document was parsed; see `endBeforeParsing`. */
  refusal?: Refusal;
  /** The operation, once it was admitted. */
  analyzed?: AnalyzedOperation;
  /** True if a plugin listens to the execution, so that graphql-js executes; see `watchingExecution`. */
  isWatched?: boolean;
  /** The result of an operation that graphql-js did not execute: a compiled one, or a subscription. */
  result?: ExecutionResult;
  /** True for a document of the gateway itself, which needs no manifest and is parsed for nothing. */
  readonly isOwnDocument?: true;
  /** Opens the operation if it is a subscription; absent where the answer cannot be a stream. */
  readonly opening?: SubscriptionOpener;
}

/** A subscription as a request has it, valid and admitted. */
export interface RequestedSubscription {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly text: string;
  readonly operationName: string | undefined;
  readonly variables: Variables;
}

/** Which operations a request may have: by POST all, by GET none that writes, and on a WebSocket subscriptions. */
export type AllowedOperations = 'all' | 'reads' | 'subscriptions';

/** Opens the subscription of one request. */
export interface SubscriptionOpener {
  readonly allows: AllowedOperations;
  readonly isOpen: boolean;
  /** Gives the result if the subscription is refused, or null. Throws a `Refusal`. */
  open(requested: RequestedSubscription, context: Context): Promise<ExecutionResult | null>;
}

/**
 * The caller of a mutation field. Each of several mutation fields in an operation has its own idempotency key, made of
 * the key of the request and the position of the field, so that a retry of the operation replays each of them. A retry
 * may also exclude fields that were executed by a directive: the others keep their positions. An operation with another
 * number of mutation fields is no retry, and is refused.
 */
export function Writer(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator<Context>(({ context: { caller, writes }, info }) =>
    writes.size > 1
      ? caller.forWrite({ position: writes.get(String(info.path.key)) as number, of: writes.size })
      : caller,
  );
}

/** Moves the pointers of a refusal, which a service gives from its input, to the arguments of a field. */
export function atPointer<Result>(pointer: string, work: Promise<Result>): Promise<Result> {
  return pointing(own => pointer + own, work);
}

/** Gives what `work` refuses other pointers. */
export async function pointing<Result>(change: (pointer: string) => string, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof Refusal ? error.pointing(change) : error;
  }
}
