import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Lexer, Source, TokenKind } from 'graphql';
import { MAX_NESTING, refuseDeepNesting } from '../../../src/platform/graphql/limits.js';
import { MalformedRequest } from '../../../src/shared/errors.js';
import { rounds } from '../../support/rounds.js';

const OPENING: readonly string[] = [TokenKind.BRACE_L, TokenKind.PAREN_L, TokenKind.BRACKET_L];
const CLOSING: readonly string[] = [TokenKind.BRACE_R, TokenKind.PAREN_R, TokenKind.BRACKET_R];

/** How deep brackets are nested as the parser's own lexer sees them, up to where it finds a mistake. */
function lexedDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  try {
    const lexer = new Lexer(new Source(text));
    for (let token = lexer.advance(); token.kind !== TokenKind.EOF; token = lexer.advance()) {
      if (OPENING.includes(token.kind)) deepest = Math.max(deepest, ++depth);
      if (CLOSING.includes(token.kind)) depth--;
    }
  } catch {
    // The parser gets no further either.
  }
  return deepest;
}

function isRefused(text: string): boolean {
  try {
    refuseDeepNesting(text, Infinity);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(MalformedRequest);
    return true;
  }
}

const piece = fc.constantFrom(
  '{',
  '(',
  '[',
  '}',
  ')',
  ']',
  '{'.repeat(40),
  '['.repeat(70),
  '}'.repeat(30),
  '"',
  '""',
  '"""',
  '\\"""',
  '\\"',
  '\\',
  '\\\\',
  '#',
  '\n',
  '\r',
  '\r\n',
  ' ',
  'a',
  ':',
  '$',
  '"a"',
  '"""a"""',
  '"#"',
  '# "',
  '\u2028',
  '\ufeff',
  ',',
);

test('nothing reaches the parser that is nested deeper than allowed, whatever hides it', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), pieces => {
      const text = pieces.join('');
      if (lexedDepth(text) > MAX_NESTING) expect(isRefused(text)).toBe(true);
    }),
    { numRuns: rounds(20_000) },
  );
});

test('a document without mistakes is refused for its nesting alone', () => {
  const string = fc
    .string({ unit: fc.constantFrom('{', '[', '(', '}', '#', '\\"', '\\\\', 'a') })
    .map(text => `"${text}"`);
  const block = fc
    .string({ unit: fc.constantFrom('{', '[', '}', '#', '\n', '\r', '\\"""', 'a') })
    .map(text => `"""${text}"""`);
  const comment = fc
    .tuple(fc.string({ unit: fc.constantFrom('{', '"', '"""', 'a') }), fc.constantFrom('\n', '\r', '\r\n'))
    .map(([text, end]) => `#${text}${end}`);
  fc.assert(
    fc.property(
      fc.array(fc.oneof(string, block, comment, fc.constantFrom('{', '}', ' ', '{'.repeat(63), '}'.repeat(63)))),
      pieces => {
        const text = pieces.join(' ');
        expect(isRefused(text)).toBe(lexedDepth(text) > MAX_NESTING);
      },
    ),
    { numRuns: rounds(5000) },
  );
});

test('the limit itself is allowed', () => {
  expect(isRefused('{a'.repeat(MAX_NESTING) + '}'.repeat(MAX_NESTING))).toBe(false);
  expect(isRefused('{a'.repeat(MAX_NESTING + 1))).toBe(true);
  expect(isRefused('{a}'.repeat(1000))).toBe(false);
});
