import { BANK_ID, BANK_ID_FORM } from '../../shared/ids.js';
import { repeatedName } from '../../shared/repeated-name.js';
import { isClientId } from './token-identity.js';

const MAX_CLIENTS = 1000;

/** What `clientPrograms` asks for, to a person. */
export const CLIENT_PROGRAMS_FORM = `a JSON object of at most ${MAX_CLIENTS} clients, each once, with their programs of ${BANK_ID_FORM}, such as {"mobile-app":"acme"}`;

/** Reads which program each client belongs to. Null: the text is no such object. */
export function clientPrograms(json: string): ReadonlyMap<string, string> | null {
  let object: unknown;
  try {
    object = JSON.parse(json);
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return null;
    if (repeatedName(json, object)) return null;
  } catch {
    return null;
  }
  const entries = Object.entries(object as Record<string, unknown>);
  const right = (entry: [string, unknown]): entry is [string, string] =>
    isClientId(entry[0]) && typeof entry[1] === 'string' && BANK_ID.test(entry[1]);
  return entries.length <= MAX_CLIENTS && entries.every(right) ? new Map(entries) : null;
}
