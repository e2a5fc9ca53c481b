import { PROBLEMS } from '../../src/shared/problems.js';

/** Shapes of answers, as far as tests read them by name. What else an answer holds is for expectations to say. */

/** What is wrong with something that was sent, and where. */
export interface Problem {
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

export interface GraphqlError {
  readonly message: string;
  /** The field that it is about; absent where nothing of the operation ran. */
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly requestId: string;
    readonly errors?: readonly Problem[];
    /** What the operation costs, where it costs too much. */
    readonly cost?: number;
    /** What the request waits for. */
    readonly approvalId?: string;
  };
}

/** What GraphQL answers. The list of errors is left out rather than empty. */
export interface GraphqlBody<Data> {
  readonly data: Data;
  readonly errors: readonly [GraphqlError, ...GraphqlError[]] | undefined;
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

/** A page of a GraphQL list. */
export interface Connection<Node> {
  readonly totalCount: number;
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: PageInfo;
}

/**
 * What every page of a REST list has beside its items. Offsets are texts or numbers, as the contract has them for each
 * list.
 */
export interface RestPage {
  readonly page: {
    readonly nextOffset?: string | number;
    readonly prevOffset?: string | number;
    readonly totalElements: number;
  };
  readonly links: { readonly next?: { readonly href: string } };
}

/** A list as its pages: there is always a first one. */
export type Pages<Page> = readonly [Page, ...Page[]];

/** The code of an error of GraphQL in the letters of REST, for what both refuse alike. */
export function restCode<Code extends string | null | undefined>(code: Code): Code {
  return (code && !(code in PROBLEMS) ? code.toLowerCase() : code) as Code;
}

/** A pointer of GraphQL as REST has it: from `at`, where an input has what is the body over REST. */
export function pointerWithin(at: string, pointer: string): string {
  if (!pointer.startsWith(`${at}/`)) throw new Error(`${pointer} is not within ${at}`);
  return pointer.slice(at.length);
}
