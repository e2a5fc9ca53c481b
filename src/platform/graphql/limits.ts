import { Lexer, Source, TokenKind } from 'graphql';
import type { ShapeLimit, ShapeLimits } from '../../../lib/graphql-compiler/selected-fields.js';
import { MalformedRequest, Refusal } from '../../shared/errors.js';
import type { GraphqlLimits } from './settings.js';

/** The longest document, in characters. What is longer is data, which belongs into variables. */
export const MAX_DOCUMENT_CHARACTERS = 256 * 1024;
/** The greatest depth of brackets of any kind. The parser is recursive, so this is checked before it runs. */
export const MAX_NESTING = 64;

const BRACKET = /[{([]/g;
const OPENING = new Set([TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L]);
const CLOSING = new Set([TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R]);

/** Throws `MalformedRequest`. Looks at as many tokens as the parser accepts, which refuses a longer document itself. */
export function refuseDeepNesting(text: string, maxTokens: number): void {
  // A document with so few brackets cannot be nested deeper, and need not be read twice.
  if (!hasMoreBrackets(text, MAX_NESTING)) return;
  const lexer = new Lexer(new Source(text));
  let depth = 0;
  for (let count = 0; count < maxTokens; count++) {
    let kind: TokenKind;
    try {
      ({ kind } = lexer.advance());
    } catch {
      // The parser finds the same mistake at the same place.
      return;
    }
    if (OPENING.has(kind)) depth += 1;
    else if (CLOSING.has(kind)) depth -= 1;
    else if (kind === TokenKind.EOF) return;
    if (depth > MAX_NESTING) {
      throw new MalformedRequest(`The document is nested more than ${MAX_NESTING} levels deep. Reduce the nesting.`);
    }
  }
}

function hasMoreBrackets(text: string, most: number): boolean {
  let count = 0;
  for (const _bracket of text.matchAll(BRACKET)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

type Code = `query_too_${'deep' | 'costly'}` | `too_many_${'aliases' | 'root_fields' | 'fragments' | 'selections'}`;

/** An operation exceeds a limit. Nothing of it ran. The figures are of the document, never of data. */
export class BeyondLimit extends Refusal {
  constructor(
    readonly code: Code,
    readonly figures: { readonly cost?: number; readonly limit: number },
    message: string,
  ) {
    super(message);
  }
}

const SHAPE: Readonly<Record<ShapeLimit, readonly [Code, (limit: number) => string]>> = {
  maxDepth: [
    'query_too_deep',
    limit => `The operation has fields more than ${limit} levels deep. Request the deeper fields in another operation.`,
  ],
  maxAliases: [
    'too_many_aliases',
    limit =>
      `The operation requests the same field under more than ${limit} aliases. Send the other fields in another operation.`,
  ],
  maxRootFields: [
    'too_many_root_fields',
    limit => `The operation has more than ${limit} fields at its root. Send the other fields in another operation.`,
  ],
  maxFragments: [
    'too_many_fragments',
    limit => `The document has more than ${limit} fragments. Send only the fragments that you use.`,
  ],
  maxSelections: [
    'too_many_selections',
    limit =>
      `The operation makes more than ${limit} selections, with each fragment counted wherever it is spread. Request fewer fields.`,
  ],
};

/** The limits on the shape of an operation, which throw `BeyondLimit`. */
export function shapeLimits(limits: GraphqlLimits): ShapeLimits {
  return {
    ...limits,
    exceeded(name, limit) {
      const [code, messageOf] = SHAPE[name];
      return new BeyondLimit(code, { limit }, messageOf(limit));
    },
  };
}

/** The refusal of an operation that may cost more than the limit. */
export function tooCostly(cost: number, limit: number): BeyondLimit {
  return new BeyondLimit(
    'query_too_costly',
    { cost, limit },
    `The operation may cost ${cost}, and the limit is ${limit}. Request smaller pages or fewer lists.`,
  );
}
