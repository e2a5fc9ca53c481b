import { UsageError } from './usage-error.js';

/** A program as access tokens name it. */
const PROGRAM = /^[\x21-\x7e]{1,64}$/;

/** Throws `UsageError` unless the text can name a program. */
export function readProgram(text: string): string {
  if (!PROGRAM.test(text)) throw new UsageError('--program must be 1 to 64 visible ASCII characters.');
  return text;
}
