import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import type { Caller } from '../../shared/caller.js';
import { InvalidInput } from '../../shared/errors.js';
import type { Context } from './context.js';
import { operation } from '../../shared/operation.js';
import { nodeId, nodeKeyOf } from './node-id.js';
import { Node, asNode, nodeKeys } from './node.js';
import { Performs } from './performs.js';

/** A list of so many records is as long as the longest page. */
const MAX_NODES = 100;

/** Each type of records takes a scope of its own. */
const READ_NODES = operation('node.read', { scope: [] });

/**
 * Reads a record by its key as the fields do that give it: null where the caller may not see it. Throws
 * `InsufficientScope` or `ProgramWideOnly` before it looks whether there is one.
 */
export type LoadNode = (caller: Caller, ...key: readonly string[]) => Promise<object | null>;

@Resolver()
export class NodeResolver {
  /** `loaders` has one for each type that implements `Node`. */
  constructor(private readonly loaders: Readonly<Record<string, LoadNode>>) {}

  @Performs(READ_NODES)
  @Query(() => Node, {
    nullable: true,
    description: 'A record by its `id`. Needs the scope of its type.',
  })
  node(
    @Arg('id', () => ID, { description: 'The `id` of the record, such as `QWNjb3VudCBkZW1vLTEwMDE`.' }) id: string,
    @Ctx() { caller }: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<object | null> {
    return this.load(caller, id, nodeKeys(schema));
  }

  @Performs(READ_NODES)
  @Query(() => [Node], {
    nullable: 'itemsAndList',
    description: `Up to ${MAX_NODES} records in the order of their ids, each as by \`node\`.`,
  })
  nodes(
    @Arg('ids', () => [ID], {
      description: 'Such as `QWNjb3VudCBkZW1vLTEwMDE`; a repeated one is given again.',
    })
    ids: string[],
    @Ctx() { caller }: Context,
    @Info() { schema }: GraphQLResolveInfo,
  ): Promise<object | null>[] {
    if (ids.length > MAX_NODES) throw new TooManyNodes();
    const keys = nodeKeys(schema);
    return ids.map(id => this.load(caller, id, keys));
  }

  /** The record with an id, as `node` gives it. `keys` are those of `nodeKeys`. */
  async load(caller: Caller, id: string, keys: ReadonlyMap<string, readonly string[]>): Promise<object | null> {
    const { type, key } = nodeKeyOf(id) ?? { type: '', key: [] };
    const properties = keys.get(type);
    const load = this.loaders[type];
    if (!properties || !load || properties.length !== key.length) return null;
    const found = (await load(caller, ...key)) as Readonly<Record<string, string>> | null;
    // One record has one id, also where its own key may be written in several ways.
    return found &&
      nodeId(
        type,
        properties.map(property => found[property]),
      ) === id
      ? asNode(type, found)
      : null;
  }
}

class TooManyNodes extends InvalidInput {
  constructor() {
    super('rule_broken', [{ pointer: '/ids', code: 'size', detail: `Must have at most ${MAX_NODES} elements.` }]);
  }
}
