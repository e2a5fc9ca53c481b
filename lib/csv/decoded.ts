/** The encodings in which spreadsheets and other programs write CSV, by their names in the Encoding Standard. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The bytes are not in the encoding that was named, or that their beginning has. */
export class WrongEncoding extends Error {
  override readonly name = 'WrongEncoding';
  constructor(encoding: string) {
    super(`The file is not ${encoding} throughout.`);
  }
}

const FIRST_BEYOND_ASCII = 0x80;
const BEYOND_ASCII = /[^\p{ASCII}]/u;

/** As many bytes as the longest byte order mark has. */
const MARK_BYTES = 3;

/**
 * The text of bytes. Without a named encoding a byte order mark decides, or a zero byte among the first two (UTF-16).
 * Of what has neither, the first characters beyond ASCII decide: they are UTF-8, or else Windows-1252. Throws
 * `WrongEncoding`.
 */
export async function* decoded(chunks: AsyncIterable<Uint8Array>, named?: Encoding): AsyncGenerator<string> {
  let decoder = named ? decoderOf(named) : null;
  let waiting = new Uint8Array();
  let isBeginning = true;
  for await (const chunk of chunks) {
    waiting = joined(waiting, chunk);
    if (decoder === null) {
      if (isBeginning && waiting.length < MARK_BYTES) continue;
      const found = (isBeginning ? markedEncoding(waiting) : null) ?? encodingBeyondAscii(waiting);
      if (found === 'undecided') continue;
      isBeginning = false;
      decoder = found === 'ascii' ? null : decoderOf(found);
    }
    yield textOf(waiting, decoder, true);
    waiting = new Uint8Array();
  }
  if (decoder === null && waiting.length > 0) {
    const found = (isBeginning ? markedEncoding(waiting) : null) ?? encodingBeyondAscii(waiting);
    decoder = found === 'ascii' ? null : decoderOf(found === 'undecided' ? 'windows-1252' : found);
  }
  yield textOf(waiting, decoder, false);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Its type is in the libraries of Node.js and of browsers under names of their own. */
type Decoder = InstanceType<typeof TextDecoder>;

function decoderOf(encoding: Encoding): Decoder {
  return new TextDecoder(encoding, { fatal: true });
}

function textOf(bytes: Uint8Array, decoder: Decoder | null, stream: boolean): string {
  if (decoder === null) return new TextDecoder().decode(bytes);
  try {
    return decoder.decode(bytes, { stream });
  } catch {
    throw new WrongEncoding(decoder.encoding);
  }
}

function markedEncoding(head: Uint8Array): Encoding | null {
  const [first, second, third] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0 && second !== 0) return 'utf-16be';
  return second === 0 && first !== 0 ? 'utf-16le' : null;
}

/** `undecided` where nothing is beyond ASCII but the beginning of what may be a character of UTF-8. */
function encodingBeyondAscii(bytes: Uint8Array): Encoding | 'ascii' | 'undecided' {
  if (bytes.every(byte => byte < FIRST_BEYOND_ASCII)) return 'ascii';
  try {
    const text = decoderOf('utf-8').decode(bytes, { stream: true });
    return BEYOND_ASCII.test(text) ? 'utf-8' : 'undecided';
  } catch {
    return 'windows-1252';
  }
}
