import { STATUS_CODES } from 'node:http';

/** An object of a document, or a reference to one. */
type Part = object;

/** The answer of an operation for one status. */
export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Part>>;
  readonly content?: Readonly<
    Record<string, { readonly schema?: Part; readonly examples?: Readonly<Record<string, Part>> }>
  >;
}

/** An operation of a document. */
export interface OperationObject {
  readonly description?: string;
  readonly security?: readonly object[];
  readonly requestBody?: object;
  readonly parameters: readonly (Part & { readonly name?: string })[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
}

export type Paths = Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;

/** Parts of one kind by the name under which the document has them once. */
type Components = Readonly<Record<string, Part>>;

/**
 * Writes parameters, headers and responses that several operations have in common once, as components, and refers to
 * them. A part that one operation has alone stays where it is.
 */
export function sharingParts(paths: Paths): {
  readonly paths: Paths;
  readonly components: Readonly<Record<'parameters' | 'headers' | 'responses', Components>>;
} {
  const operations = (): OperationObject[] => Object.values(paths).flatMap(path => Object.values(path));
  const responses = (): ResponseObject[] => operations().flatMap(operation => Object.values(operation.responses));

  const parameters = new SharedKind('parameters');
  for (const operation of operations()) {
    for (const parameter of operation.parameters) parameters.note(parameter.name ?? '', parameter);
  }
  const headers = new SharedKind('headers');
  for (const response of responses()) {
    for (const [name, header] of Object.entries(response.headers ?? {})) headers.note(name, header);
  }
  const withHeaders = (response: ResponseObject): ResponseObject =>
    response.headers
      ? { ...response, headers: mapValues(response.headers, (header, name) => headers.refer(name, header)) }
      : response;
  const shared = new SharedKind('responses', part => codesOf(part as ResponseObject).join('_'));
  for (const operation of operations()) {
    for (const [status, response] of Object.entries(operation.responses)) {
      shared.note(nameOf(status), withHeaders(response));
    }
  }
  const withShared = (operation: OperationObject): OperationObject => ({
    ...operation,
    parameters: operation.parameters.map(parameter => parameters.refer(parameter.name ?? '', parameter)),
    responses: mapValues(
      operation.responses,
      (response, status) => shared.refer(nameOf(status), withHeaders(response)) as ResponseObject,
    ),
  });
  return {
    paths: mapValues(paths, path => mapValues(path, withShared)),
    components: {
      parameters: parameters.components(),
      headers: headers.components(),
      responses: shared.components(),
    },
  };
}

function nameOf(status: string): string {
  return (STATUS_CODES[status] ?? '').replace(/\W/g, '');
}

/** Lists the codes with which a response can refuse. */
function codesOf({ content = {} }: ResponseObject): string[] {
  return Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
}

/** Parts of one kind, counted by what they say. */
class SharedKind {
  /** The number of uses of each part, by its JSON, for each name. */
  private readonly uses = new Map<string, Map<string, number>>();
  /** The components of each name, made when the first one is referred to. All uses are noted by then. */
  private readonly named = new Map<string, ReadonlyMap<string, string>>();

  constructor(
    private readonly kind: string,
    /** Tells a part from others of its name that are used more. */
    private readonly detailOf: (part: Part) => string = () => '',
  ) {}

  note(name: string, part: Part): void {
    const ofName = this.uses.get(name) ?? new Map<string, number>();
    const json = JSON.stringify(part);
    this.uses.set(name, ofName.set(json, (ofName.get(json) ?? 0) + 1));
  }

  /** The part itself if it is used once, else a reference. */
  refer(name: string, part: Part): Part {
    const component = this.componentsOf(name).get(JSON.stringify(part));
    return component === undefined ? part : { $ref: `#/components/${this.kind}/${component}` };
  }

  components(): Components {
    return Object.fromEntries(
      [...this.uses.keys()].flatMap(name =>
        [...this.componentsOf(name)].map(([json, component]) => [component, JSON.parse(json) as Part] as const),
      ),
    );
  }

  private componentsOf(name: string): ReadonlyMap<string, string> {
    const components = this.named.get(name) ?? this.nameComponents(name);
    this.named.set(name, components);
    return components;
  }

  /** The component of each part that is used more than once. The one that is used most has the name alone. */
  private nameComponents(name: string): ReadonlyMap<string, string> {
    const repeated = [...(this.uses.get(name) ?? [])].filter(([, count]) => count > 1);
    const taken = new Set<string>();
    return new Map(
      repeated
        .toSorted(([, one], [, other]) => other - one)
        .map(([json]) => {
          const detailed = [name, this.detailOf(JSON.parse(json) as Part)].filter(Boolean).join('_');
          const free = [name, detailed, ...Array.from({ length: repeated.length }, (_, n) => `${detailed}_${n + 2}`)];
          const component = free.find(candidate => !taken.has(candidate)) as string;
          taken.add(component);
          return [json, component];
        }),
    );
  }
}

function mapValues<Value, Result>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
