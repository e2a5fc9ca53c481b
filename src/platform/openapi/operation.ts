import type { Refusal } from '../../shared/errors.js';
import type { DeclaredOperation } from '../../shared/operation.js';
import type { InputClass } from '../input/input.js';
import { ref, type JsonSchema } from '../input/json-schema.js';
import type { RestRecord } from './record-schema.js';

/** A parameter of an operation, besides its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: Example | undefined;
  /** The refusal of a read whose value names nothing; writes declare it. */
  readonly unknown?: () => Refusal;
}

export type Example = string | number | readonly string[];

export function parameter(
  place: Parameter['in'],
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
  example?: Example,
): Parameter {
  return { name, in: place, description, ...(place === 'path' && { required: true }), schema, example };
}

/** The parameter of writes that can be asked as a dry run. */
export const DRY_RUN = parameter(
  'query',
  'dryRun',
  'True to try the request only: the same checks and the same answer, but nothing is written, no event is recorded, and an idempotency key is neither looked up nor used.',
  { type: 'boolean', default: false },
);

/** Bodies by their content types. An example may leave out what `fitted` fills in. */
type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;

/** A page of a list in the contract's words, which are not the same for every list. */
export interface PageWords {
  /** The name of its schema. */
  readonly name: string;
  readonly description: string;
  /** The property with the elements, what they are, and the schema of each. */
  readonly elements: readonly [name: string, description: string, items: JsonSchema];
  /** The next link of the example. */
  readonly next: string;
  /** Parameters that only the next link has. */
  readonly onlyLinked?: readonly Parameter[];
  /** Offsets in the page are texts unless they are numbers. */
  readonly hasNumbers?: boolean;
  readonly hasPrevious?: boolean;
  /** The answer where another content type is asked for. */
  readonly otherForms?: Pick<Answer, 'headers' | 'content'>;
  /** The properties of the link to the next page besides its address. */
  readonly link?: Readonly<Record<string, JsonSchema>>;
}

/** An answer that refuses nothing. */
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Content;
}

/** A method of a path. Its id, under which a `Part` has it, is its name in generated clients. */
export interface Operation {
  /** `GET /path/{parameter}`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  /** The declaration of the scopes that it takes and of its refusals. Absent if it takes no token. */
  readonly of?: DeclaredOperation;
  /** Other credentials than an access token. An empty one among them: none are needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  /** The query parameters that an input class describes, and examples of them. */
  readonly query?: {
    readonly input: InputClass;
    readonly examples: Readonly<Record<string, Example>>;
  };
  readonly body?: {
    readonly description: string;
    /** The class whose rules the body is held against. */
    readonly input?: InputClass;
    readonly content: Content;
  };
  /** The page that it answers with: it takes the parameters of paging, and has the answer 200. */
  readonly page?: PageWords;
  readonly answers?: Readonly<Record<string, Answer>>;
  /**
   * The refusals of REST alone, and examples of broken rules, besides what follows from all of the above. Each stands
   * for its code, and is the example of it.
   */
  readonly refusals?: () => readonly Refusal[];
  /** Headers that refusals have besides the usual ones, by status. */
  readonly refusalHeaders?: Readonly<Record<string, Readonly<Record<string, object>>>>;
  /** False for operators' requests, which are answered even under overload. */
  readonly mayBeOverloaded?: boolean;
}

/** An operation with all its parameters and answers, and with whole examples. */
export interface FullOperation extends Omit<Operation, 'route' | 'summary' | 'description'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The description that a part of the gateway gives of itself. */
export interface Part {
  readonly tag: { readonly name: string; readonly description: string };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly records?: readonly RestRecord[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
}

/** An answer in JSON, by the name of its schema. */
export function answer(description: string, schema: string, example?: object, headers = {}): Answer {
  return { description, headers, content: { 'application/json': { schema: ref(schema), example } } };
}
