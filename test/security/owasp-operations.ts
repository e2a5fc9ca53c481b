import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { gatewaySources } from '../support/gateway-sources.js';
import { cardNumber } from '../support/card.js';
import { servedBy, servedSchema } from '../support/served.js';
import { pdfOf } from '../support/statement.js';
import type { TestGateway } from '../support/test-gateway.js';

/**
 * Everything that can be asked for, as the routers and the schema have it: a new route or field is in these lists by
 * itself.
 */

/** The paths that anything else than a noun's routes answers, as the sources write them. */
export async function otherPaths(): Promise<string[]> {
  const paths = new Set<string>();
  for (const file of gatewaySources('.ts')) {
    const text = await readFile(file, 'utf8');
    const constants = new Map([...text.matchAll(/const (\w+) = '(\/[^']*)'/g)].map(([, name, path]) => [name, path]));
    const routes = text.matchAll(
      /\b\w+\.(?:get|post|put|patch|delete|all)\(\s*(?:'(\/[^']*)'|`\$\{(\w+)\}([^`]*)`|([A-Z_]+))/g,
    );
    for (const [, path, base, rest = '', alone] of routes) {
      const served = path ?? constants.get(base ?? alone);
      // What is no path is the key of a map.
      if (served !== undefined) paths.add(`${served}${rest}`);
    }
  }
  return [...paths].sort();
}

export interface Operation {
  /** `Query.account`, `Mutation.addOwners`, `Account.beneficiaries`. */
  readonly name: string;
  readonly text: string;
  readonly variables: Record<string, unknown>;
}

/**
 * Every root field, and every field that a resolver of ours loads, each in an operation that is good but for who asks.
 * `values` are those of arguments and input fields, by their names.
 */
export async function operationsServed(
  gateway: TestGateway,
  values: Record<string, unknown> = {},
): Promise<Operation[]> {
  const schema = await servedSchema(gateway);
  const ways = waysIn(schema);
  const operation = operationWith(values);
  const query = Object.values(schema.getQueryType()?.getFields() ?? {}).map(field =>
    operation('query', 'Query', [field]),
  );
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const loaded = await servedBy(gateway).loadedFields();
  const fields = loaded.flatMap(([parent, name]) => {
    const type = schema.getType(parent);
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    // Another gateway of the process may have nouns that this one has not.
    if (!field) return [];
    const found = ways.get(parent);
    if (!found) throw new Error(`no field at the root leads to the type ${parent}`);
    return operation(found.kind, parent, [...found.way, field]);
  });
  return [...query, ...mutations.map(field => operation('mutation', 'Mutation', [field])), ...fields];
}

type Field = GraphQLField<unknown, unknown>;

interface Way {
  readonly kind: 'query' | 'mutation';
  /** The fields from one object at the root down to an object of the type. */
  readonly way: readonly Field[];
}

/**
 * The shortest way to each type from the first field of the root that leads there: by `Query.account` if it does, below
 * a mutation if no query does. Records lead back to their account.
 */
function waysIn(schema: GraphQLSchema): ReadonlyMap<string, Way> {
  const { account, ...others } = schema.getQueryType()?.getFields() ?? {};
  const ofOne = Object.values(others).filter(({ args }) => args.some(isRequired));
  const ofMany = Object.values(others).filter(root => !ofOne.includes(root));
  const ways = new Map<string, Way>();
  const follow = (kind: Way['kind'], root: Field): void => {
    const seen = new Set<string>();
    for (let ends: (readonly Field[])[] = [[root]]; ends.length > 0;) {
      const further: (readonly Field[])[] = [];
      for (const way of ends) {
        const type = getNamedType((way.at(-1) as Field).type);
        if (seen.has(type.name)) continue;
        seen.add(type.name);
        if (!ways.has(type.name)) ways.set(type.name, { kind, way });
        if (isObjectType(type)) further.push(...Object.values(type.getFields()).map(field => [...way, field]));
      }
      ends = further;
    }
  };
  for (const root of [account as Field, ...ofOne, ...ofMany]) follow('query', root);
  for (const root of Object.values(schema.getMutationType()?.getFields() ?? {})) follow('mutation', root);
  return ways;
}

const operationWith =
  (values: Record<string, unknown>) =>
  (kind: 'query' | 'mutation', parent: string, way: readonly Field[]): Operation => {
    const variables: Record<string, unknown> = {};
    const declared: string[] = [];
    const argumentsOf = ({ args }: Field): string => {
      const given = args.filter(isRequired).map(arg => {
        const name = `v${declared.length}`;
        declared.push(`$${name}: ${String(arg.type)}`);
        variables[name] = sample(arg.type, arg.name, values);
        return `${arg.name}: $${name}`;
      });
      return given.length > 0 ? `(${given.join(', ')})` : '';
    };
    const last = way.at(-1) as Field;
    const leaf = isCompositeType(getNamedType(last.type)) ? ` { ${leavesOf(last)} }` : '';
    const body =
      way.map(field => `${field.name}${argumentsOf(field)}`).join(' { ') + leaf + ' }'.repeat(way.length - 1);
    const head = declared.length > 0 ? `${kind} (${declared.join(', ')})` : kind;
    return { name: `${parent}.${last.name}`, text: `${head} { ${body} }`, variables };
  };

/** Something to ask for that has to be read: of a connection its count, which `__typename` would not ask for. */
function leavesOf(field: Field): string {
  const type = getNamedType(field.type);
  return isObjectType(type) && 'totalCount' in type.getFields() ? 'totalCount' : '__typename';
}

function isRequired(arg: GraphQLArgument): boolean {
  return isNonNullType(arg.type) && arg.defaultValue === undefined;
}

const SCALARS: Record<string, () => unknown> = {
  ID: () => randomUUID(),
  String: () => 'x',
  Int: () => 1,
  Boolean: () => true,
  Decimal: () => '1.00',
  LocalDate: () => '2020-01-31',
  DateTimeISO: () => '2026-01-02T03:04:05Z',
  Currency: () => 'USD',
  CountryCode: () => 'US',
  Base64: () => pdfOf().toString('base64'),
};
/** Fields with rules beyond their type. */
const FIELDS: Record<string, () => unknown> = {
  number: cardNumber,
  expiration: () => '1299',
  url: () => 'https://bank.example/',
  timeZone: () => 'UTC',
  reason: () => 'Because',
  text: () => 'Ashdown',
  type: () => 'card.frozen',
  period: () => '2026-01',
  taxYear: () => 2026,
};

/** A field of each input that needs one of several: a name is that of a person or of an organisation. */
const ONE_OF: Record<string, string> = { NameInput: 'last' };

/** The fields by which an input names its record in place of its `id`, as the description of that field has them. */
function partsOfName(type: GraphQLInputObjectType): readonly string[] {
  const [, parts = ''] = / in place of (.*)\.$/.exec(type.getFields()['id']?.description ?? '') ?? [];
  return [...parts.matchAll(/`(\w+)`/g)].map(([, name]) => name as string);
}

/** A good value of an input type, with nothing in it that may be left out and has no value. */
export function sample(type: GraphQLInputType, name: string, values: Record<string, unknown> = {}): unknown {
  if (isNonNullType(type)) return sample(type.ofType, name, values);
  if (isListType(type)) return [sample(type.ofType, name, values)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const needed = [...partsOfName(type), ONE_OF[type.name]];
    const fields = Object.values(type.getFields()).filter(
      field => isNonNullType(field.type) || field.name in values || needed.includes(field.name),
    );
    return Object.fromEntries(fields.map(field => [field.name, sample(field.type, field.name, values)]));
  }
  if (name in values) return values[name];
  const make = FIELDS[name] ?? SCALARS[type.name];
  if (!make) throw new Error('a scalar type has no sample: give it one');
  return make();
}
