import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { isInputObjectType, isObjectType, parse, validate } from 'graphql';
import { startTestGateway } from '../support/gateway.js';
import { servedSchema } from '../support/served.js';
import { rewritten, type Rename } from './rewritten.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const schema = await servedSchema(gateway);

const textOf = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8');
const renames = async (): Promise<readonly Rename[]> =>
  JSON.parse(await textOf('../../.ci/renamed-in-1.0.json')) as readonly Rename[];

function namesIn(typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

test('the schema has each name that the list of renames gives, and none that it takes away', async () => {
  const all = await renames();
  expect(all.length).toBeGreaterThan(90);
  const typeNow = (name: string) =>
    all.flatMap(one => (one.kind === 'type' && one.from === name ? one.to : []))[0] ?? name;
  const wrong = all.filter(one => {
    if (one.kind === 'mutation') {
      const own = `${one.field.charAt(0).toUpperCase()}${one.field.slice(1)}`;
      const inputs = namesIn(`${own}Input`);
      const isThere = Object.values(one.arguments ?? {}).every(name => inputs.includes(name));
      return !isThere || (one.record !== undefined && !namesIn(`${own}Payload`).includes(one.record));
    }
    const names = one.kind === 'type' ? Object.keys(schema.getTypeMap()) : namesIn(typeNow(one.type));
    return !names.includes(one.to) || names.includes(one.from);
  });
  expect(wrong).toEqual([]);
});

test('documents of 0.2 run with the names of the list', async () => {
  const all = await renames();
  const old = parse(await textOf('documents-of-0.2.graphql'));
  const messagesOf = (document: typeof old) => validate(schema, document).map(({ message }) => message);
  expect(messagesOf(old).length).toBeGreaterThan(10);
  expect(messagesOf(rewritten(old, all, schema))).toEqual([]);
});

/** Mutations of 1.0 that 0.2 did not have. */
const NEW = ['startStatementRun', 'stopStatementRun', 'startTaxFiling', 'acknowledgeTaxFiling', 'markTaxFiling'];

test('every mutation of the schema is on the list, or is new', async () => {
  const all = await renames();
  const listed = all.flatMap(one => (one.kind === 'mutation' ? one.field : []));
  const served = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...listed, ...NEW].toSorted()).toEqual(served.filter(name => !name.startsWith('simulate')).toSorted());
});
