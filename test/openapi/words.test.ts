import { expect, test } from '@jest/globals';
import { usualContract } from '../support/contract.js';

/** Every part of the document with the pointer to it. */
function* partsOf(value: unknown, pointer = ''): Generator<[pointer: string, part: Record<string, any>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, any>];
  for (const [key, inner] of Object.entries(value)) {
    yield* partsOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const contract = usualContract();
const parts = [...partsOf(contract.document)];

test('every example is as its schema says', () => {
  const wrong = parts.flatMap(([pointer, { schema, example, examples }]) => {
    if (schema === undefined) return [];
    const values = Object.values((examples ?? {}) as Record<string, { value: unknown }>).map(({ value }) => value);
    return [...values, ...(example === undefined ? [] : [example])].flatMap(value =>
      contract.invalid(`${pointer}/schema`, value, pointer),
    );
  });
  expect(wrong).toEqual([]);
});

test('every body, and every answer that is not refused, has an example, unless it is a document', () => {
  const contents = parts.filter(([pointer]) => /\/content\/[^/]+$/.test(pointer) && !/\/206\//.test(pointer));
  const without = contents.filter(
    ([pointer, { example, examples }]) => !pointer.endsWith('pdf') && !(example ?? examples),
  );
  expect(without.map(([pointer]) => pointer)).toEqual([]);
  expect(contents.length).toBeGreaterThan(50);
});

test('every operation, parameter, header, answer, schema and property is described', () => {
  const isDescribed = ({ description, $ref }: Record<string, any>) => Boolean(description ?? $ref);
  const named = parts.filter(
    ([pointer, part]) =>
      /\/(properties|headers|responses)\/[^/]+$|^\/components\/\w+\/[^/]+$|\/parameters\/\d+$/.test(pointer) &&
      !/\/(schema|allOf\/\d+)\/properties\//.test(pointer) &&
      typeof part === 'object',
  );
  const operations = parts.filter(([, { operationId }]) => operationId !== undefined);
  const silent = [...named, ...operations].filter(([, part]) => !isDescribed(part));
  expect(silent.map(([pointer]) => pointer)).toEqual([]);
  expect(named.length).toBeGreaterThan(200);
});

test('every schema of an object says whether there may be more in it', () => {
  const open = parts.filter(([, { type, properties, additionalProperties }]) => {
    return type === 'object' && properties && additionalProperties !== false;
  });
  // A whole OpenAPI document has a schema of its own.
  expect(open.map(([pointer]) => pointer)).toEqual([
    '/paths/~1openapi.json/get/responses/200/content/application~1json/schema',
  ]);
});
