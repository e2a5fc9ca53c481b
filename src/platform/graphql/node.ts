import { isInterfaceType, isObjectType, type GraphQLSchema } from 'graphql';
import { Extensions, Field, ID, InterfaceType } from 'type-graphql';
import { nodeId } from './node-id.js';

/** What a loaded object is, since the rows of services do not say it themselves. */
const types = new WeakMap<object, string>();

/** The type of an object that was given as a `Node`. */
export function typeOfNode(node: object): string | undefined {
  return types.get(node);
}

/**
 * What a client can keep under one id, whatever its type, and read again by that id alone (Relay, Global Object
 * Identification).
 */
@InterfaceType({
  description: 'A record with an id that is unique among all types.',
  autoRegisterImplementations: false,
  resolveType: typeOfNode,
})
export abstract class Node {
  @Field(() => ID, {
    description: 'For `node` and caches, such as `QWNjb3VudCBkZW1vLTEwMDE`.',
  })
  id!: string;
}

/** Declares which properties tell an object of a type that implements `Node` from the others of its type. */
export function NodeKey(...key: readonly string[]): ClassDecorator {
  return Extensions({ nodeKey: key });
}

/**
 * The types whose objects have ids, with the properties of their keys. Throws for a type that has not declared them.
 */
export function nodeKeys(schema: GraphQLSchema): ReadonlyMap<string, readonly string[]> {
  const node = schema.getType('Node');
  if (!isInterfaceType(node)) throw new Error('the schema has no interface Node');
  return new Map(
    schema.getPossibleTypes(node).map(({ name, extensions }) => {
      const { nodeKey } = extensions as { readonly nodeKey?: readonly string[] };
      if (!nodeKey) throw new Error(`${name} is a node and has no key: declare it by NodeKey`);
      return [name, nodeKey];
    }),
  );
}

/** Gives the field `id` of all nodes. It is made when it is selected. */
export function bindNodeIds(schema: GraphQLSchema): void {
  for (const [name, key] of nodeKeys(schema)) {
    const type = schema.getType(name);
    const id = isObjectType(type) ? type.getFields()['id'] : undefined;
    if (id) {
      id.resolve = (node: Readonly<Record<string, string>>) =>
        nodeId(
          name,
          key.map(property => node[property]),
        );
    }
  }
}

/** Says what an object is that is given as a `Node`. */
export function asNode<Found extends object>(type: string, found: Found): Found {
  types.set(found, type);
  return found;
}
