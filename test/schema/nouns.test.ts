import { expect, test } from '@jest/globals';
import type { GraphQLObjectType } from 'graphql';
import { nouns } from '../../examples/nicknames/nicknames.js';
import { NOUNS } from '../../src/app/nouns.js';
import { buildGraphqlSchema } from '../../src/app/schema.js';

test('a schema has the fields of its own nouns, and none of others in the same process', () => {
  const fieldsOfAccount = (of = NOUNS.with([])) =>
    Object.keys((buildGraphqlSchema(undefined, false, of).getType('Account') as GraphQLObjectType).getFields());
  expect(fieldsOfAccount()).not.toContain('nickname');
  expect(fieldsOfAccount(NOUNS.with(nouns))).toContain('nickname');
  expect(fieldsOfAccount()).not.toContain('nickname');
});
