import type { Caller } from '../../shared/caller.js';
import type { Command } from './command.js';

/** The columns of the event that a command leaves behind, in the order of `eventValues`. The database gives it the others. */
export const EVENT_COLUMNS = 'program, client_id, subject, request_id, action, account_id, object, data';

export function eventValues<Result>(
  { program, clientId, subject, requestId }: Caller,
  { name, accountId, event }: Pick<Command<Result>, 'name' | 'accountId' | 'event'>,
  result: Result,
): unknown[] {
  const { object, data } = event(result);
  return [program, clientId, subject, requestId, name, accountId, object, JSON.stringify(data)];
}
