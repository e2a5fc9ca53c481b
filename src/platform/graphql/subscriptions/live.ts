import { Subscription as TypeGraphqlSubscription } from 'type-graphql';
import type { Context } from '../context.js';

/** The context of a field of the type Subscription. */
export interface LiveContext extends Context {
  /** Aborted when the subscription ends. */
  readonly signal: AbortSignal;
}

/** How the schema describes the cursor of an item, and the argument that takes it back. */
export const CURSOR =
  'Where to go on after this, such as `ZmVlZCAxMDQyIGRlbW8`: send it as `after`. Opaque, and good for ever.';
export const AFTER =
  'The cursor of the last item that the client has had, such as `ZmVlZCAxMDQyIGRlbW8`, or of a list of events in the order `OLDEST_FIRST`: what came after it is sent first. From now on when absent.';

type Returns = Parameters<typeof TypeGraphqlSubscription>[0];

/** A field of the type Subscription. Its method gives a `Live`: see `bindResolvers`. */
export function Subscribed(returns: Returns, description: string): MethodDecorator {
  // Type-GraphQL would call a function beside the method, without the instance that the method belongs to.
  const subscribe = (): never => {
    throw new Error('bindResolvers has not bound this subscription');
  };
  return TypeGraphqlSubscription(returns as () => object, { nullable: true, description, subscribe });
}
