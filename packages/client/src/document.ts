/**
 * The form that generators give to typed documents: `TypedDocumentNode` of graphql-codegen and gql.tada, typed texts,
 * and the documents of this package.
 */
export interface TypedDocument<Result, Variables> {
  readonly __apiType?: (variables: Variables) => Result;
}

/** A text that knows the types of its result and variables. */
export type TypedText<Result, Variables> = string & TypedDocument<Result, Variables>;

/** A text without types: with them, a call that does not fit them must not pass for one without. */
export type UntypedText<Text extends string> = '__apiType' extends keyof Text ? never : Text;
