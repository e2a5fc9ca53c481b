import type { Refusal } from '../../shared/errors.js';
import type { Scope } from '../../shared/caller.js';
import type { InputClass } from '../input/input.js';
import { ref, type JsonSchema } from '../input/json-schema.js';
import type { RestRecord } from './record-schema.js';

/** What an operation takes besides its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: Example | readonly Example[];
  /** The refusal of a value that names nothing. */
  readonly unknown?: () => Refusal;
}

type Example = string | number;

export interface Header {
  readonly description: string;
  /** True if no such answer comes without it. */
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** Bodies by their content types. An example may leave out what `fitted` fills in. */
type Content = Readonly<Record<string, { readonly schema?: JsonSchema; readonly example?: unknown }>>;

/** The query parameters that the fields of an input class describe. */
interface Query {
  readonly input: InputClass;
  readonly examples: Readonly<Record<string, NonNullable<Parameter['example']>>>;
  /** A query that is refused. */
  readonly wrong?: object;
}

interface Body {
  readonly description: string;
  /** The class whose rules the body is held against. */
  readonly input?: InputClass;
  readonly content: Content;
  /** Changes of the first example that make it one to be refused. */
  readonly wrong?: readonly object[];
}

/** An answer that refuses nothing. */
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Content;
}

/** A method of a path. Its id, under which a `Part` has it, is its name in generated clients. */
export interface Operation {
  /** `GET /path/{parameter}`. */
  readonly route: `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
  readonly summary: string;
  readonly description: string;
  /** The scope of its access token; absent if it takes none. */
  readonly scope?: Scope;
  /** Other credentials than an access token. An empty one among them: none are needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Readonly<Record<string, Answer>>;
  /** What it refuses besides what follows from all of the above. Each stands for its code, and is the example of it. */
  readonly refusals?: () => readonly Refusal[];
  /** Headers that refusals have besides the usual ones, by status. */
  readonly refusalHeaders?: Readonly<Record<string, Readonly<Record<string, Header>>>>;
  /** False for operators' requests, which are answered even under overload. */
  readonly mayBeOverloaded?: boolean;
}

/** An operation with all its parameters, and with whole examples. */
export interface FullOperation extends Omit<Operation, 'route' | 'summary' | 'description'> {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
}

/** What a part of the gateway tells of itself. */
export interface Part {
  readonly tag: { readonly name: string; readonly description: string };
  readonly operations: Readonly<Record<string, Operation>>;
  readonly records?: readonly RestRecord[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
}

/** An answer in JSON, by the name of its schema. */
export function answer(description: string, schema: string, example: unknown = {}, headers = {}): Answer {
  return { description, headers, content: { 'application/json': { schema: ref(schema), example } } };
}

/** The answer that something was made; `location` is an example of its path. */
export function created(description: string, schema: string, example: unknown, location: string): Answer {
  const Location = {
    description: 'The path of the new record.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
    example: location,
  };
  return answer(description, schema, example, { Location });
}
