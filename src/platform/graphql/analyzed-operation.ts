import {
  Kind,
  OperationTypeNode,
  TypeInfo,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isNonNullType,
  typeFromAST,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import {
  ArgumentReaders,
  variablePointers,
  variableValue,
  type Variables,
} from '../../../lib/graphql-compiler/arguments.js';
import { countFields, selectedFields, type ShapeLimits } from '../../../lib/graphql-compiler/selected-fields.js';
import { Variants } from '../../../lib/graphql-compiler/variants.js';
import { refuseIfBad } from '../input/read-input.js';
import { ofUuids, readTypeOf } from '../input/uuid-type.js';
import { noFindings, shaperOf, type Findings, type Shaper } from '../input/shape.js';
import { costOf, type CostOf } from './cost.js';
import { isUuidArg } from './uuid-arg.js';

/** The longest name of an operation that is logged. */
const MAX_NAME_CHARACTERS = 64;
/** The memory of what is known about a field, as measured. */
const BYTES_PER_FIELD = 600;

interface CheckedVariable {
  readonly name: string;
  readonly pointer: string;
  readonly hasDefault: boolean;
  readonly shaper: Shaper;
}

/** An operation of a valid document within the limits on its shape, with all that does not depend on variables. */
export class AnalyzedOperation {
  readonly variants: Variants;
  readonly cost: CostOf;
  readonly isWrite: boolean;
  /** The names of the fields at the root, each once. */
  readonly rootFields: readonly string[];
  /** The positions of mutation fields, from 1, by response name. Aliases and directives change no position. */
  readonly writes: ReadonlyMap<string, number>;
  private readonly size: number;
  private readonly variables: readonly CheckedVariable[];

  /** Throws `BeyondLimit`. */
  constructor(
    schema: GraphQLSchema,
    limits: ShapeLimits,
    readonly document: DocumentNode,
    readonly operation: OperationDefinitionNode,
  ) {
    const fields = selectedFields(schema, document, operation, limits);
    this.isWrite = operation.operation === OperationTypeNode.MUTATION;
    const writes = this.isWrite ? fields.filter(({ definition }) => !definition.name.startsWith('__')) : [];
    this.variants = new Variants(document, operation);
    this.cost = costOf(schema, fields, writes.length, new ArgumentReaders(operation));
    this.writes = new Map(writes.map(({ nodes }, index) => [responseName(nodes[0] as FieldNode), index + 1]));
    this.rootFields = [...new Set(fields.map(({ definition }) => definition.name))];
    this.size = countFields(fields);
    this.variables = checkedVariables(schema, document, operation);
  }

  /** The estimated memory of all that is known and compiled. */
  get bytes(): number {
    return BYTES_PER_FIELD * this.size + this.variants.bytes;
  }

  /**
   * Checks variables against their types before anything runs. graphql-js would do so, too, but one field at a time and
   * repeating the values. A broken rule is told here only beside malformed values, so that all mistakes are told at
   * once; otherwise by the field that gets the value, which may come from a literal as well (`readCoerced`).
   * Throws `InvalidInput`, which lists every bad value.
   */
  checkVariables(variables: Variables): void {
    if (this.readVariables(variables, true).misshapen.length === 0) return;
    refuseIfBad(this.readVariables(variables, false));
  }

  private readVariables(variables: Variables, shapesOnly: boolean): Findings {
    const findings = noFindings('variable', { shapesOnly });
    for (const { name, pointer, hasDefault, shaper } of this.variables) {
      const value = variableValue(variables, name);
      if (value !== undefined || !hasDefault) shaper(value, pointer, findings);
    }
    return findings;
  }
}

/** The name of an operation for the log; null if it has none or one that is too long. */
export function loggedName({ name }: OperationDefinitionNode): string | null {
  return name && name.value.length <= MAX_NAME_CHARACTERS ? name.value : null;
}

function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}

function checkedVariables(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CheckedVariable[] {
  const pointers = variablePointers(document, operation);
  const read = readTypesOf(schema, document);
  return (operation.variableDefinitions ?? []).flatMap(({ variable, type: typeNode, defaultValue }) => {
    const type = typeFromAST(schema, typeNode);
    const name = variable.name.value;
    const pointer = pointers.get(name);
    if (!isInputType(type) || pointer === undefined) return [];
    return [{ name, pointer, hasDefault: defaultValue !== undefined, shaper: shaperOf(read(name, type)) }];
  });
}

/** By which type a variable of a type is read: an id of ours is an `ID` to GraphQL, and a UUID where it is used. */
function readTypesOf(schema: GraphQLSchema, document: DocumentNode) {
  const places = new Map<string, GraphQLInputType>();
  const note = (value: ValueNode, type: GraphQLInputType, readAs: GraphQLInputType): void => {
    if (value.kind === Kind.VARIABLE && readAs !== type) places.set(value.name.value, readAs);
  };
  const types = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(types, {
    Argument: ({ name, value }) => {
      const [field, argument] = [types.getFieldDef(), types.getArgument()];
      if (field && argument && isUuidArg(field, name.value)) note(value, argument.type, ofUuids(argument.type));
    },
    ObjectField: ({ name, value }) => {
      const input = getNamedType(types.getParentInputType());
      const field = isInputObjectType(input) ? input.getFields()[name.value] : undefined;
      if (isInputObjectType(input) && field) note(value, field.type, readTypeOf(input, field));
    },
  });
  visit(document, visitor);
  return (name: string, type: GraphQLInputType): GraphQLInputType => {
    const place = places.get(name) ?? type;
    return isNonNullType(type) ? place : getNullableType(place);
  };
}
