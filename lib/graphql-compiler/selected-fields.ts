import {
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  isUnionType,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** A field of a response: all selections under one response name, with fragments inlined. */
export interface SelectedField {
  /**
   * The type that has the field: the object's own, or that of a fragment where the object is of one type of several.
   */
  readonly parent: GraphQLCompositeType;
  readonly definition: GraphQLField<unknown, unknown>;
  /** The selections, at least one. The document is valid, so all of them have the same arguments. */
  readonly nodes: readonly FieldNode[];
  readonly fields: readonly SelectedField[];
}

/** Tells if a selection is part of the response, by its directives. */
export type Includes = (selection: SelectionNode) => boolean;

/** Limits on the shape of an operation, and the error for an operation that exceeds one. */
export interface ShapeLimits {
  readonly maxDepth: number;
  /** Response names of one field in one object. */
  readonly maxAliases: number;
  readonly maxRootFields: number;
  /** Fragment definitions in a document. */
  readonly maxFragments: number;
  exceeded(limit: ShapeLimit, most: number): Error;
}

export type ShapeLimit = 'maxDepth' | 'maxAliases' | 'maxRootFields' | 'maxFragments' | 'maxSelections';

/** Fragments in fragments can select exponentially many fields, so counting them needs a limit, too. */
const MAX_SELECTIONS = 5000;
/** The introspection queries of the usual tools have 15 levels. */
const MAX_INTROSPECTION_DEPTH = 20;

const META_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map(field => [field.name, field]),
);

/**
 * The fields that an operation of a valid document selects, in the order of the response (GraphQL, section 6.3.2).
 * `includes` decides directives. Without it they are ignored: limits and costs count a field that a variable excludes,
 * so that a document is never refused for the value of a variable. Throws what `limits.exceeded` gives.
 */
export function selectedFields(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  limits: ShapeLimits,
  includes: Includes = () => true,
): SelectedField[] {
  const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION);
  if (fragments.length > limits.maxFragments) throw limits.exceeded('maxFragments', limits.maxFragments);
  const root = schema.getRootType(operation.operation);
  const byName = new Map(fragments.map(fragment => [fragment.name.value, fragment]));
  return root ? new Selection(schema, byName, limits, includes).root(root, operation.selectionSet) : [];
}

/** The number of fields at all levels. */
export function countFields(fields: readonly SelectedField[]): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields), 0);
}

/** True for a field that is a question about the schema. */
export function isIntrospection({ definition }: Pick<SelectedField, 'definition'>): boolean {
  return definition === SchemaMetaFieldDef || definition === TypeMetaFieldDef;
}

type MergedField = Pick<SelectedField, 'parent' | 'definition'> & { readonly nodes: FieldNode[] };

class Selection {
  private visited = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly limits: ShapeLimits,
    private readonly includes: Includes,
  ) {}

  root(type: GraphQLCompositeType, selectionSet: SelectionSetNode): SelectedField[] {
    const { maxRootFields, maxDepth } = this.limits;
    const merged = this.merge(type, [selectionSet]);
    if (merged.filter(({ definition }) => definition !== TypeNameMetaFieldDef).length > maxRootFields) {
      throw this.limits.exceeded('maxRootFields', maxRootFields);
    }
    return merged.map(field => this.expand(field, 1, isIntrospection(field) ? MAX_INTROSPECTION_DEPTH : maxDepth));
  }

  private expand({ parent, definition, nodes }: MergedField, depth: number, maxDepth: number): SelectedField {
    if (depth > maxDepth) throw this.limits.exceeded('maxDepth', maxDepth);
    const type = getNamedType(definition.type);
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const merged = isCompositeType(type) ? this.merge(type, selectionSets) : [];
    return { parent, definition, nodes, fields: merged.map(field => this.expand(field, depth + 1, maxDepth)) };
  }

  /** The fields of one object, one for each response name. */
  private merge(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): MergedField[] {
    const fields = new Map<string, MergedField>();
    // A fragment counts once in an object, however often it is spread there.
    const spread = new Set<string>();
    for (const selectionSet of selectionSets) this.collect(type, selectionSet, fields, spread);
    const { maxAliases } = this.limits;
    const names = new Map<unknown, number>();
    for (const { definition } of fields.values()) {
      const count = (names.get(definition) ?? 0) + 1;
      if (count > maxAliases) throw this.limits.exceeded('maxAliases', maxAliases);
      names.set(definition, count);
    }
    return [...fields.values()];
  }

  private collect(
    type: GraphQLCompositeType,
    { selections }: SelectionSetNode,
    fields: Map<string, MergedField>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (++this.visited > MAX_SELECTIONS) throw this.limits.exceeded('maxSelections', MAX_SELECTIONS);
      if (!this.includes(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        add(fields, type, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const inside = this.typeInside(selection, type);
        if (inside) this.collect(inside, selection.selectionSet, fields, spread);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = this.fragments.get(selection.name.value);
        const inside = fragment && this.typeInside(fragment, type);
        if (inside) this.collect(inside, fragment.selectionSet, fields, spread);
      }
    }
  }

  /** The type whose fields a fragment selects; null if it selects nothing of an object of the type `parent`. */
  private typeInside(
    { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
    parent: GraphQLCompositeType,
  ): GraphQLCompositeType | null {
    const type = typeCondition && this.schema.getType(typeCondition.name.value);
    if (!isCompositeType(type) || type === parent) return parent;
    if (!isObjectType(parent)) return type;
    return isAbstractType(type) && this.schema.isSubType(type, parent) ? parent : null;
  }
}

/** Types that exclude each other keep their fields apart, though the response has at most one of them. */
function add(fields: Map<string, MergedField>, parent: GraphQLCompositeType, node: FieldNode): void {
  const name = node.name.value;
  const key = `${parent.name}.${(node.alias ?? node.name).value}`;
  const definition = META_FIELDS.get(name) ?? (isUnionType(parent) ? undefined : parent.getFields()[name]);
  const merged = fields.get(key);
  if (merged) merged.nodes.push(node);
  else if (definition) fields.set(key, { parent, definition, nodes: [node] });
}
