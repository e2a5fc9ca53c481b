import { getNamedType, isInputObjectType, type GraphQLResolveInfo } from 'graphql';
import { Subscription, type ClassType, type PubSub } from 'type-graphql';
import type { LiveStream } from '../../../shared/live.js';
import { readCoerced } from '../../input/read-input.js';
import type { Context } from '../context.js';

/** The context of a field of the type Subscription. */
export interface LiveContext extends Context {
  /** Aborted when the subscription ends. */
  readonly signal: AbortSignal;
}

/** The description of the cursor of an item, and of the argument that takes it back. */
export const CURSOR = 'The cursor for `after`, such as `ZmVlZCBYazN2OVEwbVl0MkpjUjdiTHcxbjVB`.';
export const AFTER = 'The last cursor, such as `ZmVlZCBYazN2OVEwbVl0MkpjUjdiTHcxbjVB`; also of `events`.';

/** A subscription that begins. */
export interface SubscriptionRequest<Args = Readonly<Record<string, unknown>>> {
  readonly args: Args;
  readonly context: LiveContext;
  readonly info: GraphQLResolveInfo;
}

/** A resolver of a subscription: `follow` gives the items, and the field's method shows each of them. */
export interface Follower {
  follow(request: SubscriptionRequest<never>): Promise<LiveStream>;
}

interface Topic extends SubscriptionRequest {
  readonly follower: ClassType<Follower>;
}

type Returns = Parameters<typeof Subscription>[0];

/** A field of the type Subscription, whose items `follower` reads from the feed. */
export function Subscribed(
  returns: Returns,
  follower: () => ClassType<Follower>,
  description: string,
): MethodDecorator {
  return Subscription(returns as () => object, {
    nullable: true,
    description,
    topics: 'feed',
    topicId: data => ({ follower: follower(), ...(data as unknown as SubscriptionRequest) }),
  });
}

/**
 * The feed of committed events as the PubSub of Type-GraphQL. Commands write what is in it, so nothing is published.
 */
export function feedPubSub(instanceOf: (resolver: unknown) => object): PubSub {
  return {
    publish: () => {
      throw new Error('Commands write events, and the feed has them once they are committed.');
    },
    subscribe: (_topic, id) => {
      const { follower, args, context, info } = id as Topic;
      const request = { args: readArguments(info, args), context, info } as SubscriptionRequest<never>;
      // graphql-js waits for what opens a subscription, and tells the client if it is refused.
      return (instanceOf(follower) as Follower).follow(request) as unknown as AsyncIterable<unknown>;
    },
  };
}

/** Arguments in their input classes: Type-GraphQL reads those of a subscription only for its items. */
function readArguments(info: GraphQLResolveInfo, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = info.parentType.getFields()[info.fieldName]?.args ?? [];
  const inputs = fields.filter(({ type }) => isInputObjectType(getNamedType(type)));
  return {
    ...args,
    ...Object.fromEntries(inputs.map(({ name, type }) => [name, readCoerced(type, args[name], `/${name}`)])),
  };
}
