import { readFile } from 'node:fs/promises';
import { afterAll, expect, test } from '@jest/globals';
import { isInputObjectType, isObjectType } from 'graphql';
import { startTestGateway } from '../support/gateway.js';
import { servedSchema } from '../support/served.js';

/** A name of 0.2, and the one that 1.0 has in its place. */
interface Rename {
  readonly kind: 'field' | 'input' | 'type';
  /** The type in which a field was; absent for a type. */
  readonly type?: string;
  readonly from: string;
  readonly to: string;
}

const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const schema = await servedSchema(gateway);

async function renames(): Promise<readonly Rename[]> {
  const text = await readFile(new URL('../../.ci/renamed-in-1.0.json', import.meta.url), 'utf8');
  return JSON.parse(text) as readonly Rename[];
}

function namesIn(typeName: string): readonly string[] {
  const type = schema.getType(typeName);
  return isObjectType(type) || isInputObjectType(type) ? Object.keys(type.getFields()) : [];
}

test('the schema has each name that the list of renames gives, and none that it takes away', async () => {
  const all = await renames();
  expect(all.length).toBeGreaterThan(40);
  const typeNow = (name = '') => all.find(({ kind, from }) => kind === 'type' && from === name)?.to ?? name;
  const wrong = all.filter(({ kind, type, from, to }) => {
    const names = kind === 'type' ? Object.keys(schema.getTypeMap()) : namesIn(typeNow(type));
    return !names.includes(to) || names.includes(from);
  });
  expect(wrong).toEqual([]);
});
