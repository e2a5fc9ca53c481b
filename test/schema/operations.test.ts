import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { getNamedType, isInputObjectType, isObjectType, type GraphQLInputType } from 'graphql';
import { NOUNS } from '../../src/app/nouns.js';
import { getMetadataStorage } from 'type-graphql';
import { UUID } from '../../src/platform/scalars/scalars.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { operationOf } from '../../src/platform/graphql/performs.js';
import { gatewaySources } from '../support/gateway-sources.js';
import { checkRefusals } from '../support/refusals.js';
import { SCOPES } from '../../src/shared/caller.js';
import type { DeclaredOperation } from '../../src/shared/operation.js';

const schema = buildGraphqlSchema(undefined, true);

interface Declaration {
  readonly where: string;
  readonly operation: DeclaredOperation | null;
}

const fields: readonly Declaration[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap(type =>
    Object.values(type.getFields()).map(field => ({
      where: `${type.name}.${field.name}`,
      operation: operationOf(field),
    })),
  );
const routes: readonly Declaration[] = NOUNS.rest(
  { cardsPrefix: 'cards', eventTypes: NOUNS.eventTypes, scopes: NOUNS.scopes },
  true,
)
  .flatMap(({ operations }) => Object.values(operations))
  .map(({ route, of }) => ({ where: route, operation: of ?? null }));

const ROOTS = ['Query', 'Mutation', 'Subscription'];

test('every field of a root type and every route of a noun performs an operation', () => {
  const roots = fields.filter(({ where }) => ROOTS.some(root => where.startsWith(`${root}.`)));
  expect(roots.length).toBeGreaterThan(60);
  expect(routes.length).toBeGreaterThan(60);
  expect([...roots, ...routes].filter(({ operation }) => operation === null).map(({ where }) => where)).toEqual([]);
});

test('an operation is declared once, whichever fields and routes perform it', () => {
  const declared = [...fields, ...routes].flatMap(({ operation }) => operation ?? []);
  const byName = Map.groupBy(new Set(declared), ({ name }) => name);
  expect([...byName].filter(([, operations]) => operations.length > 1).map(([name]) => name)).toEqual([]);
});

test('a payload leads to the account that its mutation names', () => {
  const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
  const current = mutations.filter(({ deprecationReason }) => deprecationReason == null);
  expect(current.length).toBeGreaterThan(40);
  const wrong = current.filter(({ type, args }) => {
    if (!isObjectType(type)) return true;
    const ownTypes = Object.values(type.getFields()).map(field => getNamedType(field.type));
    const leads = [
      ...ownTypes,
      ...ownTypes.flatMap(own =>
        isObjectType(own) ? Object.values(own.getFields()).map(field => getNamedType(field.type)) : [],
      ),
    ];
    const input = getNamedType(args[0]?.type as GraphQLInputType);
    const names = isInputObjectType(input) ? Object.keys(input.getFields()) : [];
    return names.includes('accountId') && !leads.some(({ name }) => name === 'Account');
  });
  // What is revealed is shown once, and is no record.
  expect(wrong.map(({ name }) => name)).toEqual(['revealPersonalData']);
});

test('no class, type of events or kind of records is registered by two nouns', () => {
  const registered = [
    ...NOUNS.all.flatMap(({ entities = [] }) => entities),
    ...NOUNS.all.flatMap(({ resolvers = [] }) => resolvers.map(({ of }) => of)),
    ...NOUNS.all.flatMap(({ events = [] }) => events.map(({ type }) => type)),
    ...NOUNS.all.flatMap(({ imports = {} }) => Object.keys(imports)),
  ];
  expect(registered.length).toBeGreaterThan(100);
  expect(new Set(registered).size).toBe(registered.length);
});

/** What says who may do what: as data about an operation only in `*.operations.ts`. */
const CHECKING = /\.(service|resolver|rest|rest-record|openapi|commands|noun|access)\.ts$/;
/** A value that is shown whole to those who have a scope, whatever shows it, and scopes in examples of answers. */
const OTHERS = ['bank/owner/owner.service.ts', 'bank/viewer/viewer.rest.ts', 'platform/openapi/token.openapi.ts'];

test('no scope is written where it is checked, shown or described', async () => {
  const files = gatewaySources('.ts').filter(
    ({ href }) =>
      CHECKING.test(href) && !href.includes('/src/bank/session/') && !OTHERS.some(name => href.endsWith(name)),
  );
  expect(files.length).toBeGreaterThan(80);
  const scope = new RegExp(
    `(scopes?: *\\[?|require\\(|may\\(|refusalOf\\()'(${SCOPES.join('|')})'|Needs the scopes? \\\\?\``,
  );
  const stray: string[] = [];
  for (const file of files) if (scope.test(await readFile(file, 'utf8'))) stray.push(file.href);
  expect(stray).toEqual([]);
});

test('a description names no code with which the field refuses by its declaration', () => {
  const repeated = Object.values(schema.getTypeMap())
    .filter(isObjectType)
    .flatMap(type => Object.values(type.getFields()).map(field => ({ type, field })))
    .filter(({ field }) => /Refused with|Needs the scopes? `/.test(field.description ?? ''))
    .map(({ type, field }) => `${type.name}.${field.name}: ${getNamedType(field.type).name}`);
  expect(repeated).toEqual([]);
});

test('a test fails that gets a code which the field does not declare, at any depth and under any name', () => {
  const refused = (query: string, path: readonly (string | number)[], code: string): (() => void) => {
    const answer = { body: { errors: [{ path, extensions: { code } }] } };
    return () => checkRefusals({ path: '/graphql', body: { query } }, answer as never);
  };
  const adding = 'mutation { one: addBeneficiary(input: {}) { replayed } }';
  expect(refused(adding, ['one'], 'too_many_beneficiaries')).not.toThrow();
  expect(refused(adding, ['one'], 'idempotency_in_progress')).not.toThrow();
  expect(refused(adding, ['one'], 'card_state')).toThrow('Mutation.addBeneficiary: card_state');
  const reading = '{ accounts { nodes { ...held } } } fragment held on Account { list: holds { totalCount } }';
  expect(refused(reading, ['accounts', 'nodes', 3, 'list'], 'insufficient_scope')).not.toThrow();
  expect(refused(reading, ['accounts', 'nodes', 3, 'list'], 'hold_ended')).toThrow('Account.holds: hold_ended');
});

test('an argument that is a UUID is declared by UuidArg, which reads it', () => {
  const { queries, mutations, subscriptions, fieldResolvers } = getMetadataStorage();
  const params = [...queries, ...mutations, ...subscriptions, ...fieldResolvers].flatMap(method => method.params ?? []);
  const uuids = params.filter(param => param.kind === 'arg' && param.getType() === UUID);
  expect(uuids).toEqual([]);
  expect(params.filter(param => param.kind === 'custom' && param.options.arg?.getType() === UUID).length).toBe(7);
});
