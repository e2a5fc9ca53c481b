import { BANK_ID } from '../shared/ids.js';
import { UsageError } from '../shared/usage-error.js';

/** A program as access tokens name it. Throws `UsageError` for what can be none. */
export function readProgram(text: string): string {
  if (!BANK_ID.test(text)) throw new UsageError('--program must be 1 to 64 visible ASCII characters.');
  return text;
}
