import { afterAll, expect, test } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import type { AnyBody } from '../support/http.js';
import { contractServed } from '../support/served.js';

/** Every part of the document with the pointer to it. */
function* partsOf(value: unknown, pointer = ''): Generator<[pointer: string, part: Record<string, AnyBody>]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [pointer, value as Record<string, AnyBody>];
  for (const [key, inner] of Object.entries(value)) {
    yield* partsOf(inner, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const contract = await contractServed(gateway);
const parts = [...partsOf(contract.document)];

test('every example is as its schema says', () => {
  const wrong = parts.flatMap(([pointer, { schema, example, examples }]) => {
    if (schema === undefined) return [];
    const named = Object.values((examples ?? {}) as Record<string, Record<string, AnyBody>>);
    const values = named.map(given => contract.resolved(given, pointer)[0]['value'] as unknown);
    return [...values, ...(example === undefined ? [] : [example])].flatMap(value =>
      contract.invalid(`${pointer}/schema`, value, pointer),
    );
  });
  expect(wrong).toEqual([]);
});

test('every example of a parameter that may be left out is told in words, and is as its schema says', () => {
  const optional = parts.filter(([, part]) => 'in' in part && 'schema' in part && !part['required']);
  expect(optional.filter(([, part]) => part['example'] ?? part['schema'].examples ?? part['examples'])).toEqual([]);
  const wrong = optional.flatMap(([pointer, { description, schema }]) => {
    const [, words = ''] = / For example (.+)\.$/.exec(description) ?? [];
    const values = [...words.matchAll(/`([^`]+)`/g)].map(([, text = '']) =>
      schema.type === 'integer' ? Number(text) : text,
    );
    if (values.length === 0) return [];
    return contract.invalid(`${pointer}/schema`, schema.type === 'array' ? values : values[0], pointer);
  });
  expect(wrong).toEqual([]);
  expect(optional.filter(([, { description }]) => / For example /.test(description)).length).toBeGreaterThan(15);
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
  const isDescribed = ({ description, $ref }: Record<string, AnyBody>) => Boolean(description ?? $ref);
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

test('what is sent may have no property that is not described, and what is answered may have more one day', async () => {
  const { body } = await gateway.as(null).rest.get('/openapi.json');
  const published = body.components['schemas'] as Record<string, AnyBody>;
  for (const [name, schema] of Object.entries(published)) {
    if (schema.type !== 'object') continue;
    const isSent = /(Input|Patch|(?<!Approval)Change|Record|Order)$/.test(name);
    expect([name, schema.additionalProperties]).toEqual([name, isSent ? false : undefined]);
  }
});

test('nothing stands beside a reference but a description', () => {
  const beside = parts.filter(
    ([, part]) => '$ref' in part && Object.keys(part).some(key => !['$ref', 'description'].includes(key)),
  );
  expect(beside.map(([pointer]) => pointer)).toEqual([]);
});

test('every list says what is in it, and how long it may be', () => {
  const lists = parts.filter(([, { type }]) => [type].flat().includes('array'));
  expect(lists.length).toBeGreaterThan(30);
  expect(
    lists.filter(([, { items, maxItems }]) => !items || maxItems === undefined).map(([pointer]) => pointer),
  ).toEqual([]);
});

/**
 * Sentences for people, whole files, values of whatever field an approval changes, and what the issuer, the settings of
 * the gateway or the IRS decide.
 */
const WITHOUT_LIMIT =
  /\/(title|detail|error_description|scope|client_id|client_secret|telephone|timeZone)$|text~1csv|text~1plain|issuer\/properties|(payer|recipient)\/properties|boxes|ApprovalChange\/properties/;

test('every text has a form or a length, where one is known', () => {
  const isBounded = ({ enum: values, const: value, pattern, format, maxLength }: Record<string, AnyBody>) =>
    [values, value, pattern, format, maxLength].some(keyword => keyword !== undefined);
  const headers = new Set(parts.flatMap(([pointer, part]) => (part['in'] === 'header' ? [`${pointer}/schema`] : [])));
  const texts = parts.filter(
    ([pointer, { type }]) =>
      !headers.has(pointer) && [type].flat().includes('string') && !/\/examples?\//.test(pointer),
  );
  expect(texts.length).toBeGreaterThan(200);
  const endless = texts.filter(([pointer, part]) => !isBounded(part) && !WITHOUT_LIMIT.test(pointer));
  expect(endless.map(([pointer]) => pointer)).toEqual([]);
});
