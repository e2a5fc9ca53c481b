import { redactText } from '../logging/redact-text.js';
import { HIDDEN } from './shown-path.js';

/** The longest that browsers send are shorter. */
const MAX_CHARACTERS = 256;
/** Names and versions are in ASCII (RFC 9110, 10.1.5); anything else was put there by somebody. */
const BEYOND_PRODUCTS = /[^\x20-\x7e]/;
/**
 * A version, or else seven digits or more with what people put between them: a telephone number, a tax id, a date. Those of a version
 * come after a slash and have dots between.
 */
const VERSION_OR_NUMBER = /(\/\d{1,6}(?:\.\d{1,6})*(?![\d-]| \d))|\d(?:[ .()-]{0,3}\d){6,}/g;

/** A `User-Agent` as it may be logged: a client may write anything into it. */
export function shownAgent(sent: string): string {
  if (BEYOND_PRODUCTS.test(sent)) return HIDDEN;
  const redacted = redactText(sent).replace(VERSION_OR_NUMBER, (_, version?: string) => version ?? '[number]');
  return redacted.slice(0, MAX_CHARACTERS);
}
