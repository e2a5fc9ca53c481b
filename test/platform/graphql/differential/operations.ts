import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  type GraphQLArgument,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import type { Random } from '../../../../packages/sandbox/src/demo/random.js';

/** What a client sends. Each of `variables` goes with the same document. */
export interface GeneratedOperation {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: readonly Record<string, unknown>[];
}

/** Values that mean something to the data, by the name of the argument. */
export type Values = Readonly<Record<string, readonly unknown[]>>;

/** A field that is another for each request, and those that are recorded or counted a moment later. */
const OF_THE_MOMENT: ReadonlySet<string> = new Set(['feedCursor', 'search', 'programOverview']);
const MAX_DEPTH = 5;
const MAX_SELECTED = 120;

interface Fragment {
  readonly name: string;
  readonly type: GraphQLObjectType;
  readonly text: string;
}

interface Variable {
  readonly name: string;
  readonly type: GraphQLInputType;
  readonly declared: string;
  readonly values: readonly unknown[];
}

/**
 * A document over a schema: fragments that overlap and nest, directives, aliases, several operations, defaults, and
 * mistakes.
 */
export function generateOperation(schema: GraphQLSchema, values: Values, random: Random): GeneratedOperation {
  return new Generator(schema, values, random).generate();
}

class Generator {
  private readonly fragments: Fragment[] = [];
  private readonly variables: Variable[] = [];
  /** What stands under a response name of a type, so that two places that share it agree. */
  private readonly named = new Map<string, string>();
  private selected = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly values: Values,
    private readonly random: Random,
  ) {
    const scalars = Object.values(schema.getTypeMap()).filter(isScalarType);
    const missing = scalars.filter(({ name }) => !name.startsWith('federation__') && !values[name]);
    if (missing.length > 0) throw new Error(`Give values of the scalars ${missing.join(', ')}.`);
  }

  generate(): GeneratedOperation {
    const isWrite = this.oneIn(8);
    const root = isWrite ? this.schema.getMutationType() : this.schema.getQueryType();
    const selection = this.selection(root as GraphQLObjectType, 0);
    const declared = this.variables.map(({ name, declared: type }) => `$${name}: ${type}`).join(', ');
    const kind = isWrite ? 'mutation' : 'query';
    const operations = [`${kind} Asked${declared && `(${declared})`} ${selection}`];
    if (this.oneIn(6)) {
      operations.push(`query Other { __typename ...Rest } fragment Rest on Query { again: __typename }`);
    }
    const parts = [...operations, ...this.fragments.map(({ text }) => text)];
    const query = this.withMistake(this.oneIn(2) ? parts.join('\n') : parts.toReversed().join(' '));
    const isNamed = operations.length > 1 ? !this.oneIn(10) : this.oneIn(3);
    const variables = Array.from({ length: 3 }, () => this.given());
    return { query, operationName: isNamed ? this.pick(['Asked', 'Asked', 'Asked', 'Other']) : undefined, variables };
  }

  private selection(type: GraphQLObjectType, depth: number): string {
    const fields = Object.values(type.getFields()).filter(({ name }) => !OF_THE_MOMENT.has(name));
    const count = 1 + this.draw(depth === 0 ? 3 : 5);
    const parts = Array.from({ length: count }, () =>
      this.selectionOf(
        type,
        fields.map(({ name }) => name),
        depth,
      ),
    );
    return `{ ${parts.join(' ')} }`;
  }

  private selectionOf(type: GraphQLObjectType, fields: readonly string[], depth: number): string {
    this.selected += 1;
    const kind = this.selected > MAX_SELECTED || depth > 8 ? 0 : this.draw(12);
    if (kind === 9) {
      return `... ${this.oneIn(2) ? `on ${type.name} ` : ''}${this.directives()}${this.selection(type, depth + 1)}`;
    }
    if (kind >= 10) return `...${this.fragment(type, depth).name} ${this.directives()}`;
    if (kind === 8 && (depth > 0 || this.oneIn(4))) {
      return `${this.oneIn(2) ? 'kind: ' : ''}__typename ${this.directives()}`;
    }
    if (depth === 0 && this.oneIn(25) && type.name === 'Query') return this.aboutSchema();
    return this.field(type, this.pick(fields), depth);
  }

  private field(type: GraphQLObjectType, name: string, depth: number): string {
    const field = type.getFields()[name];
    if (!field) throw new Error(`${type.name} has no ${name}`);
    const inner = getNamedType(field.type);
    const isDeep = depth >= MAX_DEPTH || this.selected > MAX_SELECTED;
    if (isCompositeType(inner) && isDeep) return '__typename';
    const call = `${name}${this.arguments(field.args)}`;
    const alias = this.aliasOf(
      type,
      call,
      this.oneIn(100) ? '__proto__' : this.pick([name, name, 'a', 'b', 'a_b', `${name}_a`, 'constructor']),
    );
    const below = isObjectType(inner) ? this.selection(inner, depth + 1) : '';
    return `${alias === name ? '' : `${alias}: `}${call} ${this.directives()}${below}`;
  }

  /**
   * The wanted name, or the next one that is free: one name has the same field and arguments wherever it is of one
   * type.
   */
  private aliasOf(type: GraphQLObjectType, call: string, wanted: string): string {
    for (let n = 0; ; n++) {
      const alias = n === 0 ? wanted : `${wanted}${n}`;
      const key = `${type.name}.${alias}`;
      const known = this.named.get(key);
      if (known === undefined) this.named.set(key, call);
      if (known === undefined || known === call) return alias;
    }
  }

  private fragment(type: GraphQLObjectType, depth: number): Fragment {
    const known = this.fragments.filter(fragment => fragment.type === type);
    if (known.length > 0 && (this.oneIn(2) || this.fragments.length > 8)) return this.pick(known);
    // A fragment that is being written is not known yet, so none holds itself.
    const text = this.selection(type, depth + 1);
    const fragment = { name: `F${this.fragments.length + 1}`, type, text: '' };
    const whole = { ...fragment, text: `fragment ${fragment.name} on ${type.name} ${text}` };
    this.fragments.push(whole);
    return whole;
  }

  private arguments(args: readonly GraphQLArgument[]): string {
    const given = args
      .filter(({ type, defaultValue }) => (isNonNullType(type) && defaultValue === undefined) || this.oneIn(3))
      .map(({ name, type, defaultValue }) => `${name}: ${this.value(name, type, defaultValue !== undefined)}`);
    return given.length > 0 ? `(${given.join(', ')})` : '';
  }

  /** A literal, a variable, or a literal with variables inside. */
  private value(name: string, type: GraphQLInputType, hasDefault = false): string {
    if (this.oneIn(3)) return `$${this.variable(name, type, hasDefault)}`;
    return this.literal(name, type);
  }

  private literal(name: string, type: GraphQLInputType): string {
    if (!isNonNullType(type) && this.oneIn(8)) return 'null';
    const nullable = getNullableType(type);
    if (isListType(nullable)) {
      const item = nullable.ofType;
      if (this.oneIn(5)) return this.value(name, item);
      return `[${Array.from({ length: this.draw(3) }, () => this.value(name, item)).join(', ')}]`;
    }
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter(({ type: of }) => isNonNullType(of) || this.oneIn(4));
      return `{ ${fields.map(field => `${field.name}: ${this.value(field.name, field.type)}`).join(', ')} }`;
    }
    if (isEnumType(nullable)) return this.pick(nullable.getValues()).name;
    return JSON.stringify(this.leaf(name, nullable.name));
  }

  private variable(name: string, type: GraphQLInputType, hasDefault: boolean): string {
    const same = this.variables.filter(known => String(known.type) === String(type) && known.values.length > 0);
    if (same.length > 0 && this.oneIn(3)) return this.pick(same).name;
    const fallback = this.oneIn(4) ? this.plain(name, type) : undefined;
    const isLoose = isNonNullType(type) && (hasDefault || (fallback ?? null) !== null) && this.oneIn(2);
    const declared = `${isLoose ? String(type.ofType) : String(type)}${fallback === undefined ? '' : ` = ${literalOf(type, fallback)}`}`;
    const usual = Array.from({ length: 3 }, () => this.plain(name, type));
    const values = isNonNullType(type) && !isLoose ? usual : [...usual, null, undefined];
    const variable = { name: `v${this.variables.length + 1}`, type, declared, values };
    this.variables.push(variable);
    return variable.name;
  }

  /** A value as a client sends it for a variable. */
  private plain(name: string, type: GraphQLInputType): unknown {
    const nullable = getNullableType(type);
    if (isListType(nullable)) return Array.from({ length: this.draw(3) }, () => this.plain(name, nullable.ofType));
    if (isInputObjectType(nullable)) {
      const fields = Object.values(nullable.getFields()).filter(({ type: of }) => isNonNullType(of) || this.oneIn(4));
      return Object.fromEntries(fields.map(field => [field.name, this.plain(field.name, field.type)]));
    }
    return isEnumType(nullable) ? this.pick(nullable.getValues()).name : this.leaf(name, nullable.name);
  }

  private leaf(name: string, type: string): unknown {
    const known = this.values[name] ?? this.values[type];
    if (!known) throw new Error(`There is no value for ${name} of type ${type}.`);
    return this.pick(known);
  }

  private directives(): string {
    if (!this.oneIn(5)) return '';
    const [first, second] = this.oneIn(2) ? ['skip', 'include'] : ['include', 'skip'];
    const one = `@${first}(if: ${this.condition()}) `;
    return this.oneIn(5) ? `${one}@${second}(if: ${this.condition()}) ` : one;
  }

  private condition(): string {
    if (this.oneIn(3)) return String(this.oneIn(2));
    const known = this.variables.filter(({ declared }) => declared.startsWith('Boolean'));
    if (known.length > 0 && !this.oneIn(4)) return `$${this.pick(known).name}`;
    const name = `v${this.variables.length + 1}`;
    const boolean = this.schema.getType('Boolean') as GraphQLInputType;
    const hasDefault = this.oneIn(3);
    const values = [true, false, ...(hasDefault ? [undefined, null] : [])];
    this.variables.push({
      name,
      type: boolean,
      declared: hasDefault ? `Boolean = ${this.oneIn(2)}` : 'Boolean!',
      values,
    });
    return `$${name}`;
  }

  private given(): Record<string, unknown> {
    const chosen = this.variables.map(({ name, values }) => [name, this.pick(values)] as const);
    const known: Record<string, unknown> = Object.fromEntries(chosen.filter(([, value]) => value !== undefined));
    return this.oneIn(30) ? { ...known, unknown: 1 } : known;
  }

  private aboutSchema(): string {
    return this.pick([
      '__schema { queryType { name } types { name kind } }',
      '__type(name: "Account") { name fields { name type { kind ofType { name } } } }',
      '__typename',
    ]);
  }

  /** Mostly none. */
  private withMistake(query: string): string {
    if (!this.oneIn(20)) return query;
    const mistakes = [
      () => query.replace('{', '{ nothing '),
      () => query.replace('accountId:', 'accountIds:'),
      () => query.replace(/\$v1: \w+/, '$v1: Float'),
      () => query.replace('(', '(nothing: 1, '),
      () => query.slice(0, -2),
      () => `${query} fragment Unused on Account { accountId }`,
      () => query.replace(/@(skip|include)\(if: \$\w+\)/, '@skip'),
      () => query.replace(/"[^"]*"/, '{ a: 1 }'),
    ];
    return this.pick(mistakes)();
  }

  private draw(below: number): number {
    return this.random.between(0, below - 1);
  }

  private oneIn(times: number): boolean {
    return this.draw(times) === 0;
  }

  private pick<Element>(elements: readonly Element[]): Element {
    return elements[this.draw(elements.length)] as Element;
  }
}

function literalOf(type: GraphQLInputType, value: unknown): string {
  const nullable = getNullableType(type);
  if (value === null) return 'null';
  if (isListType(nullable)) return `[${(value as unknown[]).map(item => literalOf(nullable.ofType, item)).join(', ')}]`;
  if (isInputObjectType(nullable)) {
    const fields = Object.entries(value as object).map(([name, inner]) => {
      const field = nullable.getFields()[name];
      return `${name}: ${field ? literalOf(field.type, inner) : 'null'}`;
    });
    return `{ ${fields.join(', ')} }`;
  }
  return isEnumType(nullable) ? (value as string) : JSON.stringify(value);
}
