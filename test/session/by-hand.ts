import { readFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  Kind,
  parse,
  typeFromAST,
  type GraphQLInputType,
  type OperationDefinitionNode,
} from 'graphql';
import type { Answer } from '../support/http.js';
import { unique, type TestGateway } from '../support/gateway.js';

export const COOKIE = '__Host-tillgate-console';

/** A document of the page, as the build lists it. */
export interface PageDocument {
  readonly id: string;
  readonly name: string;
  readonly type: 'query' | 'mutation' | 'subscription';
  readonly body: string;
}

export async function pageDocuments(): Promise<readonly PageDocument[]> {
  const text = await readFile('dist/console/operations.json', 'utf8');
  return (JSON.parse(text) as { operations: PageDocument[] }).operations;
}

/** Requests as the page of the console sends them, made by somebody without the page. */
export class ByHand {
  constructor(
    private readonly gateway: TestGateway,
    readonly cookie: string | null,
  ) {}

  static async signedIn(gateway: TestGateway, as: 'viewer' | 'operator' | 'approver'): Promise<ByHand> {
    const { status, headers, text } = await new ByHand(gateway, null).post('/console/sign-in', { as });
    const [cookie] = headers['set-cookie'] ?? [];
    if (status !== 200 || !cookie) throw new Error(`Nobody was signed in: ${text}`);
    return new ByHand(gateway, cookie.split(';')[0] as string);
  }

  get(path: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.send('GET', path, undefined, headers);
  }

  post(path: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    return this.send('POST', path, body, { 'content-type': 'application/json', ...headers });
  }

  /** Sends a document of the page. */
  ask({ id, name }: PageDocument, variables: object, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
    const extensions = { persistedQuery: { version: 1, sha256Hash: id } };
    const body = { operationName: name, variables, extensions };
    return this.post('/console/graphql', body, { 'idempotency-key': unique('by-hand'), ...headers });
  }

  private send(method: string, path: string, body: unknown, headers: OutgoingHttpHeaders): Promise<Answer> {
    const cookie = this.cookie === null ? {} : { cookie: this.cookie };
    return this.gateway.http.send({
      method,
      path,
      body,
      headers: { 'sec-fetch-site': 'same-origin', ...cookie, ...headers },
    });
  }
}

/**
 * The least that the variables of a document must have, in values of the right form. `ids` are for those that end with
 * `Id`.
 */
export async function leastVariables({ body }: PageDocument, ids: Readonly<Record<string, string>>): Promise<object> {
  const files = ['schema.graphql', 'packages/sandbox/schema.graphql'].map(file => readFile(file, 'utf8'));
  const schema = buildSchema((await Promise.all(files)).join('\n'));
  const operation = parse(body).definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const { variableDefinitions = [] } = operation as OperationDefinitionNode;
  const required = variableDefinitions.filter(({ type }) => type.kind === Kind.NON_NULL_TYPE);
  return Object.fromEntries(
    required.map(({ variable: { name }, type }) => [
      name.value,
      leastValue(typeFromAST(schema, type as never) as GraphQLInputType, name.value, ids),
    ]),
  );
}

const SCALARS: Readonly<Record<string, unknown>> = {
  Boolean: false,
  Int: 1,
  Float: 1,
  Decimal: '1.00',
  String: 'abc',
  ID: '00000000-0000-4000-8000-000000000000',
  LocalDate: '2026-01-02',
  DateTimeISO: '2026-01-02T03:04:05Z',
  Currency: 'USD',
  CountryCode: 'US',
  JSONObject: {},
  Metadata: {},
  Base64: 'YWJj',
};

/** Values of a form that the schema does not know. */
const FIELDS: Readonly<Record<string, unknown>> = {
  taxYear: 2026,
  number: '4242424242424242',
  expiration: '1299',
  timeZone: 'UTC',
  period: '2026-01',
  type: 'card.frozen',
};

/**
 * A field of each input that needs one of several: a name is that of a person or of an organisation, a record is named
 * by its id or by the parts of it.
 */
const ONE_OF: Readonly<Record<string, string>> = { NameInput: 'last', MarkTaxFilingInput: 'filingId' };

function leastValue(type: GraphQLInputType, name: string, ids: Readonly<Record<string, string>>): unknown {
  if (isNonNullType(type)) return leastValue(type.ofType, name, ids);
  if (isListType(type)) return [leastValue(type.ofType, name, ids)];
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const needed = type.isOneOf
      ? fields.slice(0, 1)
      : fields.filter(field => isRequiredInputField(field) || field.name === ONE_OF[type.name]);
    return Object.fromEntries(needed.map(field => [field.name, leastValue(field.type, field.name, ids)]));
  }
  return ids[name] ?? FIELDS[name] ?? SCALARS[type.name] ?? 'abc';
}
