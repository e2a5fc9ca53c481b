import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { isOtherwiseDescribed } from './described-paths.js';
import type { Answer, HttpRequest, AnyBody } from './http.js';
import { recordTraffic } from './traffic.js';

const ADDRESS = 'https://tillgate.example/openapi.json';

/** Headers that an answer has only where the document says so, beside those that many answers share. */
const DESCRIBED_WHERE_ANSWERED = [
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-range',
  'etag',
  'last-modified',
  'location',
  'pragma',
  'retry-after',
  'www-authenticate',
];

type Json = Record<string, AnyBody>;

interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly template: string;
  readonly matches: RegExp;
  /** Where it stands in the document, as a JSON Pointer. */
  readonly pointer: string;
  readonly operation: Json;
}

/** The document of a gateway as a promise: every answer is held against it, and what it accepted as well. */
export class Contract {
  private readonly validators = new Map<string, ValidateFunction>();
  private known: { document: Json; operations: DescribedOperation[]; headers: Set<string>; ajv: Ajv2020 } | undefined;

  constructor(
    private readonly describe: () => object,
    /** True for a gateway on its defaults, whose requests other tools may judge. */
    private readonly isUsual = false,
  ) {}

  get document(): Json {
    return this.read().document;
  }

  get operations(): readonly DescribedOperation[] {
    return this.read().operations;
  }

  /** Throws where an answer, or a request that was carried out, is not as the document says. */
  readonly check = (asking: HttpRequest, answer: Answer): void => {
    const { method = 'GET', path } = asking;
    const [bare = ''] = path.split('?', 1);
    // A preflight, and the question which methods there are, are HTTP's own.
    if (method === 'OPTIONS' || isOtherwiseDescribed(bare)) return;
    const described = this.operationAt(method === 'HEAD' ? 'get' : method.toLowerCase(), bare);
    // A method that a path lacks is no operation, even where the path looks like one that has it.
    const isOperation = described && answer.status !== 405;
    const wrong = isOperation ? this.differences(described, asking, answer) : this.strayDifferences(asking, answer);
    if (wrong.length === 0) {
      if (isOperation && this.isUsual) recordTraffic(asking, answer);
      return;
    }
    const what = described ? `${described.method} ${described.template}` : `${method} of no documented operation`;
    const shown = answer.text.slice(0, 1000);
    throw new Error(`${what}, ${answer.status}: not as documented.\n- ${wrong.join('\n- ')}\nThe body: ${shown}`);
  };

  private read() {
    if (this.known) return this.known;
    const document = closed(JSON.parse(JSON.stringify(this.describe()))) as Json;
    const operations = Object.entries(document['paths'] as Json).flatMap(([template, methods]) =>
      Object.entries(methods as Json).map(([method, operation]) => ({
        id: operation.operationId as string,
        method,
        template,
        operation,
        matches: matcherOf(template),
        pointer: `/paths/${escaped(template)}/${method}`,
      })),
    );
    // Where a path fits two templates, the one with fewer parameters is meant.
    operations.sort((one, other) => one.template.split('{').length - other.template.split('{').length);
    const ajv = new Ajv2020({ strictTypes: false, strictRequired: false, allErrors: true });
    formats.default(ajv);
    // Ajv takes the document for a schema that has all others in it.
    ajv.addVocabulary(Object.keys(document));
    ajv.addSchema(document, ADDRESS, false, false);
    const headers = new Set<string>(DESCRIBED_WHERE_ANSWERED);
    for (const name of Object.keys(document['components'].headers as Json)) headers.add(name.toLowerCase());
    // Compression adds it to every answer, and operations document it only where they choose a form by Accept.
    headers.delete('vary');
    return (this.known = { document, operations, headers, ajv });
  }

  private operationAt(method: string, path: string): DescribedOperation | undefined {
    return this.read().operations.find(other => other.method === method && other.matches.test(path));
  }

  /** What nothing is served at is refused, and nothing else. */
  private strayDifferences({ method }: HttpRequest, { status, headers, body }: Answer): string[] {
    if (status < 400) return ['it is answered, and not documented'];
    if (mediaType(headers['content-type']) !== 'application/problem+json') return ['the refusal is no problem'];
    return method === 'HEAD' ? [] : this.invalid('/components/schemas/Problem', body, 'the body');
  }

  private differences(described: DescribedOperation, asking: HttpRequest, answer: Answer): string[] {
    const { operation, pointer } = described;
    const status = String(answer.status);
    if (!operation['responses'][status]) return ['the status is not documented'];
    const [response, where] = this.resolved(operation['responses'][status] as Json, `${pointer}/responses/${status}`);
    return [
      ...this.headerDifferences(response, where, answer),
      ...this.bodyDifferences(response, where, answer, asking.method === 'HEAD'),
      ...(answer.status < 300 ? this.requestDifferences(described, asking) : []),
    ];
  }

