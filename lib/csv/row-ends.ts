const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** Excel reads the separator from such a line before the header, and leaves it out. */
export const SEPARATOR_LINE = /^sep=([^\r\n])(\r\n|\n|\r)/;

/**
 * Where rows of CSV end in a text that begins with one: the places behind their line breaks, of which those in quotes
 * end no row. A line break that the next text may go on is left for it.
 */
export function* rowEnds(text: string): Generator<number> {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // A quote that is doubled inside of quotes closes and opens them.
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (code === LF || (code === CR && at + 1 < text.length && text.charCodeAt(at + 1) !== LF)) yield at + 1;
  }
}

/** How long the header of a text is, with the line of Excel before it; null where more of the text is needed. */
export function headerLength(text: string): number | null {
  const [separatorLine = ''] = SEPARATOR_LINE.exec(text) ?? [];
  const [end = null] = rowEnds(text.slice(separatorLine.length));
  return end === null ? null : separatorLine.length + end;
}
