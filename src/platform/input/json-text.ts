import { InvalidInput } from '../../shared/errors.js';
import { repeatedName } from '../../shared/repeated-name.js';
import { FIELD_NAME } from './shape.js';

const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON text in UTF-8. Throws `InvalidInput` if an object has a name twice, and `SyntaxError` or
 * `TypeError` if it is not JSON.
 */
export function valueOfJson(bytes: Uint8Array): unknown {
  const text = UTF8.decode(bytes);
  const value = JSON.parse(text) as unknown;
  const path = repeatedName(text, value);
  if (path) {
    throw new InvalidInput('malformed', [
      { pointer: pointerTo(path), code: 'repeated', detail: 'The object contains this name twice. Send it once.' },
    ]);
  }
  return value;
}

/** Ends before a name that does not look like one of ours, since that may be personal data. */
function pointerTo(path: readonly (string | number)[]): string {
  const hidden = path.findIndex(step => typeof step === 'string' && !FIELD_NAME.test(step));
  return (hidden < 0 ? path : path.slice(0, hidden)).map(step => `/${step}`).join('');
}
