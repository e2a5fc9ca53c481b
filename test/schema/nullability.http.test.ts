import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import {
  Kind,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  parse,
  type GraphQLField,
  type GraphQLObjectType,
} from 'graphql';
import { startTestGateway } from '../support/gateway.js';
import { servedBy, servedSchema } from '../support/served.js';

type Field = GraphQLField<unknown, unknown>;

const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const schema = await servedSchema(gateway);
const performing = new Set(await servedBy(gateway).performing());
const types = Object.values(schema.getTypeMap()).filter(type => !type.name.startsWith('__'));
const nullable = types
  .filter(type => isObjectType(type))
  .flatMap(type => Object.values(type.getFields()).map(field => ({ type, field })))
  .filter(({ field }) => !isNonNullType(field.type));

/** Why fields of a kind are nullable: the first that holds. */
const REASONS: readonly (readonly [reason: string, holds: (field: Field, type: GraphQLObjectType) => boolean])[] = [
  ['it performs an operation, and can be refused alone', ({ name }, type) => performing.has(`${type.name}.${name}`)],
  ['its description says when', field => /\bnull\b|\bempty for\b/i.test(field.description ?? '')],
  ['sealed data that cannot be decrypted costs the field alone', ({ name }) => name === 'contact'],
  ['it is deprecated, and as it was', ({ deprecationReason }) => deprecationReason != null],
  ['there is none, or none is known', ({ type }) => !isCompositeType(getNamedType(type)) || !isListed(type)],
];

/** A list is empty where there is none, and never null for that. */
function isListed(type: Field['type']): boolean {
  return String(type).startsWith('[');
}

test('every nullable field of an object has a reason', () => {
  expect(nullable.length).toBeGreaterThan(150);
  const without = nullable.filter(({ type, field }) => !REASONS.some(([, holds]) => holds(field, type)));
  expect(without.map(({ type, field }) => `${type.name}.${field.name}`)).toEqual([]);
});

test('what is null only with an error says so to generators of types, and nothing else does', async () => {
  const text = await readFile(new URL('../../schema.graphql', import.meta.url), 'utf8');
  const said = parse(text)
    .definitions.filter(definition => definition.kind === Kind.OBJECT_TYPE_DEFINITION)
    .flatMap(({ name, fields = [] }) =>
      fields
        .filter(({ directives = [] }) => directives.some(one => one.name.value === 'semanticNonNull'))
        .map(field => `${name.value}.${field.name.value}`),
    );
  const meant = nullable.filter(
    ({ type, field }) =>
      performing.has(`${type.name}.${field.name}`) &&
      (type.name === 'Mutation' || isListed(field.type) || String(field.type).endsWith('Connection')),
  );
  const production = meant.filter(({ field }) => !field.name.startsWith('simulate'));
  expect(said.toSorted()).toEqual(production.map(({ type, field }) => `${type.name}.${field.name}`).toSorted());
  expect(said).toContain('Account.transactions');
  expect(said).not.toContain('Query.account');
  const contradicting = meant.filter(({ field }) => /\bnull if\b/i.test(field.description ?? ''));
  expect(contradicting.map(({ field }) => field.name)).toEqual([]);
});

test('the schema says what null means where a description says nothing else', () => {
  expect(schema.description).toContain('Null means that there is none or that none is known');
});

test('ids, and what pages are made of, are never null', () => {
  const isNeverNull = (name: string): boolean =>
    ['id', 'edges', 'nodes', 'node', 'pageInfo', 'totalCount'].includes(name);
  const wrong = types
    .filter(type => isObjectType(type) || isInterfaceType(type))
    .filter(({ name }) => /Connection$|Edge$|^Node$/.test(name))
    .flatMap(type =>
      Object.values(type.getFields()).filter(({ name, type: of }) => isNeverNull(name) && !isNonNullType(of)),
    );
  expect(wrong.map(({ name }) => name)).toEqual([]);
});
