import { describe, expect, jest, test } from '@jest/globals';
import { buildSchema, execute, getOperationAST, parse, type OperationDefinitionNode } from 'graphql';
import { ArgumentReaders, variablePointers } from '../arguments.js';
import { CompileQueue } from '../compile-queue.js';
import { Compiler, type CompiledOperation } from '../compiler.js';
import { Documents } from '../documents.js';
import { selectedFields, type ShapeLimits } from '../selected-fields.js';
import { Variants } from '../variants.js';

const schema = buildSchema(`
  type Query { book(id: ID!, filter: Filter): Book books(first: Int = 2): [Book!] }
  type Mutation { add(title: String!): Book put(book: BookInput!): Book }
  type Book { id: ID! title: String! author: Author related: [Book!] }
  type Author { name: String! books: [Book!] }
  input Filter { title: String tags: [String!] }
  input BookInput { title: String! parts: [PartInput!] }
  input PartInput { title: String! pages: Int! = 1 }
`);
const BOOK = { id: '1', title: 'Emma', author: { name: 'Austen' } };
for (const [type, field] of [
  ['Query', 'book'],
  ['Mutation', 'add'],
] as const) {
  const found = (type === 'Query' ? schema.getQueryType() : schema.getMutationType())?.getFields()[field];
  if (found) found.resolve = () => BOOK;
}

const LIMITS: ShapeLimits = {
  maxDepth: 4,
  maxAliases: 3,
  maxRootFields: 3,
  maxFragments: 3,
  exceeded: (limit, most) => new Error(`${limit} ${most}`),
};

function parsed(text: string) {
  const document = parse(text);
  return { document, operation: getOperationAST(document) as OperationDefinitionNode };
}

function compiled(text: string, variables: Record<string, unknown> = {}): CompiledOperation | null {
  const { document, operation } = parsed(text);
  const variant = new Variants(document, operation).answered(variables);
  if (!variant) return null;
  return new Compiler(schema, LIMITS).compile(document, operation, variant.includes);
}

describe('selectedFields', () => {
  test.each([
    ['maxDepth 4', '{ book(id: 1) { author { books { author { name } } } } }'],
    ['maxAliases 3', '{ book(id: 1) { a: id b: id c: id d: id } }'],
    ['maxRootFields 3', '{ a: books { id } b: books { id } c: book(id: 1) { id } d: book(id: 1) { id } }'],
    ['maxFragments 3', '{ books { ...A } } ' + ['A', 'B', 'C', 'D'].map(n => `fragment ${n} on Book { id }`).join(' ')],
  ])('refuses an operation beyond %s', (message, text) => {
    const { document, operation } = parsed(text);
    expect(() => selectedFields(schema, document, operation, LIMITS)).toThrow(message);
  });

  test('gives the fields in the order of the response, whatever fragments select them', () => {
    const { document, operation } = parsed(
      '{ books { ...B id ... on Book { author { name } } } } fragment B on Book { title author { books { id } } }',
    );
    const [books] = selectedFields(schema, document, operation, LIMITS);
    expect(books?.fields.map(({ definition }) => definition.name)).toEqual(['title', 'author', 'id']);
    expect(books?.fields[1]?.fields.map(({ definition }) => definition.name)).toEqual(['books', 'name']);
  });
});

