import type { ExecutionResult } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { Caller } from '../../shared/caller.js';
import type { Exchange } from '../http/exchange.js';
import type { KnownOperation } from './known-operation.js';
import type { Begun } from './read-ahead.js';

/** What every resolver gets beside its arguments. */
export interface Context {
  readonly caller: Caller;
  /** The request that the operation came with. */
  readonly exchange: Exchange;
  /** Units that were charged for reading the document. */
  documentUnits: number;
  /** How many mutation fields the operation has; set before it runs. */
  writes: number;
  /** The operation, once Apollo found it and it was let in. */
  known?: KnownOperation;
  /** What is being read for fields that have not been resolved yet. */
  begun?: readonly Begun[];
  /** What a compiled query gave that met errors: they are told as those of any other query. */
  ran?: ExecutionResult;
}

/**
 * The caller of a mutation field. Where an operation has several mutation fields, each writes under an idempotency key
 * of its own, `<key>:<response name>`, so that a retry of the operation replays every one of them.
 */
export function Writer(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator<Context>(({ context, info }) =>
    context.writes > 1 ? context.caller.forWrite(String(info.path.key)) : context.caller,
  );
}
