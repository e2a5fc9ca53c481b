import { LRUCache } from 'lru-cache';
import { redactText } from '../../../lib/redact/redact-text.js';
import { UUID_TEXT } from '../../shared/ids.js';

/** Stands for hidden text. A path may contain it as it is (RFC 3986, 3.3). */
const HIDDEN = '*';

/** Ids have none of these; names of streets and people may, next to letters. */
const BEYOND_IDS = /[^\x21-\x7e]/;
/** Seven digits or more and nothing else but separators: a tax id, a telephone or card number, a date of birth. */
const NUMBER = /^(?=(?:\D*\d){7})[\d+().,:/=_-]+$/;

/** True for a text that is one long number, however it is grouped. Random ids have letters among their digits. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** The path of a refused request, for logs and answers: what stands in place of an id may be personal data. */
export function shownPath(path: string): string {
  return path.split('/').map(shownSegment).join('/');
}

function shownSegment(segment: string): string {
  if (segment === '') return segment;
  try {
    const text = decodeURIComponent(segment);
    const isWords = BEYOND_IDS.test(text) && /[\p{L}\p{N}]/u.test(text);
    return isWords || looksPersonal(text) ? HIDDEN : segment;
  } catch {
    return HIDDEN;
  }
}

/**
 * Account numbers of digits alone look the same, so this is only for ids that may not exist. A passport number with
 * letters and digits cannot be told from an id of ours.
 */
function looksPersonal(text: string): boolean {
  if (UUID_TEXT.test(text.toLowerCase())) return false;
  return isNumber(text) || redactText(text) !== text;
}

/** The longest that browsers send are shorter. */
const MAX_AGENT_CHARACTERS = 256;
/** Names and versions of products are in ASCII (RFC 9110, 10.1.5). */
const BEYOND_PRODUCTS = /[^\x20-\x7e]/;
/**
 * A version, which comes after a slash and has dots between its numbers; or else seven digits or more with separators:
 * a telephone number, a tax id, a date.
 */
const VERSION_OR_NUMBER = /(\/\d{1,6}(?:\.\d{1,6})*(?![\d-]| \d))|\d(?:[ .()-]{0,3}\d){6,}/g;

const MAX_KNOWN_AGENTS = 1000;
const agents = new LRUCache<string, string>({ max: MAX_KNOWN_AGENTS, memoMethod: withoutNumbers });

/** A `User-Agent` for the log. A client may write anything into it. */
export function shownAgent(sent: string): string {
  return sent.length > 2 * MAX_AGENT_CHARACTERS ? withoutNumbers(sent) : agents.memo(sent);
}

function withoutNumbers(sent: string): string {
  if (BEYOND_PRODUCTS.test(sent)) return HIDDEN;
  const redacted = redactText(sent).replace(VERSION_OR_NUMBER, (_, version?: string) => version ?? '[number]');
  return redacted.slice(0, MAX_AGENT_CHARACTERS);
}