describe('a compiled operation', () => {
  test.each<[string, Record<string, unknown>]>([
    ['{ book(id: 1) { ...B ...B title } } fragment B on Book { id author { name } }', {}],
    [
      'query ($b: Boolean!) { book(id: 1) { id @skip(if: $b) ...B @include(if: $b) } } fragment B on Book { title }',
      { b: true },
    ],
    ['query ($b: Boolean = false) { book(id: 1) { id @skip(if: $b) title @include(if: $b) } }', {}],
    ['mutation ($t: String!) { add(title: $t) { id title } }', { t: 'Emma' }],
    ['{ book(id: 1) { related { id } a: author { x: name __typename } } }', {}],
  ])('has the result of graphql-js: %s', async (text, variables) => {
    const expected = await execute({ schema, document: parse(text), variableValues: variables });
    const result = await compiled(text, variables)?.execute({}, variables);
    expect(JSON.stringify(result)).toBe(JSON.stringify(expected));
  });

  test.each([
    ['introspection', '{ __schema { queryType { name } } }'],
    ['a response name that is no property', '{ book(id: 1) { __proto__: id } }'],
    ['two writes', 'mutation { a: add(title: "x") { id } b: add(title: "y") { id } }'],
    ['a variable in a literal that may be absent', 'query ($t: String) { book(id: 1, filter: { title: $t }) { id } }'],
    [
      'a variable with a required field inside that has a default',
      'mutation ($book: BookInput!) { put(book: $book) { id } }',
    ],
    ['response names that graphql-jit confuses', '{ a_b: book(id: 1) { id } b: book(id: 1) { a: title } }'],
  ])('is not made of %s', (_what, text) => {
    expect(compiled(text)).toBeNull();
  });

  test('is not made of a condition that is no Boolean', () => {
    const text = 'query ($b: Boolean!) { book(id: 1) { id @skip(if: $b) } }';
    expect(compiled(text, { b: null })).toBeNull();
    expect(compiled(text, { b: 'yes' })).toBeNull();
  });
});

test('arguments are read from literals, variables and defaults', () => {
  const { document, operation } = parsed(
    'query ($t: String = "x", $g: [String!]) { book(id: "7", filter: { title: $t, tags: $g }) { id } books { id } }',
  );
  const [book, books] = selectedFields(schema, document, operation, LIMITS);
  const readers = new ArgumentReaders(operation);
  if (!book || !books) throw new Error('two fields are selected');
  expect(readers.of(book, 'id')({})).toBe('7');
  expect(readers.of(book, 'filter')({ g: ['a'] })).toEqual({ title: 'x', tags: ['a'] });
  expect(readers.of(books, 'first')({})).toBe(2);
  expect([...variablePointers(document, operation)]).toEqual([
    ['t', '/filter/title'],
    ['g', '/filter/tags'],
  ]);
});

test('the queue compiles an operation with its third answer', async () => {
  const { document, operation } = parsed('{ book(id: 1) { id } }');
  const variants = new Variants(document, operation);
  const onCompiled = jest.fn();
  const queue = new CompileQueue(new Compiler(schema, LIMITS), () => false, onCompiled);
  const answered = () => queue.answered({ document, operation, variants }, {});
  answered();
  answered();
  expect(queue.length).toBe(0);
  answered();
  expect(queue.length).toBe(1);
  while (queue.length > 0) await new Promise(resolve => setTimeout(resolve, 5));
  expect([queue.compiled, onCompiled.mock.calls.length]).toEqual([1, 1]);
  expect(await variants.compiled({})?.execute({}, {})).toEqual({ data: { book: { id: '1' } } });
});

test('documents are forgotten when they take too much memory, and measured with what is known about them', async () => {
  let bytes = 1000;
  const documents = new Documents(
    () => ({ bytes }),
    known => known.bytes,
  );
  const learn = async (text: string) => {
    const { document, operation } = parsed(text);
    await documents.set(text, document);
    return documents.learn(text, null, document, operation);
  };
  const known = await learn('{ books { id } }');
  expect(documents.find('{ books { id } }', null)).toBe(known);
  const before = documents.bytes;
  bytes = 900_000;
  for (let n = 0; n < 40; n++) await learn(`{ books { a${n}: id } }`);
  expect(documents.bytes).toBeGreaterThan(before);
  expect(documents.bytes).toBeLessThanOrEqual(32 * 1024 * 1024);
  expect([documents.has('{ books { id } }'), await documents.get('{ books { id } }')]).toEqual([false, undefined]);
});
