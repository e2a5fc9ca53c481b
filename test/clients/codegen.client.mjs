// Generators of typed models for other languages read the schema as it is published.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { codegen } from '@graphql-codegen/core';
import * as flutter from '@graphql-codegen/flutter-freezed';
import * as java from '@graphql-codegen/java';
import * as kotlin from '@graphql-codegen/kotlin';
import * as operations from '@graphql-codegen/typescript-operations';
import { buildSchema, isEnumType, isInputObjectType, isScalarType, parse } from 'graphql';
import { root } from './gateway.mjs';

const schema = buildSchema(readFileSync(new URL('schema.graphql', root), 'utf8'));
const named = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const documents = [
  {
    location: 'documents.graphql',
    document: parse(readFileSync(new URL('packages/client/src/documents.graphql', root), 'utf8')),
  },
];

async function generate(plugin, config = {}, given = []) {
  return codegen({
    schema: parse(readFileSync(new URL('schema.graphql', root), 'utf8')),
    documents: given,
    config,
    filename: `generated-${Math.random()}`,
    plugins: [{ it: {} }],
    pluginMap: { it: plugin },
  });
}

/** The type of each scalar of the schema in another language; text where the language has no better one. */
const scalarsAs = (text, others = {}) => ({
  ...Object.fromEntries(named.filter(isScalarType).map(({ name }) => [name, text])),
  ...others,
});

void test('Kotlin gets a class for each input and each enum, with exact amounts', async () => {
  const scalars = scalarsAs('String', { Int: 'Int', Boolean: 'Boolean', Decimal: 'java.math.BigDecimal' });
  const code = await generate(kotlin, { package: 'tillgate', scalars });
  assert.match(code, /amount: java\.math\.BigDecimal/);
  // The generator adds the suffix where an input has another name.
  for (const type of named.filter(isEnumType)) assert.match(code, new RegExp(`enum class ${type.name}\\(`));
  for (const type of named.filter(isInputObjectType)) {
    assert.match(code, new RegExp(`data class ${type.name}(Input)?\\(`));
  }
});

void test('Java gets an enum for each enum of the schema', async () => {
  const code = await generate(java, { package: 'tillgate', className: 'Types' });
  for (const type of named.filter(isEnumType)) assert.match(code, new RegExp(`public enum ${type.name} `));
});

void test('Dart gets a class for each input', async () => {
  const code = await generate(flutter);
  for (const type of named.filter(isInputObjectType)) assert.match(code, new RegExp(`class ${type.name} with`));
});

/** The types of scalars that the page gives to copy. */
const [, scalarLines] = /```yaml\nscalars:\n(.*?)```/s.exec(readFileSync(new URL('docs/graphql.md', root), 'utf8'));
const scalars = Object.fromEntries(
  scalarLines
    .trim()
    .split('\n')
    .map(line => line.trim().split(': ')),
);

void test('TypeScript gets the types of operations by the scalars of the docs, with money as text', async () => {
  const code = await generate(operations, { strictScalars: true, scalars }, documents);
  assert.match(code, /amount: string/);
  // The helper types that the generator writes in front of all others are its own.
  const types = code.replaceAll(/\/\*\*[^]*?\*\/|^(export )?type (Exact|Incremental)<.*$/gm, '');
  assert.doesNotMatch(types, /\b(any|unknown)\b(?!>)/);
  assert.match(types, /accountType: AccountType/);
});
