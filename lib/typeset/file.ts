import { deflateSync } from 'node:zlib';

/** The number of an object in a file. */
export type Reference = number;

/** A stream that is compressed already (FlateDecode), and what its dictionary says besides. */
export interface CompressedStream {
  readonly entries: string;
  readonly bytes: Buffer;
}

// Readers expand an object stream whole, so one holds no more than this.
const MAX_TOGETHER = 1_000;
/**
 * The effort, of 9, to compress what is made for each document: for the tags of 50 rows, half the time of the usual 6,
 * and 3 percent more bytes of the file.
 */
export const EFFORT = 4;
const HEAD = Buffer.from('%PDF-1.7\n%\xff\xff\xff\xff\n', 'latin1');
/** Bytes of each field of the cross-reference stream: the kind, a place, and a place within that one. */
const FIELDS = [1, 4, 2] as const;

/**
 * The objects of a PDF file (ISO 32000-1, 7.5). Everything but the streams is compressed together (7.5.7): the tags of
 * a long table are thousands of small objects, which would be most of the file otherwise.
 */
export class PdfFile {
  /** By number, from 1 on. Without a body as long as an object is only promised. */
  private readonly objects: (string | CompressedStream | undefined)[] = [];

  /** A number for an object that comes later, so that others can refer to it. */
  promise(): Reference {
    return this.objects.push(undefined);
  }

  /** Adds an object in the syntax of PDF, in ASCII. */
  add(body: string, reference = this.promise()): Reference {
    this.objects[reference - 1] = body;
    return reference;
  }

  addStream(stream: CompressedStream): Reference {
    return this.objects.push(stream);
  }

  /** The file. `id` is sixteen bytes in hexadecimal digits. */
  finish(root: Reference, info: Reference, id: string): Buffer {
    const parts: Buffer[] = [HEAD];
    let size = HEAD.length;
    const places: (readonly [kind: number, place: number, within: number])[] = [[0, 0, 65_535]];
    const write = (reference: Reference, { entries, bytes }: CompressedStream): void => {
      const dictionary = `<<${entries}/Filter/FlateDecode/Length ${bytes.length}>>`;
      const head = Buffer.from(`${reference} 0 obj\n${dictionary}\nstream\n`, 'latin1');
      const part = Buffer.concat([head, bytes, Buffer.from('\nendstream\nendobj\n', 'latin1')]);
      places[reference] = [1, size, 0];
      parts.push(part);
      size += part.length;
    };
    const plain: (readonly [Reference, string])[] = [];
    this.objects.forEach((object, index) => {
      if (typeof object === 'string') plain.push([index + 1, object]);
      else if (object) write(index + 1, object);
      else throw new Error(`Object ${index + 1} was promised and never added.`);
    });
    for (let from = 0; from < plain.length; from += MAX_TOGETHER) {
      const together = plain.slice(from, from + MAX_TOGETHER);
      const reference = this.promise();
      together.forEach(([each], index) => (places[each] = [2, reference, index]));
      write(reference, objectStream(together));
    }
    const reference = this.promise();
    const start = size;
    places[reference] = [1, start, 0];
    const trailer = `/Size ${places.length}/Root ${refer(root)}/Info ${refer(info)}/ID[<${id}><${id}>]`;
    write(reference, {
      entries: `/Type/XRef/W[${FIELDS.join(' ')}]${trailer}`,
      bytes: deflateSync(crossReferences(places), { level: EFFORT }),
    });
    parts.push(Buffer.from(`startxref\n${start}\n%%EOF\n`, 'latin1'));
    return Buffer.concat(parts);
  }
}

export function refer(reference: Reference): string {
  return `${reference} 0 R`;
}

/** A text as a string object: as it is in ASCII, in UTF-16 otherwise. */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, String.raw`\$&`)})`;
  return `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
}

function objectStream(objects: readonly (readonly [Reference, string])[]): CompressedStream {
  let offset = 0;
  const offsets = objects.map(([reference, body]) => {
    const pair = `${reference} ${offset}`;
    offset += body.length + 1;
    return pair;
  });
  const head = `${offsets.join(' ')}\n`;
  const bodies = objects.map(([, body]) => body).join('\n');
  return {
    entries: `/Type/ObjStm/N ${objects.length}/First ${head.length}`,
    bytes: deflateSync(Buffer.from(head + bodies, 'latin1'), { level: EFFORT }),
  };
}

function crossReferences(places: readonly (readonly [number, number, number])[]): Buffer {
  const [kindBytes, placeBytes, withinBytes] = FIELDS;
  const table = Buffer.alloc(places.length * (kindBytes + placeBytes + withinBytes));
  let at = 0;
  for (const [kind, place, within] of places) {
    at = table.writeUIntBE(kind, at, kindBytes);
    at = table.writeUIntBE(place, at, placeBytes);
    at = table.writeUIntBE(within, at, withinBytes);
  }
  return table;
}
