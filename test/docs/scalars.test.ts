import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { buildSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

const fileOf = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The types of scalars that a page gives to copy. */
async function scalarsOn(page: string): Promise<Record<string, string>> {
  const [, lines = ''] = /```yaml\nscalars:\n(.*?)```/s.exec(await fileOf(page)) ?? [];
  return Object.fromEntries(
    lines
      .trim()
      .split('\n')
      .map(line =>
        line
          .trim()
          .split(/:(.*)/s, 2)
          .map(part => part.trim()),
      ),
  );
}

test.each(['docs/graphql.md', 'docs/clients.md'])('%s has the type of each scalar of the schema', async page => {
  const types = Object.values(buildSchema(await fileOf('schema.graphql'), { assumeValidSDL: true }).getTypeMap());
  const own = types.filter(type => isScalarType(type) && !isSpecifiedScalarType(type)).map(({ name }) => name);
  expect(Object.keys(await scalarsOn(page)).toSorted()).toEqual(own.toSorted());
  expect(await scalarsOn(page)).toEqual(await scalarsOn('docs/graphql.md'));
});
