import type { Request, Response } from 'express';
import type { InputClass } from '../input/input.js';
import type { Answer, Operation, Parameter } from '../openapi/operation.js';
import type { Caller } from '../../shared/caller.js';
import type { CursorRequest, Page, PageRequest, Slice } from '../../shared/page.js';

/** A method and a path, such as `GET /accounts/{accountId}`. */
export type Route = Operation['route'];

/** The names of the parameters in a path. */
export type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** A parameter of a path. Its name is in the route. */
export interface PathParameter extends Pick<Parameter, 'description' | 'schema' | 'example' | 'unknown'> {
  /** False for a value with which no route has the path. */
  readonly matches?: (value: string) => boolean;
}

export type PathParameters = Readonly<Record<string, PathParameter>>;

/** Describes each parameter in the path of a route. */
export type PathOf<R extends Route> = [NamesIn<R>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: Readonly<Record<NamesIn<R>, PathParameter>> };

/** A request whose caller has the scope, with what its operation reads of it. */
export interface RestRequest<Name extends string = string, Body = unknown, Query = unknown> {
  readonly caller: Caller;
  /** The parameters of the path. A UUID is in lower case, whatever case it was sent in. */
  readonly path: Readonly<Record<Name, string>>;
  readonly query: Query;
  readonly body: Body;
  readonly dryRun: boolean;
  /** The page of a list by offset. */
  readonly page: PageRequest;
  /** The page of a list by cursor: what `query` has as `after` and `limit`. */
  readonly cursor: CursorRequest;
  /** The versions of `If-Match`, of which the record must have one; null if it may have any. */
  readonly versions: readonly number[] | null;
  /** The query parameters as they were sent. */
  readonly parameters: URLSearchParams;
  readonly req: Request;
  readonly res: Response;
}

type ElementOf<Result> = Result extends Page<infer Item> ? Item : Result extends Slice<infer Node> ? Node : Result;
type CommonWords = Pick<Operation, 'summary' | 'description' | 'parameters' | 'refusals'>;

/** The input, the effect and the answer of an operation. `Read` is its `RestRequest`. */
export interface RestWords<Services, Read, Body extends object, Query extends object, Result>
  extends CommonWords, Pick<Operation, 'page'> {
  readonly query?: Operation['query'] & { readonly input: InputClass<Query> };
  readonly body?: {
    readonly description: string;
    /** The class whose rules the body is held against. */
    readonly input: InputClass<Body>;
    readonly example: object;
    /** An example of a JSON merge patch (RFC 7396), for an operation that takes one. */
    readonly mergePatch?: object;
  };
  /** True for a write that can be asked as a dry run. */
  readonly dryRun?: true;
  /** True for a record with an entity tag, by which it is read and changed under conditions. */
  readonly versioned?: true;
  /**
   * Given for what makes a record, which is answered with 201 and, unless this is true, with its path in `Location`.
   */
  readonly created?: true | { readonly at: (result: Result, request: Read) => string; readonly example: string };
  /** The property with the elements of a page by cursor. */
  readonly slice?: string;
  /** The answer; absent for a page by offset, which `page` describes. */
  readonly answer?: Answer;
  readonly run: (request: Read, services: Services) => Promise<Result>;
  /** The result as REST shows it, or an element of a page; as it is when absent. */
  readonly show?: (element: ElementOf<Result>, request: Read, services: Services) => object | Promise<object>;
  /** A page by offset in words of its own. */
  readonly showPage?: (page: Result, request: Read) => object;
}

/** The words of any operation over these services. */
export type AnyRestWords<Services> = RestWords<Services, RestRequest, object, object, unknown> & {
  readonly path?: PathParameters | undefined;
};

/** The input and the answer of an operation that an ordinary handler of Express serves. */
export interface ExpressWords<Services, Name extends string>
  extends CommonWords, Pick<Operation, 'query' | 'body' | 'page' | 'answers' | 'refusalHeaders'> {
  /** Reads the rest of a request whose caller has the scope, and answers it. */
  readonly handle: (req: Request<Record<Name, string>>, res: Response, services: Services) => Promise<void>;
}
