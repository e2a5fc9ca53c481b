import type { ApolloServerPlugin } from '@apollo/server';
import { Kind, type ExecutionResult, type GraphQLResolveInfo, type SelectionSetNode } from 'graphql';
import { createParameterDecorator } from 'type-graphql';
import type { Caller } from '../../shared/caller.js';
import type { Exchange } from '../http/exchange.js';
import type { KnownOperation } from './known-operation.js';
import type { Begun } from './read-ahead.js';

/** What every resolver gets beside its arguments. */
export interface Context {
  caller: Caller;
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

/** A plugin that takes part in admission. Apollo is not asked about a compiled operation, so `admit` runs for it instead. */
export interface OperationPlugin extends ApolloServerPlugin<Context> {
  /** Throws a `Refusal`. */
  admit(context: Context): void;
}

/**
 * The caller of a mutation field. Where an operation has several mutation fields, each writes under an idempotency key
 * of its own, made of the request's key and the field's place, so that a retry of the operation replays every one of them.
 */
export function Writer(): ReturnType<typeof createParameterDecorator> {
  return createParameterDecorator<Context>(({ context, info }) =>
    context.writes > 1 ? context.caller.forWrite(placeOf(info)) : context.caller,
  );
}

type Places = ReadonlyMap<string, number>;

// A document that comes again has the same nodes.
const placesByOperation = new WeakMap<GraphQLResolveInfo['operation'], Places>();

function placeOf({ operation, fragments, path }: GraphQLResolveInfo): number {
  let places = placesByOperation.get(operation);
  if (!places) {
    places = writePlaces(operation.selectionSet, fragments);
    placesByOperation.set(operation, places);
  }
  return places.get(String(path.key)) as number;
}

/**
 * The places of mutation fields, from 1, by their response names, in the order in which they run. Neither aliases nor directives move a place: a
 * field that @skip or @include leaves out keeps its own, so a retry may also leave out what is done, and the others have the keys that they had.
 */
function writePlaces(operation: SelectionSetNode, fragments: GraphQLResolveInfo['fragments']): Places {
  const places = new Map<string, number>();
  const spread = new Set<string>();
  const walk = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        if (!selection.name.value.startsWith('__') && !places.has(responseName)) {
          places.set(responseName, places.size + 1);
        }
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet);
      else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) walk(fragment.selectionSet);
      }
    }
  };
  walk(operation);
  return places;
}
