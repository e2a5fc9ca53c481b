import { redactText } from '../logging/redact-text.js';
import { UUID_TEXT } from '../../shared/ids.js';

/** Stands for what is hidden. May be in a path as it is (RFC 3986, 3.3). */
export const HIDDEN = '*';

/** What no id has, and streets and names have, where there are letters as well. */
const BEYOND_IDS = /[^\x21-\x7e]/;
/** Seven digits or more and nothing else but what people put between them: a tax id, a telephone, a card, a date of birth. */
const NUMBER = /^(?=(?:\D*\d){7})[\d+().,:/=_-]+$/;

/**
 * Whether a text that stands where an id belongs may be personal data instead. Account numbers of digits alone look the same, so this
 * is for ids that nobody has vouched for. An id with letters and digits in it may be a passport's, and nothing tells it from ours.
 */
function looksPersonal(text: string): boolean {
  if (UUID_TEXT.test(text.toLowerCase())) return false;
  return isNumber(text) || redactText(text) !== text;
}

/** Whether a text is one long number, however it is grouped. Random ids have letters among their digits. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** The path of a refused request, to be logged and told: the ids in it were sent, and need not be ids of anything. */
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
