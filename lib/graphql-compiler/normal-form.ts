import {
  GraphQLNonNull,
  Kind,
  OperationTypeNode,
  getNamedType,
  getNullableType,
  isAbstractType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  valueFromAST,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { countFields, isIntrospection, type SelectedField } from './selected-fields.js';

/** An operation as graphql-jit gets it: one query without fragments and directives. */
export interface NormalForm {
  readonly document: DocumentNode;
  /** The fields of that query, with its own nodes. */
  readonly fields: readonly SelectedField[];
  /** The number of its fields at all levels. */
  readonly size: number;
}

/** Compiling takes about 20 µs for each field, and nothing else runs meanwhile. */
const MAX_FIELDS = 400;

/**
 * An operation with its fragments inlined and its directives decided, in which no node occurs twice. graphql-jit writes
 * on the nodes that it compiles and skips a fragment that it has compiled, so its results are wrong for anything else.
 * Null if graphql-jit would not execute the operation like graphql-js. A mutation becomes a query: see `Compiler`.
 */
export function normalForm(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  selected: readonly SelectedField[],
): NormalForm | null {
  const size = countFields(selected);
  if (size > MAX_FIELDS || !new Support(schema, operation).ofAll(selected)) return null;
  const fields = selected.map(withOwnNodes);
  const selectionSet = selectionSetOf(fields);
  const query = { ...operation, operation: OperationTypeNode.QUERY, directives: [], selectionSet };
  return { document: { kind: Kind.DOCUMENT, definitions: [query] }, fields, size };
}

/** The first node gets all that is selected inside; the others only give the further locations of the field. */
function withOwnNodes({ parent, definition, nodes, fields: selected }: SelectedField): SelectedField {
  const fields = selected.map(withOwnNodes);
  const [first, ...others] = nodes.map(({ kind, alias, name, arguments: argumentNodes, loc }): FieldNode => {
    return {
      kind,
      name,
      ...(alias && { alias }),
      ...(argumentNodes && { arguments: argumentNodes }),
      ...(loc && { loc }),
    };
  });
  const hasFields = nodes.some(({ selectionSet }) => selectionSet !== undefined);
  const whole = { ...(first as FieldNode), ...(hasFields && { selectionSet: selectionSetOf(fields) }) };
  return { parent, definition, nodes: [whole, ...others], fields };
}

function selectionSetOf(fields: readonly SelectedField[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: fields.flatMap(({ nodes }) => nodes) };
}

/** Knows what graphql-jit executes like graphql-js. */
class Support {
  /** graphql-jit keeps the information for resolvers of a field under a name that it makes of the path. */
  private readonly paths = new Set<string>();
  private readonly variables = new Map<string, GraphQLInputType>();
  private readonly hasVariables: boolean;

  constructor(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
    this.hasVariables = variableDefinitions.every(({ variable, type: typeNode, defaultValue }) => {
      const type = typeFromAST(schema, typeNode);
      if (!isInputType(type)) return false;
      this.variables.set(variable.name.value, type);
      // graphql-jit wants a value for what is of a non-null type, also where it has a default.
      const hasDefault = !defaultValue || (!isNonNullType(type) && this.ofValue(defaultValue, type));
      return isPropertyName(variable.name.value) && hasDefault && !hasRequiredDefault(type);
    });
  }

  ofAll(fields: readonly SelectedField[], path = '', depth = 0): boolean {
    return this.hasVariables && fields.every(field => this.ofField(field, path, depth));
  }

  private ofField(field: SelectedField, parent: string, depth: number): boolean {
    const { definition, nodes, fields } = field;
    const [{ name, alias, arguments: argumentNodes = [] }] = nodes as [FieldNode];
    const key = (alias ?? name).value;
    const path = `${key}_${parent}`;
    if (isIntrospection(field) || isAbstractType(getNamedType(definition.type))) return false;
    if (!isPropertyName(key) || this.paths.has(path)) return false;
    this.paths.add(path);
    const lists = listsIn(definition.type);
    let inside = path;
    for (let list = 0; list < lists; list++) inside = `idx${depth + list}_${inside}`;
    const hasArguments = definition.args.every(({ name: argument, type }) => {
      const value = argumentNodes.find(one => one.name.value === argument)?.value;
      return value === undefined || this.ofArgument(value, type);
    });
    return hasArguments && this.ofAll(fields, inside, depth + lists);
  }

  private ofArgument(value: ValueNode, type: GraphQLInputType): boolean {
    if (value.kind !== Kind.VARIABLE) return this.ofValue(value, type);
    // The errors differ for a null in an argument of a non-null type.
    return !isNonNullType(type) || isNonNullType(this.variables.get(value.name.value));
  }

  /** graphql-jit writes literals as JSON, and null for a variable inside of a literal that was not sent. */
  private ofValue(value: ValueNode, inputType: GraphQLInputType): boolean {
    const type = getNullableType(inputType);
    if (value.kind === Kind.VARIABLE) return isNonNullType(this.variables.get(value.name.value));
    if (value.kind === Kind.NULL) return true;
    if (isListType(type)) {
      const items = value.kind === Kind.LIST ? value.values : [value];
      return items.every(item => this.ofValue(item, type.ofType));
    }
    if (isInputObjectType(type)) {
      if (value.kind !== Kind.OBJECT) return false;
      const fields = type.getFields();
      return value.fields.every(({ name, value: inner }) => {
        const field = fields[name.value];
        return field !== undefined && this.ofValue(inner, field.type);
      });
    }
    return ['string', 'number', 'boolean'].includes(typeof valueFromAST(value, new GraphQLNonNull(type)));
  }
}

/** True if an input has a field of a non-null type with a default, at any depth. */
function hasRequiredDefault(type: GraphQLInputType, seen = new Set<GraphQLInputType>()): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named) || seen.has(named)) return false;
  seen.add(named);
  return Object.values(named.getFields()).some(
    field => (isNonNullType(field.type) && field.defaultValue !== undefined) || hasRequiredDefault(field.type, seen),
  );
}

function listsIn(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listsIn(nullable.ofType) : 0;
}

/** `__proto__` in an object literal is no property. */
function isPropertyName(name: string): boolean {
  return name !== '__proto__';
}
