// Linters of others read the schema as it is published. What a rule would refuse that stays as it is has its reason
// here.
import assert from 'node:assert/strict';
import { readFileSync, globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import graphqlEslint from '@graphql-eslint/eslint-plugin';
import { similar, validate } from '@graphql-inspector/core';
import { ESLint } from 'eslint';
import { Source, buildSchema, extendSchema, parse } from 'graphql';
import { root } from './gateway.mjs';

const PUBLISHED = fileURLToPath(new URL('schema.graphql', root));
const text = readFileSync(PUBLISHED, 'utf8');
const schema = buildSchema(text);
const withSandbox = extendSchema(schema, parse(readFileSync(new URL('packages/sandbox/schema.graphql', root), 'utf8')));

const { rules: RECOMMENDED } = graphqlEslint.configs['flat/schema-recommended'];
const [LEVEL, { EnumValueDefinition: enumValues, types, ...names }] = RECOMMENDED['@graphql-eslint/naming-convention'];
const RULES = {
  ...RECOMMENDED,
  '@graphql-eslint/naming-convention': [
    LEVEL,
    {
      ...names,
      // Federation names its scalar so.
      types: { style: types, ignorePattern: '^federation__' },
      EnumValueDefinition: enumValues,
    },
  ],
  // `accountId` is the name of the REST contract, and of the key of a record beside its `id`, which is unique among
  // all.
  '@graphql-eslint/no-typename-prefix': 'off',
  // A part of a record, such as a name, has no identity; `test/platform/graphql/nodes` holds that every record has.
  '@graphql-eslint/strict-id-in-types': 'off',
};

void test('graphql-eslint finds nothing by the rules that it recommends for schemas', async () => {
  const linter = new ESLint({
    cwd: fileURLToPath(root),
    overrideConfigFile: true,
    overrideConfig: [
      {
        files: ['**/*.graphql'],
        languageOptions: { parser: graphqlEslint.parser, parserOptions: { graphQLConfig: { schema: PUBLISHED } } },
        plugins: { '@graphql-eslint': graphqlEslint },
        rules: RULES,
      },
    ],
  });
  const results = await linter.lintFiles([PUBLISHED]);
  assert.equal(results.length, 1);
  const found = results.flatMap(({ messages }) =>
    messages.map(({ ruleId, line, message }) => `${line} ${ruleId} ${message}`),
  );
  assert.deepEqual(found, []);
});

/** Two types that are alike for a reason. */
const ALIKE = {
  'BeneficiaryInput BeneficiaryPatch': 'A patch has the fields of a new record, each of which may be left out.',
  'CardFilter HoldFilter': 'Each chooses by statuses of its own.',
  'CustomerInput CustomerPatch': 'A patch has the fields of a new record, each of which may be left out.',
  'NameInput NamePatch': 'A patch has the parts of a new name, each of which may be left out.',
};
/** Each mutation has an input and a payload of its own, so that it can get fields that others have not (ADR 50). */
const OF_MUTATIONS = Object.keys(schema.getMutationType().getFields()).flatMap(mutation => {
  const name = mutation.charAt(0).toUpperCase() + mutation.slice(1);
  return [`${name}Input`, `${name}Payload`];
});

void test('GraphQL Inspector finds no two types of one shape without a reason, besides pages, inputs and payloads', () => {
  const alike = Object.entries(similar(schema, undefined, 0.8))
    .filter(([name]) => !/(Connection|Edge)$/.test(name) && !OF_MUTATIONS.includes(name))
    .map(([name, { bestMatch }]) => [name, bestMatch.target.typeId].toSorted().join(' '));
  assert.deepEqual(new Set(alike), new Set(Object.keys(ALIKE)));
});

void test('GraphQL Inspector finds the documents of the client and of the console valid, with nothing deprecated', () => {
  const files = globSync(['packages/client/src/**/*.graphql', 'packages/console/src/**/*.graphql'], {
    cwd: fileURLToPath(root),
  });
  assert.ok(files.length > 10);
  const sources = [new Source(files.map(file => readFileSync(new URL(file, root), 'utf8')).join('\n'), 'documents')];
  const found = validate(withSandbox, sources, { strictDeprecated: true });
  assert.deepEqual(
    found.flatMap(({ errors, deprecated }) => [...errors, ...deprecated].map(({ message }) => message)),
    [],
  );
});
