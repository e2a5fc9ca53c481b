import type { Refusal } from '../../shared/errors.js';
import type { Scope } from '../../shared/caller.js';
import type { InputClass } from '../input/input.js';
import type { JsonSchema } from '../input/json-schema.js';

/** Something that an operation takes beside its body. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: Example | readonly Example[];
}

type Example = string | number;

/** A header of an answer. */
export interface Header {
  readonly description: string;
  /** True where no such answer comes without it. */
  readonly required?: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** A body in one content type. */
export interface Content {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface Query {
  readonly input: InputClass;
  /** An example of each field. */
  readonly examples: Readonly<Record<string, NonNullable<Parameter['example']>>>;
  /** What is asked of single fields besides the rules of the class. */
  readonly besides?: Readonly<Record<string, JsonSchema>>;
}

export interface Body {
  readonly description: string;
  /** The schema is that of the class, whose rules the body is held against. */
  readonly input?: InputClass;
  readonly content: Readonly<Record<string, Partial<Content>>>;
}

/** What is answered when nothing is refused. */
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, Content>>;
}

/** One method of one path, as whoever calls it has to know it. */
export interface Operation {
  /** How generated clients call it. */
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** With its parameters in braces. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What its access token has to allow; absent where it takes none of ours. */
  readonly scope?: Scope;
  /** Other credentials than an access token. An empty one among them: none are needed. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  /** The query parameters that the fields of an input class describe. */
  readonly query?: Query;
  readonly body?: Body;
  readonly answers: Readonly<Record<string, Answer>>;
  /** What it refuses besides what every operation of its kind does: each stands for its code, and is the example of it. */
  readonly refusals?: () => readonly Refusal[];
  /** Headers that refusals have besides the usual ones, by status. */
  readonly refusalHeaders?: Readonly<Record<string, Readonly<Record<string, Header>>>>;
  /** False for what operators look at, which is answered however much there is to do. */
  readonly mayBeOverloaded?: boolean;
}

/** What a part of the gateway tells of itself. */
export interface Described {
  readonly operations?: readonly Operation[];
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly tags?: readonly { readonly name: string; readonly description: string }[];
}
