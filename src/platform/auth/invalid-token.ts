import { Unauthenticated } from '../../shared/errors.js';

/**
 * A refusal of a token. The description is for whoever sent it, and says nothing of the gateway's settings; the reason is for the operator's
 * log, and names claims and settings. Neither repeats anything of the token's.
 */
export function invalidToken(description: string, reason: string = description): Unauthenticated {
  return new Unauthenticated(description, 'invalid_token', reason);
}
