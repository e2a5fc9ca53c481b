import { bytesOf } from './file-bytes.js';

/** The number of bytes that the gateway takes in one request. */
export const MAX_PIECE_BYTES = 256 * 1024;
export const MAX_PIECE_LINES = 1000;

/** Something that is wrong with a line. It has no value of the line. */
export interface Fault {
  readonly line: number;
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Some whole lines of a file. */
export interface Piece {
  readonly firstLine: number;
  /** The number of lines, blank ones included. */
  readonly count: number;
  /** The lines as the gateway gets them; what cannot be sent is a blank line here, and has a fault. */
  readonly text: string;
  readonly faults: readonly Fault[];
}

const NEWLINE = 0x0a;
const TOO_LONG = `The line is longer than ${MAX_PIECE_BYTES} bytes. Import it from the command line.`;
const NOT_UTF8 = 'The line must be one JSON object in UTF-8.';

// A byte order mark stays: the gateway knows what it means.
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a file as a stream and cuts it at ends of lines, so that only one piece and one chunk are in memory. Files that
 * are gzip are unzipped. `onRead` hears how many bytes of the file have been read.
 */
export async function* piecesOf(file: File, onRead: (bytes: number) => void): AsyncGenerator<Piece, void> {
  let lines: (Uint8Array | null)[] = [];
  let bytes = 0;
  let firstLine = 1;
  const take = (): Piece => {
    const piece = pieceOf(lines, firstLine);
    firstLine += lines.length;
    lines = [];
    bytes = 0;
    return piece;
  };
  for await (const line of linesOf(bytesOf(file, onRead))) {
    const length = (line?.length ?? 0) + 1;
    if (lines.length === MAX_PIECE_LINES || bytes + length > MAX_PIECE_BYTES) yield take();
    lines.push(line);
    bytes += length;
  }
  if (lines.length > 0) yield take();
}

/** The lines without their ends; null in place of one that is too long. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  let rest: Uint8Array = new Uint8Array();
  let isTooLong = false;
  for await (const value of chunks) {
    let start = 0;
    for (let end = value.indexOf(NEWLINE); end !== -1; end = value.indexOf(NEWLINE, start)) {
      const line = joined(rest, value.subarray(start, end));
      yield isTooLong || line.length >= MAX_PIECE_BYTES ? null : line;
      rest = new Uint8Array();
      isTooLong = false;
      start = end + 1;
    }
    if (!isTooLong) rest = joined(rest, value.slice(start));
    if (rest.length >= MAX_PIECE_BYTES) {
      isTooLong = true;
      rest = new Uint8Array();
    }
  }
  if (isTooLong) yield null;
  else if (rest.length > 0) yield rest;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other;
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

function pieceOf(lines: readonly (Uint8Array | null)[], firstLine: number): Piece {
  const faults: Fault[] = [];
  const texts = lines.map((line, index) => {
    if (line === null) {
      faults.push({ line: firstLine + index, pointer: '', code: 'line_too_long', detail: TOO_LONG });
      return '';
    }
    try {
      return UTF8.decode(line);
    } catch {
      faults.push({ line: firstLine + index, pointer: '', code: 'not_json', detail: NOT_UTF8 });
      return '';
    }
  });
  return { firstLine, count: lines.length, text: texts.join('\n'), faults };
}
