import type { IncomingMessage } from 'node:http';
import { Caller } from '../../shared/caller.js';
import { MalformedRequest } from '../../shared/errors.js';

/** The header in which an agent states why it proposes a change. */
export const REASON_HEADER = 'Agent-Reason';
/** The longest reason, of an agent for what it proposes and of a person who rejects it. */
export const MAX_REASON_CHARACTERS = 200;
const REASON = new RegExp(`^[^\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}]{1,${MAX_REASON_CHARACTERS}}$`, 'u');

/** The reason cannot be kept as it is. */
export class BadAgentReason extends MalformedRequest {
  constructor() {
    super(`${REASON_HEADER} must be one line of 1 to ${MAX_REASON_CHARACTERS} characters in UTF-8.`);
  }
}

/** An agent with the reason in the headers of its request, if there is one. Throws `BadAgentReason`. */
export function callerWithReason(caller: Caller, { headers }: IncomingMessage): Caller {
  const header = headers['agent-reason'];
  if (!caller.isAgent || header === undefined) return caller;
  // Node.js gives each byte of a header as one character.
  const text = Buffer.from(String(header), 'latin1').toString();
  return stating(caller, text.includes('\ufffd') ? '' : text);
}

/** An agent with this reason. Throws `BadAgentReason`. */
export function stating(caller: Caller, reason: string): Caller {
  const statedReason = reason.trim();
  if (!REASON.test(statedReason)) throw new BadAgentReason();
  return new Caller({ ...caller, statedReason }, caller.requestId, caller.idempotency);
}
