import { PROGRAM_WIDE } from '../../shared/caller.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import { inputFields, inputSchemas, type DescribedField } from '../input/input-schema.js';
import { ref, type JsonSchema } from '../input/json-schema.js';
import { fitted, type DocumentSchemas } from './example.js';
import { AGENT_REASON, IDEMPOTENCY_KEY, USUAL_PARAMETERS } from './headers.js';
import {
  answer,
  type Answer,
  type FullOperation,
  type Operation,
  type PageWords,
  type Parameter,
  type Part,
} from './operation.js';
import { PAGING, pageExample, pageSchema } from './paging.js';
import { recordSchemas } from './record-schema.js';
import { PROBLEM_SCHEMAS } from './refusals.js';
import { problemExamples, responsesOf } from './responses.js';
import { sharingParts, type OperationObject, type Paths } from './shared-parts.js';
import { WAITS } from './waiting.js';

/** An OpenAPI document (3.1), as it is served. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly object[];
  readonly tags: readonly object[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, object>>;
}

/** The document without what its parts tell. */
export interface Preface {
  readonly info: object;
  readonly securitySchemes: Readonly<Record<string, object>>;
}

/** Puts together what the parts of the gateway tell of themselves. */
export function openApiDocument({ info, securitySchemes }: Preface, parts: readonly Part[]): OpenApiDocument {
  const schemas = knownTo(parts);
  const paths: Record<string, Record<string, OperationObject>> = {};
  const all: FullOperation[] = [];
  for (const { tag, operations } of parts) {
    for (const [operationId, operation] of Object.entries(operations)) {
      const full = completed(operation, schemas);
      all.push(full);
      const { summary, description } = operation;
      const head = { operationId, tags: [tag.name], summary };
      (paths[full.path] ??= {})[full.method] = { ...head, ...operationObject(full, description) };
    }
  }
  const shared = sharingParts(paths);
  return {
    openapi: '3.1.1',
    info,
    servers: [{ url: '/', description: 'This gateway.' }],
    tags: parts.map(({ tag }) => tag),
    paths: shared.paths,
    components: {
      schemas: schemas.schemas,
      ...shared.components,
      examples: problemExamples(all),
      securitySchemes,
    },
  };
}

function knownTo(parts: readonly Part[]): DocumentSchemas {
  const operations = parts.flatMap(part => Object.values(part.operations));
  const records = parts.flatMap(part => part.records ?? []);
  return {
    schemas: Object.fromEntries([
      ...operations.flatMap(({ body }) => (body?.input ? [...inputSchemas(body.input)] : [])),
      ...Object.entries(PROBLEM_SCHEMAS),
      ...Object.entries(recordSchemas(records)),
      ...operations.flatMap(({ page }) => (page ? [[page.name, pageSchema(page)] as const] : [])),
      ...parts.flatMap(part => Object.entries(part.schemas ?? {})),
    ]),
    examples: Object.fromEntries(records.map(({ of, name = of.name, example }) => [name, example])),
  };
}

function completed(operation: Operation, schemas: DocumentSchemas): FullOperation {
  const { route, parameters = [], query, body, page, answers = {} } = operation;
  const [method = '', path = ''] = route.split(' ');
  const withExamples = <Whole extends Pick<Answer, 'content'>>(whole: Whole, usual?: JsonSchema): Whole => {
    if (!whole.content) return whole;
    const content = Object.entries(whole.content).map(([type, { schema = usual, example }]) => {
      const isShown = example !== undefined || (schema && Object.keys(schema).length > 0);
      return [type, { schema, ...(isShown && { example: fitted(example, schema ?? {}, schemas) }) }];
    });
    return { ...whole, content: Object.fromEntries(content) as object };
  };
  const all = { ...(page && { 200: pageAnswer(page) }), ...(operation.of?.mayWait && WAITS), ...answers };
  return {
    ...operation,
    method: method.toLowerCase(),
    path,
    parameters: [
      ...parameters,
      ...(page ? PAGING : []),
      ...(page?.onlyLinked ?? []),
      ...(query ? inputFields(query.input).map(field => queryParameter(field, query.examples[field.name])) : []),
    ],
    ...(body && { body: withExamples(body, body.input && ref(body.input.name)) }),
    answers: Object.fromEntries(Object.entries(all).map(([status, one]) => [status, withExamples(one)])),
  };
}

function pageAnswer(page: PageWords): Answer {
  const inJson = answer('A page of the list.', page.name, pageExample(page));
  const { headers, content } = page.otherForms ?? {};
  return { ...inJson, headers: { ...inJson.headers, ...headers }, content: { ...inJson.content, ...content } };
}

function operationObject(operation: FullOperation, description: string): OperationObject {
  const { method, of, security = [], parameters, body } = operation;
  const scopes = of?.scopes ?? [];
  const ofWrites = of && method !== 'get' ? IDEMPOTENCY_KEY : [];
  const usual = [...USUAL_PARAMETERS, ...ofWrites, ...(of?.mayWait ? [AGENT_REASON] : [])];
  return {
    description: of && scopes.length > 0 ? `${description}\n\n${needs(of)}` : description,
    // OpenAPI knows scopes only of OAuth flows that the document describes, and the issuer is not part of the gateway.
    ...(scopes.length > 0 && { 'x-required-scope': scopes.join(' ') }),
    security: of ? [{ accessToken: [] }] : security,
    parameters: [...parameters, ...usual].map(parameterObject),
    ...(body && { requestBody: { description: body.description, required: true, content: body.content } }),
    responses: responsesOf(operation),
  };
}

function needs({ scopes, isProgramWide, isForPeople }: DeclaredOperation): string {
  const words = `${scopes.length > 1 ? 'scopes' : 'scope'} ${scopes.map(scope => `\`${scope}\``).join(' and ')}`;
  const whose =
    isProgramWide || scopes.some(scope => PROGRAM_WIDE.has(scope))
      ? ', and a token that is not bound to one customer'
      : '';
  return `Needs the ${words}${whose}${isForPeople ? ', and no token of an agent' : ''}.`;
}

/** Tools send whatever example a parameter has, so that of an optional one is only told in its description. */
function parameterObject({ name, in: place, required, schema, description, example }: Parameter): object {
  const parameter = { name, in: place, description, ...(required !== undefined && { required }), schema };
  if (example === undefined) return parameter;
  if (required) return { ...parameter, example };
  const values = [example].flat().map(value => `\`${String(value)}\``);
  return { ...parameter, description: `${description} For example ${values.join(', ')}.` };
}

function queryParameter(
  { name, description, isRequired, schema }: DescribedField,
  example: Parameter['example'],
): Parameter {
  return { name, in: 'query', description, required: isRequired, schema: withCommas(schema), example };
}

/** The values of a list may be parameters of their own, or one parameter with commas between them. */
function withCommas(schema: JsonSchema): JsonSchema {
  if (schema['type'] !== 'array') return schema;
  const items = schema['items'] as { readonly enum?: readonly string[]; readonly pattern?: string };
  const one = items.enum ? `(${items.enum.join('|')})` : (items.pattern ?? '').replaceAll(/^\^|\$$/g, '');
  const several = { type: 'string', pattern: `^${one}(,${one})+$` };
  return { ...schema, items: { anyOf: [items, several] } };
}
