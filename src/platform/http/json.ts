declare global {
  interface JSON {
    /** ECMAScript proposal 'JSON.parse source text access', in Node.js since 21. */
    rawJSON(text: string): object;
  }
}

/** A JSON number with exactly the digits of a decimal text: `1250.00` and not `1250`, and never rounded. */
export function exactNumber(decimal: string): object {
  return JSON.rawJSON(decimal);
}

/** Plain data as the REST contract shows it: an empty text in place of null. */
export function contractRecord(record: object): object {
  return withoutNulls(record) as object;
}

function withoutNulls(value: unknown): unknown {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutNulls(member)]));
}

/** From so many elements a list makes an answer long. */
const LONG_LIST = 16;

/** All but what JSON may write as it is (RFC 8259, section 7), and lone surrogates. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * The JSON of plain data as `JSON.stringify` writes it, and then `end`. Elements of long lists are written one by one.
 */
export function jsonOf(value: object, end = ''): string | Buffer {
  if (!hasLongList(value)) return JSON.stringify(value) + end;
  const parts: string[] = [];
  addTo(parts, value);
  parts.push(end);
  return joined(parts);
}

/** The JSON of a text. */
export function jsonOfText(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/**
 * The parts of an answer in one: a text, or its bytes in UTF-8 where the parts are many. V8 takes twice as long for a
 * long text, which grows by copying, is as wide as its widest letter throughout, and is read twice more to be sent.
 */
export function joined(parts: readonly string[]): string | Buffer {
  if (parts.length < LONG_LIST) return parts.join('');
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let length = 0;
  for (const part of parts) length += bytes.write(part, length);
  return bytes;
}

/** Looks into objects in objects, but not into short lists. */
function hasLongList(value: unknown): boolean {
  if (Array.isArray(value)) return value.length >= LONG_LIST;
  return isPlain(value) && Object.values(value).some(hasLongList);
}

function addTo(parts: string[], value: unknown): void {
  if (Array.isArray(value)) {
    parts.push('[');
    value.forEach((element, index) => parts.push(index > 0 ? ',' : '', JSON.stringify(element) ?? 'null'));
    parts.push(']');
  } else if (isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    parts.push('{');
    members.forEach(([name, member], index) => {
      parts.push(`${index > 0 ? ',' : ''}${JSON.stringify(name)}:`);
      addTo(parts, member);
    });
    parts.push('}');
  } else parts.push(JSON.stringify(value));
}

/** A date, an exact number and the like have a JSON of their own. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
