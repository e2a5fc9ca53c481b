import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { NoDeprecatedCustomRule, buildSchema, parse, specifiedRules, validate } from 'graphql';
import { EXAMPLE_OPERATIONS, LIVE_EXAMPLE, SANDBOX_EXAMPLE } from '../../src/app/examples.js';
import { startTestGateway } from '../support/gateway.js';
import { servedSchema } from '../support/served.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const gateway = await startTestGateway();
afterAll(() => gateway.stop());
const schema = await servedSchema(gateway);

function problemsIn(document: string, of = schema): string[] {
  // A file of operations may have fragments for all of them, and use each once or never.
  const rules = specifiedRules.filter(({ name }) => name !== 'NoUnusedFragmentsRule');
  return validate(of, parse(document), [...rules, NoDeprecatedCustomRule]).map(({ message }) => message);
}

const filesIn = (pattern: string): string[] => globSync(pattern, { cwd: ROOT, exclude: ['**/node_modules/**'] });
const read = (files: readonly string[]): string => files.map(file => readFileSync(join(ROOT, file), 'utf8')).join('\n');

describe('our own documents use nothing that is deprecated', () => {
  test('of the console', () => {
    const files = filesIn('packages/console/src/**/*.graphql');
    expect(files.length).toBeGreaterThan(5);
    expect(problemsIn(read(files))).toEqual([]);
  });

  test.each(['packages/client/src/documents.graphql', 'examples/apollo-client/src/operations.graphql'])('%s', file => {
    expect(problemsIn(read([file]))).toEqual([]);
  });

  test('of the tabs of Apollo Sandbox', () => {
    const examples = [...EXAMPLE_OPERATIONS, SANDBOX_EXAMPLE, LIVE_EXAMPLE];
    expect(examples.flatMap(({ query }) => problemsIn(query))).toEqual([]);
  });

  test('and would be found out', () => {
    const older = buildSchema('type Query { now: String later: String @deprecated(reason: "Use `now`.") }');
    expect(problemsIn('{ later }', older)).toEqual([expect.stringContaining('Use `now`.')]);
  });
});
