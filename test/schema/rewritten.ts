import {
  Kind,
  getNamedType,
  isInputObjectType,
  isObjectType,
  visit,
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  type ObjectFieldNode,
  type ObjectValueNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** What has another name in 1.0. */
export type Rename =
  | { readonly kind: 'field' | 'input'; readonly type: string; readonly from: string; readonly to: string }
  | { readonly kind: 'type'; readonly from: string; readonly to: string }
  | {
      readonly kind: 'mutation';
      readonly field: string;
      /** The names of its arguments in the input, where they are others. */
      readonly arguments?: Readonly<Record<string, string>>;
      /** The field of the payload that has the record; absent where the mutation had a payload before. */
      readonly record?: string;
    };

const nameOf = (value: string) => ({ kind: Kind.NAME, value }) as const;

/** A document of 0.2 with the names of 1.0. */
export function rewritten(document: DocumentNode, renames: readonly Rename[], schema: GraphQLSchema): DocumentNode {
  const typeNow = (name: string): string =>
    renames.flatMap(one => (one.kind === 'type' && one.from === name ? one.to : []))[0] ?? name;
  const namedNow = (kind: 'field' | 'input', type: GraphQLNamedType, name: string): string =>
    renames.flatMap(one =>
      one.kind === kind && typeNow(one.type) === type.name && one.from === name ? one.to : [],
    )[0] ?? name;
  const mutationOf = (name: string) =>
    renames.flatMap(one => (one.kind === 'mutation' && one.field === name ? one : []))[0];

  const ofValue = (value: ValueNode, type: GraphQLNamedType): ValueNode => {
    if (value.kind === Kind.LIST) return { ...value, values: value.values.map(item => ofValue(item, type)) };
    if (value.kind !== Kind.OBJECT || !isInputObjectType(type)) return value;
    return { ...value, fields: value.fields.map(field => ofInput(field, type)) };
  };
  const ofInput = <Node extends ArgumentNode | ObjectFieldNode>(node: Node, type: GraphQLNamedType): Node => {
    const name = namedNow('input', type, node.name.value);
    const field = isInputObjectType(type) ? type.getFields()[name] : undefined;
    return { ...node, name: nameOf(name), value: field ? ofValue(node.value, getNamedType(field.type)) : node.value };
  };
  const ofField = (node: FieldNode, parent: GraphQLNamedType): FieldNode => {
    const name = namedNow('field', parent, node.name.value);
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined;
    const named = { ...node, name: nameOf(name) };
    if (!field) return named;
    const type = getNamedType(field.type);
    const mutation = parent === schema.getMutationType() ? mutationOf(name) : undefined;
    if (mutation) return ofMutation(named, type, mutation);
    return {
      ...named,
      arguments: (node.arguments ?? []).map(argument => {
        const declared = field.args.find(one => one.name === argument.name.value);
        return declared ? { ...argument, value: ofValue(argument.value, getNamedType(declared.type)) } : argument;
      }),
      ...(node.selectionSet && { selectionSet: ofSelections(node.selectionSet, type) }),
    };
  };
  const ofMutation = (
    node: FieldNode,
    payload: GraphQLNamedType,
    { arguments: others = {}, record }: Extract<Rename, { kind: 'mutation' }>,
  ): FieldNode => {
    const sent = (node.arguments ?? []).map(({ name, value }): ObjectFieldNode => ({
      kind: Kind.OBJECT_FIELD,
      name: nameOf(others[name.value] ?? name.value),
      value,
    }));
    const [first] = sent;
    const isInput = sent.length === 1 && first?.name.value === 'input';
    const input: ObjectValueNode = { kind: Kind.OBJECT, fields: sent };
    const argument = { kind: Kind.ARGUMENT, name: nameOf('input'), value: isInput ? first.value : input } as const;
    const field = record && isObjectType(payload) ? payload.getFields()[record] : undefined;
    const selections = node.selectionSet && ofSelections(node.selectionSet, field ? getNamedType(field.type) : payload);
    return {
      ...node,
      arguments: [argument],
      ...(selections && {
        selectionSet: record
          ? {
              kind: Kind.SELECTION_SET,
              selections: [{ kind: Kind.FIELD, name: nameOf(record), selectionSet: selections }],
            }
          : selections,
      }),
    };
  };
  const ofSelections = (set: SelectionSetNode, parent: GraphQLNamedType): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((node): SelectionNode => {
      if (node.kind === Kind.FIELD) return ofField(node, parent);
      if (node.kind === Kind.FRAGMENT_SPREAD) return node;
      const type = schema.getType(typeNow(node.typeCondition?.name.value ?? '')) ?? parent;
      return { ...node, selectionSet: ofSelections(node.selectionSet, type) };
    }),
  });

  const definitions = document.definitions.map(definition => {
    if (definition.kind === Kind.OPERATION_DEFINITION) {
      const root = schema.getRootType(definition.operation);
      return root ? { ...definition, selectionSet: ofSelections(definition.selectionSet, root) } : definition;
    }
    if (definition.kind !== Kind.FRAGMENT_DEFINITION) return definition;
    const type = schema.getType(typeNow(definition.typeCondition.name.value));
    return type ? { ...definition, selectionSet: ofSelections(definition.selectionSet, type) } : definition;
  });
  return visit(
    { ...document, definitions },
    { NamedType: node => ({ ...node, name: nameOf(typeNow(node.name.value)) }) },
  );
}
