/** What a client of PostgreSQL sends, message by message. */

export const QUERY = 0x51;
export const BIND = 0x42;
const PARSE = 0x50;
export const SYNC = 0x53;
const HEADER_BYTES = 5;

/** The whole messages in what a client of PostgreSQL sends. Its first one has a length and no type. */
export class Messages {
  private rest: Buffer = Buffer.alloc(0);

  /** 1: what is read begins behind the first message of a connection. */
  constructor(private typeBytes = 0) {}

  *read(chunk: Buffer): Generator<Buffer> {
    this.rest = Buffer.concat([this.rest, chunk]);
    while (this.rest.length >= HEADER_BYTES) {
      const bytes = this.typeBytes + this.rest.readUInt32BE(this.typeBytes);
      if (this.rest.length < bytes) return;
      const message = this.rest.subarray(0, bytes);
      this.rest = this.rest.subarray(bytes);
      this.typeBytes = 1;
      yield message;
    }
  }
}

/**
 * The statement that a message begins: the text of a Query, the text of a Parse without a name, the name in a Bind that
 * has one. Null for any other message.
 */
export function statementIn(message: Buffer): string | null {
  if (message[0] === QUERY) return textAt(message, HEADER_BYTES);
  if (message[0] !== PARSE && message[0] !== BIND) return null;
  // A Parse begins with the statement's name, a Bind with the portal's.
  const [first, second] = [textAt(message, HEADER_BYTES), textAt(message, message.indexOf(0, HEADER_BYTES) + 1)];
  if (message[0] === PARSE) return first === '' ? second : null;
  return second === '' ? null : second;
}

function textAt(message: Buffer, start: number): string {
  return message.toString('utf8', start, message.indexOf(0, start));
}
