import { randomUUID } from 'node:crypto';
import { Caller, type Identity, type Scope } from '../../shared/caller.js';
import type { Query } from '../database/transaction.js';
import { columnsOf } from '../repository/by-ordinal.js';
import type { EventFacts } from './command.js';
import { EVENT_ID, chaining, locking } from './program-chain.js';

/** Who did something: the caller of a command, or the gateway itself. */
export type Doer = Pick<Identity, 'program' | 'clientId' | 'subject'> & { readonly requestId: string };

/** An event that is going to be recorded. Its account is locked. */
export interface NewEvent extends EventFacts {
  readonly by: Doer;
  /** The name of the command, such as `beneficiary.add`. */
  readonly action: string;
  /** Null where it is about the program. */
  readonly accountId: string | null;
}

// The end of its chain is in the account, which is locked, so nobody else adds to the chain. One event of each account.
const OF_ACCOUNTS = {
  name: 'account_events_add',
  text: `WITH added AS (
      INSERT INTO account_event (account_id, chain_seq, id, occurred_at, program, client_id, subject, request_id, action, object, data, hash)
      SELECT account_id, seq, id, at, program, client_id, subject, request_id, action, object, data,
        account_event_hash(previous, seq, id, at, program, client_id, subject, request_id, action, account_id, object, data)
      FROM (SELECT k.*, a.event_seq + 1 AS seq, a.event_hash AS previous, now()::timestamptz(3) AS at, ${EVENT_ID} AS id
        FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
          k(program, client_id, subject, request_id, action, object, account_id, data)
        LEFT JOIN account a ON a.account_id = k.account_id) n
      RETURNING account_id, chain_seq, hash)
    UPDATE account a SET event_seq = added.chain_seq, event_hash = added.hash FROM added WHERE a.account_id = added.account_id`,
};

const OF_PROGRAMS = {
  name: 'program_events_add',
  text: chaining({
    table: 'program_event',
    hash: 'program_event_hash',
    columns: {
      program: 'text',
      client_id: 'text',
      subject: 'text',
      request_id: 'text',
      action: 'text',
      object: 'text',
    },
    accountId: 'NULL',
  }),
};

/** The lock of a program, which every command about it takes: its number is `'prog'`. */
const LOCK_PROGRAMS = { name: 'programs_lock_chains', text: locking("x'70726f67'::int") };

/** What the gateway does by itself or on the command line is done by this client. */
export const GATEWAY_CLIENT = 'tillgate';

/**
 * The gateway by itself, or the command line, as the caller of commands. `subject` says what it does, such as `import`.
 */
export function gatewayCaller(
  program: string,
  subject: string,
  { scopes = [], requestId = randomUUID() }: { readonly scopes?: readonly Scope[]; readonly requestId?: string } = {},
): Caller {
  const identity = { program, clientId: GATEWAY_CLIENT, subject, customerId: null, scopes: new Set(scopes) };
  return new Caller(identity, requestId);
}

/**
 * The statements that record events, in the transaction of what they tell. Those of one account, or of one program, get
 * their places in its chain in this order.
 */
export function recording(events: readonly NewEvent[]): Query[] {
  const ofPrograms = events.filter(({ accountId }) => accountId === null);
  const rows = ofPrograms.map(event => [...rowOf(event), dataOf(event)]);
  const programs = [...new Set(ofPrograms.map(({ by }) => by.program))];
  return [
    ...inChains(events).map(each => ({
      statement: OF_ACCOUNTS,
      values: columnsOf(each.map(event => [...rowOf(event), event.accountId, dataOf(event)])),
    })),
    ...(rows.length > 0
      ? [
          { statement: LOCK_PROGRAMS, values: [programs] },
          { statement: OF_PROGRAMS, values: columnsOf(rows) },
        ]
      : []),
  ];
}

/** Events of accounts, in groups that have one of each account: an event is chained to the one that is written. */
function inChains(events: readonly NewEvent[]): NewEvent[][] {
  const groups: NewEvent[][] = [];
  const counts = new Map<string, number>();
  for (const event of events) {
    if (event.accountId === null) continue;
    const count = counts.get(event.accountId) ?? 0;
    counts.set(event.accountId, count + 1);
    const group = groups[count];
    if (group) group.push(event);
    else groups.push([event]);
  }
  return groups;
}

function rowOf({ by: { program, clientId, subject, requestId }, action, object }: NewEvent): unknown[] {
  return [program, clientId, subject, requestId, action, object];
}

function dataOf({ data }: NewEvent): string {
  return JSON.stringify(data);
}