  private headerDifferences(response: Json, where: string, { headers }: Answer): string[] {
    const documented = Object.entries((response['headers'] ?? {}) as Json);
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    const stray = Object.keys(headers).filter(name => this.read().headers.has(name) && !names.has(name));
    return [
      ...stray.map(name => `the header ${name} is not documented`),
      ...documented.flatMap(([name, given]) => {
        const [header, at] = this.resolved(given as Json, `${where}/headers/${escaped(name)}`);
        const value = headers[name.toLowerCase()];
        if (value === undefined) return header['required'] ? [`the header ${name} is missing`] : [];
        return this.invalid(`${at}/schema`, value, `the header ${name}`);
      }),
    ];
  }

  private bodyDifferences(response: Json, where: string, answer: Answer, isHead: boolean): string[] {
    const { headers, body, text } = answer;
    if (!response['content'] || isHead) return text === '' ? [] : ['it has a body'];
    const type = mediaType(headers['content-type']);
    if (!response['content'][type]) return [`the content type ${type} is not documented`];
    if (headers['content-encoding']) return [];
    return this.invalid(`${where}/content/${escaped(type)}/schema`, body, 'the body');
  }

  /** Whatever is accepted has to be documented: a client that keeps to the document can send all there is. */
  private requestDifferences({ operation, pointer }: DescribedOperation, asking: HttpRequest): string[] {
    const wrong: string[] = [];
    const parameters = (operation['parameters'] as Json[]).map((given, index) =>
      this.resolved(given, `${pointer}/parameters/${index}`),
    );
    const query = new URLSearchParams(asking.path.split('?').slice(1).join('?'));
    for (const name of new Set(query.keys())) {
      const [parameter, at] = parameters.find(([other]) => other.in === 'query' && other.name === name) ?? [];
      if (!parameter) wrong.push(`it takes the query parameter ${name}, which is not documented`);
      else wrong.push(...this.invalid(`${at}/schema`, valueOf(parameter, query.getAll(name)), `the parameter ${name}`));
    }
    const sent = asking.body;
    const content = (operation['requestBody']?.content ?? {}) as Json;
    const type = mediaType(headerOf(asking, 'content-type'));
    if (sent !== undefined && operation['requestBody'] && !content[type]) wrong.push(`it takes ${type}`);
    if (sent !== undefined && content[type] && /\bjson$/.test(type)) {
      const text = typeof sent === 'string' || Buffer.isBuffer(sent) ? sent.toString() : JSON.stringify(sent);
      const json = JSON.parse(text) as unknown;
      wrong.push(...this.invalid(`${pointer}/requestBody/content/${escaped(type)}/schema`, json, 'the request'));
    }
    return wrong;
  }

  /** What a value does not hold to. `pointer` is where its schema stands in the document. */
  invalid(pointer: string, value: unknown, what: string): string[] {
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.read().ajv.compile({ $ref: `${ADDRESS}#${encodeURI(pointer)}` });
      this.validators.set(pointer, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map(error => `${what}${error.instancePath} ${error.message}`);
  }

  /** A part of the document, or the component that it refers to, with the pointer to it. */
  resolved(given: Json, pointer: string): [given: Json, pointer: string] {
    const to = given['$ref'] as string | undefined;
    if (to === undefined) return [given, pointer];
    const target = to
      .slice(2)
      .split('/')
      .reduce<Json>((at, key) => at[key] as Json, this.read().document);
    return [target, to.slice(1)];
  }
}

/**
 * Answers may have more in a later release, so the document leaves them open; those of this release have what it
 * describes and nothing else.
 */
function closed(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(closed);
  const inner = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, closed(value)]));
  const isOpen = inner['type'] === 'object' && inner['properties'] && inner['additionalProperties'] === undefined;
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}

/** Exact, in case of letters and slashes. */
function matcherOf(template: string): RegExp {
  const pattern = template.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${pattern}$`);
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function mediaType(header = ''): string {
  return header.split(';', 1).join().trim().toLowerCase();
}

function headerOf({ headers = {} }: HttpRequest, name: string): string | undefined {
  const pairs = Array.isArray(headers)
    ? headers.map((text, index) => [String(text), headers[index + 1]] as const)
    : Object.entries(headers);
  const value = pairs.find(([other]) => other.toLowerCase() === name)?.[1];
  return typeof value === 'string' ? value : undefined;
}

/**
 * The value of a query parameter, as its schema sees it. Those whose case does not matter are documented in one of
 * their spellings.
 */
function valueOf({ schema }: Json, texts: readonly string[]): unknown {
  const [spelling] = ((schema.enum ?? []) as string[]).filter(value => value.toLowerCase() === texts[0]?.toLowerCase());
  if (spelling !== undefined) return spelling;
  const value = (text: string, type: unknown): unknown => {
    if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
    return type === 'integer' && /^\d+$/.test(text) ? Number(text) : text;
  };
  if (schema.type !== 'array') return value(texts[0] ?? '', schema.type);
  return texts.flatMap(text => text.split(',')).map(text => value(text, schema.items.type));
}
