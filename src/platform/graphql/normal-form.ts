import {
  GraphQLNonNull,
  Kind,
  OperationTypeNode,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
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
import { countFields, type SelectedField } from './selected-fields.js';

/** An operation as a compiler may have it. */
export interface NormalForm {
  /** One query, without fragments and directives. */
  readonly document: DocumentNode;
  /** The fields of that query, with its own nodes. */
  readonly fields: readonly SelectedField[];
  /** How many fields it has, those inside of others with them. */
  readonly size: number;
}

/** Compiling a field takes some 20 µs, so larger operations would hold up others. */
const MAX_FIELDS = 400;

/**
 * An operation in normal form: fragments put in, directives decided, and no node in two places. graphql-jit writes on the nodes that it
 * compiles and passes over a fragment that it has seen, so it gives wrong answers for anything else. Null where graphql-jit would read
 * the operation in another way than graphql-js. A write is in the form of a query: see `Compiler`.
 */
export function normalForm(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  selected: readonly SelectedField[],
): NormalForm | null {
  const size = countFields(selected);
  if (size > MAX_FIELDS || !new Readable(schema, operation).all(selected)) return null;
  const fields = selected.map(own);
  const query: OperationDefinitionNode = {
    ...operation,
    operation: OperationTypeNode.QUERY,
    directives: [],
    selectionSet: selectionSetOf(fields),
  };
  return { document: { kind: Kind.DOCUMENT, definitions: [query] }, fields, size };
}

/** The same field with nodes of its own. The first holds all that is selected inside; the others say only where else the field stands. */
function own({ definition, nodes, fields: selected }: SelectedField): SelectedField {
  const fields = selected.map(own);
  const [first, ...others] = nodes.map(({ kind, alias, name, arguments: given, loc }): FieldNode => {
    return { kind, name, ...(alias && { alias }), ...(given && { arguments: given }), ...(loc && { loc }) };
  });
  const hasFields = nodes.some(({ selectionSet }) => selectionSet !== undefined);
  const whole = { ...(first as FieldNode), ...(hasFields && { selectionSet: selectionSetOf(fields) }) };
  return { definition, nodes: [whole, ...others], fields };
}

function selectionSetOf(fields: readonly SelectedField[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: fields.flatMap(({ nodes }) => nodes) };
}

/** Whether graphql-jit reads an operation as graphql-js does. */
class Readable {
  /** graphql-jit keeps what it tells resolvers of a field under a name that it makes of the path. */
  private readonly paths = new Set<string>();
  private readonly variables = new Map<string, GraphQLInputType>();
  private readonly hasReadableVariables: boolean;

  constructor(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode) {
    this.hasReadableVariables = variableDefinitions.every(({ variable, type: typeNode, defaultValue }) => {
      const type = typeFromAST(schema, typeNode);
      if (!isInputType(type)) return false;
      this.variables.set(variable.name.value, type);
      return isOrdinary(variable.name.value) && (!defaultValue || this.isReadableValue(defaultValue, type));
    });
  }

  all(fields: readonly SelectedField[], path = '', depth = 0): boolean {
    return this.hasReadableVariables && fields.every(field => this.isReadable(field, path, depth));
  }

  private isReadable({ definition, nodes, fields }: SelectedField, parent: string, depth: number): boolean {
    const [{ name, alias, arguments: given = [] }] = nodes as [FieldNode];
    const key = (alias ?? name).value;
    const path = `${key}_${parent}`;
    if (definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef) return false;
    if (!isOrdinary(key) || this.paths.has(path) || isAbstractType(getNamedType(definition.type))) return false;
    this.paths.add(path);
    const isReadableArgument = definition.args.every(({ name: argument, type }) => {
      const value = given.find(one => one.name.value === argument)?.value;
      return value === undefined || this.isReadableArgument(value, type);
    });
    const lists = listsIn(definition.type);
    const inside =
      Array.from({ length: lists }, (_, list) => `idx${depth + list}_`)
        .reverse()
        .join('') + path;
    return isReadableArgument && this.all(fields, inside, depth + lists);
  }

  private isReadableArgument(value: ValueNode, type: GraphQLInputType): boolean {
    if (value.kind !== Kind.VARIABLE) return this.isReadableValue(value, type);
    // Null for an argument that takes none, and where it stands in the document, is told in other words by graphql-jit.
    return !isNonNullType(type) || isNonNullType(this.variables.get(value.name.value));
  }

  /** graphql-jit writes literals as JSON, and null for a variable inside of one for which nothing was sent. */
  private isReadableValue(value: ValueNode, given: GraphQLInputType): boolean {
    const type = getNullableType(given);
    if (value.kind === Kind.VARIABLE) return isNonNullType(this.variables.get(value.name.value));
    if (value.kind === Kind.NULL) return true;
    if (isListType(type)) {
      const inner = type.ofType;
      return value.kind === Kind.LIST
        ? value.values.every(item => this.isReadableValue(item, inner))
        : this.isReadableValue(value, inner);
    }
    if (isInputObjectType(type)) {
      if (value.kind !== Kind.OBJECT) return false;
      const fields = type.getFields();
      return value.fields.every(({ name, value: inner }) => {
        const field = fields[name.value];
        return field !== undefined && this.isReadableValue(inner, field.type);
      });
    }
    return ['string', 'number', 'boolean'].includes(typeof valueFromAST(value, new GraphQLNonNull(type)));
  }
}

function listsIn(type: GraphQLOutputType): number {
  const nullable = getNullableType(type);
  return isListType(nullable) ? 1 + listsIn(nullable.ofType) : 0;
}

/** `__proto__` is no name of a property to an object literal. */
function isOrdinary(name: string): boolean {
  return name !== '__proto__';
}
