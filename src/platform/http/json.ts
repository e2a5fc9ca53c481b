/** A list of so many elements makes an answer long. */
const LONG_LIST = 16;

/** All but what JSON may write as it is (RFC 8259, section 7), and halves of characters. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The JSON of plain data as `JSON.stringify` writes it, and `end` after it. If it has a long list, the elements of that are written one by one. */
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
 * Parts of an answer one after another: a text, or its bytes in UTF-8 where they are many. V8 takes twice as long for a long text: it grows by copying,
 * is as wide throughout as its widest letter, and is read twice more to be sent.
 */
export function joined(parts: readonly string[]): string | Buffer {
  if (parts.length < LONG_LIST) return parts.join('');
  const bytes = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0));
  let length = 0;
  for (const part of parts) length += bytes.write(part, length);
  return bytes;
}

/** Looks at objects in objects. What is in a short list is written with it. */
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

/** A date, a number with all its digits (`JSON.rawJSON`) and the like have ways of their own. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
