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
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { TooDeep, TooManyAliases, TooManyFragments, TooManyRootFields, TooManySelections } from './limits.errors.js';
import type { GraphqlLimits } from './settings.js';

/** A field of an answer: what was selected under one response name, with all fragments put in. */
export interface SelectedField {
  readonly definition: GraphQLField<unknown, unknown>;
  /** The places that select it, at least one. The document is valid, so all of them have the same arguments. */
  readonly nodes: readonly FieldNode[];
  readonly fields: readonly SelectedField[];
}

/** Whether a selection is part of the answer, as its directives have it. */
export type Includes = (selection: SelectionNode) => boolean;

/** Fragments inside of fragments can ask for more than anybody could count, so the counting itself has an end. */
const MAX_SELECTIONS = 5000;
/** How deep questions about the schema may go. Those of the usual tools have 15 levels. */
const MAX_INTROSPECTION_DEPTH = 20;

const META_FIELDS: ReadonlyMap<string, GraphQLField<unknown, unknown>> = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map(field => [field.name, field]),
);

/**
 * The fields that an operation of a valid document selects, without its fragments, in the order of the answer (GraphQL, section 6.3.2).
 * Throws `BeyondLimit` where they are more than there may be. `includes` decides what directives say. Limits and costs pass over
 * directives: a field that a variable leaves out in this request counts, so that the same document is never refused for another variable.
 */
export function selectedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  limits: GraphqlLimits,
  includes: Includes = () => true,
): SelectedField[] {
  const fragments = fragmentsOf(document);
  if (fragments.size > limits.maxFragments) throw new TooManyFragments(limits.maxFragments);
  const root = schema.getRootType(operation.operation);
  return root ? new Selection(schema, fragments, limits, includes).root(root, operation.selectionSet) : [];
}

/** How many fields there are, those inside of others with them. */
export function countFields(fields: readonly SelectedField[]): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field.fields), 0);
}

function fragmentsOf({ definitions }: DocumentNode): Map<string, FragmentDefinitionNode> {
  const fragments = definitions.filter(definition => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map(fragment => [fragment.name.value, fragment]));
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
    private readonly includes: Includes,
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
    return { definition, nodes, fields };
  }

  /** The fields of one object, one for each response name. */
  private gather(type: GraphQLCompositeType, selectionSets: readonly SelectionSetNode[]): Gathered[] {
    const gathered = new Map<string, Gathered>();
    // The answer holds each fragment once, however often it is spread in one object.
    const spread = new Set<string>();
    for (const selectionSet of selectionSets) this.collect(type, selectionSet, gathered, spread);
    this.countAliases(gathered);
    return [...gathered.values()];
  }

  private collect(
    type: GraphQLCompositeType,
    { selections }: SelectionSetNode,
    gathered: Map<string, Gathered>,
    spread: Set<string>,
  ): void {
    for (const selection of selections) {
      if (++this.visited > MAX_SELECTIONS) throw new TooManySelections(MAX_SELECTIONS);
      if (!this.includes(selection)) continue;
      if (selection.kind === Kind.FIELD) {
        add(gathered, type, selection);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        this.collect(this.typeInside(selection, type), selection.selectionSet, gathered, spread);
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = this.fragments.get(selection.name.value);
        if (fragment) this.collect(this.typeInside(fragment, type), fragment.selectionSet, gathered, spread);
      }
    }
  }

  private typeInside(
    { typeCondition }: FragmentDefinitionNode | InlineFragmentNode,
    within: GraphQLCompositeType,
  ): GraphQLCompositeType {
    const type = typeCondition && this.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? type : within;
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
