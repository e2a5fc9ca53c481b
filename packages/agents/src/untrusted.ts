import { getNamedType, isListType, isNonNullType, isScalarType, type GraphQLOutputType } from 'graphql';
import type { SelectedField } from '../../../lib/graphql-compiler/selected-fields.js';

/**
 * The most characters of a text of others. A longer one is cut, so that one memo does not fill what an agent can keep
 * in mind.
 */
export const MAX_TEXT_CHARACTERS = 300;

/**
 * A text that somebody outside of the gateway wrote. Being in an object of its own, it never stands where an agent
 * expects words of the gateway, and a client can tell it from those without parsing.
 */
export interface UntrustedText {
  readonly untrusted: string;
  /** True if the text was longer. */
  readonly cut?: true;
}

/** Scalars whose values have one form, so that no sentence fits in: all others may hold texts of anybody. */
const FORMED: ReadonlySet<string> = new Set([
  'ID',
  'UUID',
  'Int',
  'Float',
  'Boolean',
  'Decimal',
  'Currency',
  'CountryCode',
  'LocalDate',
  'LocalDateTime',
  'DateTimeISO',
]);

/** The type whose texts are cursors, which the gateway makes and agents send back as they are. */
const PAGE_INFO = 'PageInfo';

/** True for a field whose values may be texts of others: of every scalar that has not one form. */
export function mayBeText({ parent, definition }: Pick<SelectedField, 'parent' | 'definition'>): boolean {
  const leaf = getNamedType(definition.type);
  const isOwn = parent.name === PAGE_INFO || definition.name === '__typename';
  return isScalarType(leaf) && !FORMED.has(leaf.name) && !isOwn;
}

/** A value of a leaf as agents get it. */
export function asUntrusted(value: unknown): UntrustedText {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const characters = [...text];
  if (characters.length <= MAX_TEXT_CHARACTERS) return { untrusted: text };
  return { untrusted: characters.slice(0, MAX_TEXT_CHARACTERS).join(''), cut: true };
}

/** Applies a function to the elements of lists within lists, and to nothing of what is null. */
export function eachElement(type: GraphQLOutputType, value: unknown, one: (value: unknown) => unknown): unknown {
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return eachElement(type.ofType as GraphQLOutputType, value, one);
  if (isListType(type)) {
    return (value as unknown[]).map(element => eachElement(type.ofType, element, one));
  }
  return one(value);
}
