import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root, type ClassType } from 'type-graphql';
import type { Caller } from '../../shared/caller.js';
import type { Context } from './context.js';
import { nodeId } from './node-id.js';
import { Node, nodeKeys } from './node.js';

/** The type of a record, and its own key without the account that it belongs to. */
export interface NamedRecord {
  readonly type: string;
  readonly id: string;
  readonly accountId: string | null;
}

/** A type of objects that are about a record of any type, and get a field `record` with it. */
export interface NodeLink<Item extends object = never> {
  readonly of: ClassType;
  readonly description: string;
  /** The record, or null where the object is about none that has an id. */
  recordOf(item: Item): NamedRecord | null;
}

/** Reads a record by its id: see `NodeResolver`. */
interface Nodes {
  load(caller: Caller, id: string, keys: ReadonlyMap<string, readonly string[]>): Promise<object | null>;
}

/** Makes the resolver of the field `record` of a type. */
export function nodeLinkResolver(link: NodeLink): new (nodes: Nodes) => object {
  const { of: Type, description } = link;
  @Resolver(() => Type)
  class NodeLinkResolver {
    constructor(private readonly nodes: Nodes) {}

    @FieldResolver(() => Node, { nullable: true, description })
    async record(
      @Root() item: object,
      @Ctx() { caller }: Context,
      @Info() { schema }: GraphQLResolveInfo,
    ): Promise<object | null> {
      const named = link.recordOf(item as never);
      const keys = nodeKeys(schema);
      const properties = named && keys.get(named.type);
      if (!properties) return null;
      // A record of an account has its id as the first part of the key.
      const key = properties.length > 1 ? [named.accountId ?? '', named.id] : [named.id];
      return key.every(Boolean) ? this.nodes.load(caller, nodeId(named.type, key), keys) : null;
    }
  }
  return NodeLinkResolver;
}
