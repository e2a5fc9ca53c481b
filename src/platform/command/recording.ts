import { randomUUID } from 'node:crypto';
import type { Query } from '../database/transaction.js';
import { columnsOf } from '../repository/by-ordinal.js';
import type { EventFacts } from './command.js';

/** Who did something: the caller of a command, or the gateway itself. */
export interface Doer extends Actor {
  readonly program: string;
}

/** Who does something in a program that is named elsewhere. */
export interface Actor {
  readonly clientId: string;
  readonly subject: string;
  readonly requestId: string;
}

/** An event that is going to be recorded. Its account is locked, or its program is where it has none. */
export interface NewEvent extends EventFacts {
  readonly by: Doer;
  /** The name of the command, such as `beneficiary.add`. */
  readonly action: string;
  readonly accountId: string | null;
}

const EVENTS = {
  name: 'events_add',
  text: `INSERT INTO event (program, client_id, subject, request_id, action, account_id, object, data)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])`,
};

/** What the gateway does by itself or on the command line is done by this client; the subject says what it was. */
export const GATEWAY_CLIENT = 'tillgate';

/** The gateway by itself, or the command line. `subject` says what it does, such as `import`. */
export function gatewayActor(subject: string): Actor {
  return { clientId: GATEWAY_CLIENT, subject, requestId: randomUUID() };
}

/** The same who, in a program. */
export function doerIn(program: string, { clientId, subject, requestId }: Actor): Doer {
  return { program, clientId, subject, requestId };
}

/** Records events in the transaction of what they tell. */
export function recording(events: readonly NewEvent[]): Query {
  const rows = events.map(({ by, action, accountId, object, data }) => {
    const { program, clientId, subject, requestId } = by;
    return [program, clientId, subject, requestId, action, accountId, object, JSON.stringify(data)];
  });
  return { statement: EVENTS, values: columnsOf(rows) };
}
