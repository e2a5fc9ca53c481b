import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  GraphQLError,
  OperationTypeNode,
  Kind,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  parse,
  typeFromAST,
  validate,
  type GraphQLInputType,
  type OperationDefinitionNode,
} from 'graphql';
import { buildGraphqlSchema } from '../../src/app/schema.js';
import { SCOPES } from '../../src/shared/caller.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

/**
 * A line is a document of release 0.2, from its docs, console, client, examples, benches and tests: as many as name
 * every field, argument, input field, enum value and type of a variable that one of them named.
 */
const DOCUMENTS = readFileSync(new URL('documents-0.2.txt', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n');
const schema = buildGraphqlSchema(undefined, true);

const OPERATIONS = DOCUMENTS.flatMap(text =>
  parse(text)
    .definitions.filter(definition => definition.kind === Kind.OPERATION_DEFINITION)
    .map(operation => ({ text, operation })),
);

/** What says that the gateway does not know a document or the form of its variables. */
const UNKNOWN = ['GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'internal_error'];

const VALUES: Readonly<Record<string, unknown>> = {
  Base64: 'JVBERi0xLjcK',
  Boolean: true,
  CountryCode: 'US',
  Currency: 'USD',
  DateTimeISO: '2026-03-31T18:05:00.000Z',
  Decimal: '1.00',
  Float: 1,
  ID: 'demo-1001',
  Int: 1,
  LocalDate: '2026-03-31',
  String: 'text',
  UUID: '7c0d5b1e-93a4-4f0e-9d0e-2f5b0f3c6a11',
};

/** A value of a type with what the type requires. */
function valueOf(type: GraphQLInputType): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [valueOf(nullable.ofType)];
  const named = getNamedType(nullable);
  if (isEnumType(named)) return named.getValues()[0]?.name;
  if (!isInputObjectType(named)) return VALUES[named.name];
  const required = Object.values(named.getFields()).filter(field => isNonNullType(field.type));
  return Object.fromEntries(required.map(field => [field.name, valueOf(field.type)]));
}

function variablesOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  const required = variableDefinitions.filter(
    ({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue,
  );
  return Object.fromEntries(
    required.map(({ variable, type }) => [variable.name.value, valueOf(typeFromAST(schema, type as never) as never)]),
  );
}

describe('documents of release 0.2', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.stop());

  test('are valid', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(70);
    const errors = DOCUMENTS.flatMap(text => validate(schema, parse(text)).map(({ message }) => message));
    expect(errors).toEqual([]);
  });

  test('would be found out if they were not', () => {
    const [error] = validate(schema, parse('{ account(accountId: "demo-1001") { gone } }'));
    expect(error).toBeInstanceOf(GraphQLError);
  });

  test('are answered', async () => {
    const caller = gateway.as(await gateway.caller({ scopes: SCOPES }));
    const unknown: unknown[] = [];
    for (const { text, operation } of OPERATIONS) {
      if (operation.operation === OperationTypeNode.SUBSCRIPTION) continue;
      const body = { query: text, operationName: operation.name?.value, variables: variablesOf(operation) };
      const { errors = [] } = (await caller.rest.post('/graphql', body)).body as {
        errors?: { message: string; extensions: { code: string } }[];
      };
      unknown.push(...errors.filter(({ extensions }) => UNKNOWN.includes(extensions.code)).map(error => [text, error]));
    }
    expect(unknown).toEqual([]);
  });
});
