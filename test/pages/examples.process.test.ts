import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { readFileSync } from 'node:fs';
import { EXAMPLE_OPERATIONS, SANDBOX_EXAMPLE } from '../../src/app/examples.js';
import { jobsDone } from '../support/jobs.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ demoData: true });
  await jobsDone(gateway.sql);
});
afterAll(() => gateway.stop());

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const EXAMPLES = EXAMPLE_OPERATIONS.map(
  example => [/^(?:query|mutation) (\w+)/m.exec(example.query)?.[1] ?? '', example] as const,
);

test.each(EXAMPLES)('the example %s is what the schema knows, and uses nothing that goes away', (_, { query }) => {
  expect(validate(schema, parse(query))).toEqual([]);
});

/** What must not be empty in an answer, however deep. */
function emptyParts(value: unknown, path = 'data'): string[] {
  if (value === null || (Array.isArray(value) && value.length === 0)) return [path];
  return typeof value === 'object'
    ? Object.entries(value).flatMap(([key, part]) => emptyParts(part, `${path}.${key}`))
    : [];
}

test.each(EXAMPLES)('the example %s gives rows of the demo data, the same when it is run again', async (_, example) => {
  const caller = gateway.as(await gateway.caller());
  const { query, variables, headers } = example;
  const answers = [];
  for (let run = 0; run < 2; run += 1) answers.push(await caller.graphql(query, variables, { headers }));
  const [first, second] = answers;
  expect(first?.errors).toBeUndefined();
  expect(emptyParts(first?.data)).toEqual([]);
  // A retry says that it is one.
  const asFirst = (key: string, value: unknown): unknown => (key === 'replayed' ? false : value);
  expect(JSON.parse(JSON.stringify(second?.data), asFirst)).toEqual(first?.data);
});

test('the example of the sandbox makes another payment each time', async () => {
  const caller = gateway.as(await gateway.caller());
  const { query, variables } = SANDBOX_EXAMPLE;
  const made = [await caller.graphql(query, variables), await caller.graphql(query, variables)];
  const [one, other] = made.map(({ data }) => data.simulateAchCredit.transaction);
  expect(emptyParts(one)).toEqual([]);
  expect(one.transactionId).not.toBe(other.transactionId);
});
