import { PROGRAM_WIDE, type Scope } from '../../shared/caller.js';
import { inputFields, inputSchemas } from '../input/input-schema.js';
import { ref, type JsonSchema } from '../input/json-schema.js';
import { fitted, type Schemas } from './example.js';
import { COMMON_HEADERS, IDEMPOTENCY_KEY, USUAL_PARAMETERS } from './headers.js';
import type { Answer, FullOperation, Operation, Parameter, Part } from './operation.js';
import { recordSchemas } from './record-schema.js';
import { PROBLEM_SCHEMAS } from './refusals.js';
import { responsesOf, sharedResponses } from './responses.js';

/** An OpenAPI document (3.1), as it is served. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** The document without what its parts tell. */
export interface Preface {
  readonly info: object;
  readonly securitySchemes: Readonly<Record<string, object>>;
}

/** Puts together what the parts of the gateway tell of themselves. */
export function openApiDocument({ info, securitySchemes }: Preface, parts: readonly Part[]): OpenApiDocument {
  const operations = parts.flatMap(part => Object.values(part.operations));
  const schemas: Schemas = Object.fromEntries([
    ...operations.flatMap(({ body }) => (body?.input ? [...inputSchemas(body.input)] : [])),
    ...Object.entries(PROBLEM_SCHEMAS),
    ...Object.entries(recordSchemas(parts.flatMap(part => part.records ?? []))),
    ...parts.flatMap(part => Object.entries(part.schemas ?? {})),
  ]);
  const paths: Record<string, Record<string, object>> = {};
  for (const part of parts) {
    for (const [id, operation] of Object.entries(part.operations)) {
      const full = completed(operation, schemas);
      const { summary, description } = operation;
      (paths[full.path] ??= {})[full.method] = {
        operationId: id,
        tags: [part.tag.name],
        summary,
        ...operationObject(full, description),
      };
    }
  }
  const shared = [...USUAL_PARAMETERS, ...IDEMPOTENCY_KEY];
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'This gateway.' }],
    tags: parts.map(({ tag }) => tag),
    paths,
    components: {
      schemas,
      parameters: Object.fromEntries(shared.map(parameter => [parameter.name, parameterObject(parameter)])),
      headers: COMMON_HEADERS,
      responses: sharedResponses(),
      securitySchemes,
    },
  } as OpenApiDocument;
}

function completed(operation: Operation, schemas: Schemas): FullOperation {
  const { route, parameters = [], query, body, answers } = operation;
  const [method = '', path = ''] = route.split(' ');
  const ofQuery = query ? inputFields(query.input).map(field => queryParameter(field, query.examples)) : [];
  const withExamples = <Whole extends Pick<Answer, 'content'>>(whole: Whole, schema?: JsonSchema): Whole => {
    const content = Object.entries(whole.content ?? {}).map(([type, media]) => {
      const described = { ...(schema && { schema }), ...media };
      const { example } = described;
      if (example === undefined || !described.schema) return [type, described];
      return [type, { ...described, example: fitted(example, described.schema, schemas) }];
    });
    return { ...whole, ...(whole.content && { content: Object.fromEntries(content) as object }) };
  };
  return {
    ...operation,
    method: method.toLowerCase(),
    path,
    parameters: [...parameters, ...ofQuery],
    ...(body && { body: withExamples(body, body.input && ref(body.input.name)) }),
    answers: Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, withExamples(answer)])),
  };
}

function operationObject(operation: FullOperation, description: string): object {
  const { method, scope, security = [], parameters, body } = operation;
  const usual = scope && method !== 'get' ? [...USUAL_PARAMETERS, ...IDEMPOTENCY_KEY] : USUAL_PARAMETERS;
  return {
    description: scope ? `${description}\n\n${needs(scope)}` : description,
    // OpenAPI knows scopes only of OAuth flows that the document describes, and the issuer is not part of the gateway.
    ...(scope && { 'x-required-scope': scope }),
    security: scope ? [{ accessToken: [] }] : security,
    parameters: [
      ...parameters.map(parameterObject),
      ...usual.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    ],
    ...(body && { requestBody: { description: body.description, required: true, content: body.content } }),
    responses: responsesOf(operation),
  };
}

function needs(scope: Scope): string {
  const whose = PROGRAM_WIDE.has(scope) ? ', and a token that is not bound to one customer' : '';
  return `Needs the scope \`${scope}\`${whose}.`;
}

/** Tools send whatever example a parameter has, or its schema. So the example of an optional one is only told in its description. */
function parameterObject({ name, in: place, required, schema, description, example }: Parameter): object {
  const parameter = { name, in: place, description, ...(required !== undefined && { required }), schema };
  if (example === undefined) return parameter;
  if (required) return { ...parameter, example };
  const values = [example].flat().map(value => `\`${String(value)}\``);
  return { ...parameter, description: `${description} For example ${values.join(', ')}.` };
}

function queryParameter(
  { name, description, isRequired, schema }: ReturnType<typeof inputFields>[number],
  { [name]: example }: Readonly<Record<string, NonNullable<Parameter['example']>>>,
): Parameter {
  const described = { name, in: 'query', description, required: isRequired, schema: withCommas(schema) } as const;
  return example === undefined ? described : { ...described, example };
}

/** The values of a list may be parameters of their own, or one parameter with commas between them. */
function withCommas(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'array') return schema;
  const items = schema['items'] as { readonly enum?: readonly string[]; readonly pattern?: string };
  const one = items.enum ? `(${items.enum.join('|')})` : (items.pattern ?? '').replaceAll(/^\^|\$$/g, '');
  const several = { type: 'string', pattern: `^${one}(,${one})+$` };
  return { ...schema, items: { anyOf: [items, several] } };
}
