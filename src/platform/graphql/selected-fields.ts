import {
  Kind,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  getNamedType,
  isCompositeType,
  isUnionType,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  type InlineFragmentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { TooDeep, TooManyAliases, TooManyFragments, TooManyRootFields, TooManySelections } from './limits.errors.js';
import type { GraphqlLimits } from './settings.js';

/** A field of an answer: what was selected under one response name, with all fragments put in. */
export interface SelectedField {
  readonly definition: GraphQLField<unknown, unknown>;
  /** One of the places that select it. The document is valid, so all of them have the same arguments. */
  readonly node: FieldNode;
  readonly fields: readonly SelectedField[];
}

/** Fragments inside of fragments can ask for more than anybody could count, so the counting itself has an end. */
const MAX_SELECTIONS = 5000;
/** How deep questions about the schema may go. Those of the usual tools have 15 levels. */
const MAX_INTROSPECTION_DEPTH = 20;

const META_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map(field => [field.name, field]),
);

/**
 * The fields that an operation of a valid document selects, without its fragments. Throws `BeyondLimit` where it is more than one may
 * be. Directives are passed over: a field that a variable leaves out today counts, so that the answer is the same every time.
 */
export function selectedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limits: GraphqlLimits,
): SelectedField[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  if (fragments.size > limits.maxFragments) throw new TooManyFragments(limits.maxFragments);
  const root = schema.getRootType(operation.operation);
  return root ? new Selection(schema, fragments, limits).root(root, operation.selectionSet) : [];
}

interface Gathered {
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: FieldNode[];
}

class Selection {
  private visited = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly limits: GraphqlLimits,
  ) {}

  root(type: GraphQLCompositeType, selectionSet: SelectionSetNode): SelectedField[] {
    const gathered = this.gather(type, [selectionSet]);
    const asked = gathered.filter(({ definition }) => definition !== TypeNameMetaFieldDef);
    if (asked.length > this.limits.maxRootFields) throw new TooManyRootFields(this.limits.maxRootFields);
    return gathered.map(field => {
      const asksForSchema = field.definition === SchemaMetaFieldDef || field.definition === TypeMetaFieldDef;
      return this.expand(field, 1, asksForSchema ? MAX_INTROSPECTION_DEPTH : this.limits.maxDepth);
    });
  }

  private expand({ definition, nodes }: Gathered, depth: number, maxDepth: number): SelectedField {
    if (depth > maxDepth) throw new TooDeep(maxDepth);
    const type = getNamedType(definition.type);
    const selectionSets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const fields = isCompositeType(type)
      ? this.gather(type, selectionSets).map(field => this.expand(field, depth + 1, maxDepth))
      : [];
    return { definition, node: nodes[0] as FieldNode, fields };
  }

  /** The fields of one object, one for each response name. */
  private gather(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): Gathered[] {
    const gathered = new Map<string, Gathered>();
    const spread = new Set<string>();
    const due = selectionSets.map(selectionSet => ({ type, selectionSet }));
    // The list grows while it is walked, and holds each fragment once, as the answer does.
    for (const { type: within, selectionSet } of due) {
      for (const selection of selectionSet.selections) {
        if (++this.visited > MAX_SELECTIONS) throw new TooManySelections(MAX_SELECTIONS);
        if (selection.kind === Kind.FIELD) add(gathered, within, selection);
        else if (selection.kind === Kind.INLINE_FRAGMENT) due.push(this.inside(selection, within));
        else if (!spread.has(selection.name.value)) {
          spread.add(selection.name.value);
          const fragment = this.fragments.get(selection.name.value);
          if (fragment) due.push(this.inside(fragment, within));
        }
      }
    }
    this.countAliases(gathered);
    return [...gathered.values()];
  }

  private inside(
    { typeCondition, selectionSet }: FragmentDefinitionNode | InlineFragmentNode,
    within: GraphQLCompositeType,
  ) {
    const type = typeCondition && this.schema.getType(typeCondition.name.value);
    return { type: isCompositeType(type) ? type : within, selectionSet };
  }

  private countAliases(gathered: ReadonlyMap<string, Gathered>): void {
    const names = new Map<unknown, number>();
    for (const { definition } of gathered.values()) {
      const count = (names.get(definition) ?? 0) + 1;
      if (count > this.limits.maxAliases) throw new TooManyAliases(this.limits.maxAliases);
      names.set(definition, count);
    }
  }
}

/** Types that exclude each other keep their fields apart, though at most one of them is answered. */
function add(gathered: Map<string, Gathered>, within: GraphQLCompositeType, node: FieldNode): void {
  const key = `${within.name}.${(node.alias ?? node.name).value}`;
  const known = gathered.get(key);
  const definition = fieldOf(within, node.name.value);
  if (known) known.nodes.push(node);
  else if (definition) gathered.set(key, { definition, nodes: [node] });
}

function fieldOf(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  return META_FIELDS.get(name) ?? (isUnionType(type) ? undefined : type.getFields()[name]);
}
