import { PROGRAM_WIDE, type Scope } from '../../shared/caller.js';
import { inputFields, inputSchemas } from '../input/input-schema.js';
import { both, ref, type JsonSchema } from '../input/json-schema.js';
import { IDEMPOTENCY_KEY, REQUEST_ID, TRACEPARENT } from './headers.js';
import type { Body, Described, Operation, Parameter, Query } from './operation.js';
import { PROBLEM_SCHEMAS } from './refusals.js';
import { COMMON_HEADERS, responsesOf, sharedResponses } from './responses.js';

/** An OpenAPI document (3.1), as it is served. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
}

export interface Preface {
  readonly info: object;
  readonly externalDocs?: object;
  /** The names and looks of what proves who calls. */
  readonly securitySchemes: Readonly<Record<string, object>>;
}

const SHARED_PARAMETERS = [REQUEST_ID, TRACEPARENT, ...IDEMPOTENCY_KEY];

/** Puts together what the parts of the gateway tell of themselves. */
export function openApiDocument(preface: Preface, parts: readonly Described[]): OpenApiDocument {
  const operations = parts.flatMap(part => part.operations ?? []);
  const { securitySchemes, ...head } = preface;
  return {
    openapi: '3.1.1',
    ...head,
    servers: [{ url: '/', description: 'This gateway.' }],
    tags: parts.flatMap(part => part.tags ?? []),
    paths: pathsOf(operations),
    components: {
      schemas: Object.assign(
        {},
        ...inputsOf(operations),
        PROBLEM_SCHEMAS,
        ...parts.map(part => part.schemas),
      ) as object,
      parameters: Object.fromEntries(SHARED_PARAMETERS.map(parameter => [parameter.name, parameterObject(parameter)])),
      headers: COMMON_HEADERS,
      responses: sharedResponses(),
      securitySchemes,
    },
  } as OpenApiDocument;
}

function pathsOf(operations: readonly Operation[]): OpenApiDocument['paths'] {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) (paths[operation.path] ??= {})[operation.method] = operationObject(operation);
  return paths;
}

function operationObject(operation: Operation): object {
  const { id, tag, summary, description, scope, security, body } = operation;
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: scope ? `${description}\n\n${needs(scope)}` : description,
    // Names of scopes have a place only beside flows of OAuth that the document describes, and the issuer is somebody else's.
    ...(scope && { 'x-required-scope': scope }),
    security: scope ? [{ accessToken: [] }] : (security ?? []),
    parameters: parametersOf(operation),
    ...(body && { requestBody: bodyObject(body) }),
    responses: responsesOf(operation),
  };
}

function needs(scope: Scope): string {
  const whose = PROGRAM_WIDE.has(scope) ? ', and a token that is not bound to one customer' : '';
  return `Needs the scope \`${scope}\`${whose}.`;
}

function parametersOf({ scope, method, parameters = [], query }: Operation): object[] {
  const shared = SHARED_PARAMETERS.filter(
    parameter => !IDEMPOTENCY_KEY.includes(parameter) || (scope !== undefined && method !== 'get'),
  );
  return [
    ...[...parameters, ...(query ? queryParameters(query) : [])].map(parameterObject),
    ...shared.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** Tools fill in and send whatever example a parameter has, in its schema too. For one that may be left out it is told in words. */
function parameterObject({ example, description, ...parameter }: Parameter): object {
  if (example === undefined) return { ...parameter, description };
  if (parameter.required) return { ...parameter, description, example };
  const values = [example].flat().map(value => `\`${String(value)}\``);
  return { ...parameter, description: `${description} For example ${values.join(', ')}.` };
}

function queryParameters({ input, examples, besides = {} }: Query): Parameter[] {
  return inputFields(input).map(({ name, description, isRequired, schema }) => ({
    ...{ name, in: 'query', description, required: isRequired, schema: withCommas(both(schema, besides[name] ?? {})) },
    ...(name in examples && { example: examples[name] }),
  }));
}

/** Values of a list may be parameters of their own, or stand in one with commas between. */
function withCommas(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'array') return schema;
  const items = schema['items'] as { readonly enum?: readonly string[]; readonly pattern?: string };
  const one = items.enum ? `(${items.enum.join('|')})` : (items.pattern ?? '').replaceAll(/^\^|\$$/g, '');
  const several = { type: 'string', pattern: `^${one}(,${one})+$` };
  return { ...schema, items: { anyOf: [items, several] } };
}

function bodyObject({ description, input, content }: Body): object {
  const schema: JsonSchema | undefined = input && ref(input.name);
  const types = Object.entries(content).map(([type, media]) => [type, { ...(schema && { schema }), ...media }]);
  return { description, required: true, content: Object.fromEntries(types) as object };
}

function inputsOf(operations: readonly Operation[]): object[] {
  return operations.flatMap(({ body }) => (body?.input ? [Object.fromEntries(inputSchemas(body.input))] : []));
}
