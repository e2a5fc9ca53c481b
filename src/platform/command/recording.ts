import { randomUUID } from 'node:crypto';
import { Caller, type Identity, type Scope } from '../../shared/caller.js';
import { apart } from '../database/keyed.js';
import type { SqlQuery } from '../database/transaction.js';
import { transpose } from '../repository/by-ordinal.js';
import type { EventFacts } from './command.js';

/** The author of a change: the caller of a command, or the gateway itself. */
export type Actor = Pick<Identity, 'program' | 'clientId' | 'subject' | 'actor'> & { readonly requestId: string };

/** A caller, as events name it. */
export function actorOf({ program, clientId, subject, actor, requestId }: Caller): Actor {
  return { program, clientId, subject, ...(actor !== undefined && { actor }), requestId };
}

/** An event that is going to be recorded. Its account is locked. */
export interface NewEvent extends EventFacts {
  readonly by: Actor;
  /** The name of the command, such as `beneficiary.add`. */
  readonly action: string;
  /** Null where it is about the program. */
  readonly accountId: string | null;
}

/** A denied attempt that is going to be recorded. `by.program` keeps the record. */
export interface NewDenial extends Omit<NewEvent, 'object'> {
  readonly ageMs: number;
}

/**
 * The next number of an event. Its transaction has an id before it takes the number. So the transaction behind a number
 * that is missing is one of those that had an id when the number was found missing: see the function `feed_advance` of
 * the database.
 */
const EVENT_ID = `nextval(CASE WHEN pg_current_xact_id() IS NOT NULL THEN 'event_id_seq'::regclass END)`;

// The end of its chain is in the account, which is locked, so no other transaction adds to the chain. One event of each
// account.
const OF_ACCOUNTS = apart(
  {
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
  },
  {
    arrays: 8,
    text: 'SELECT record_account_event($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::text, $8::jsonb)',
  },
);

const OF_PROGRAMS = apart(
  {
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
  },
  {
    arrays: 7,
    text: 'SELECT record_program_event($1::text, $2::text, $3::text, $4::text, $5::text, $6::text, $7::jsonb)',
  },
);

const OF_DENIALS = {
  name: 'attempts_deny',
  text: chaining({
    table: 'denied_attempt',
    hash: 'denied_attempt_hash',
    columns: {
      age_ms: 'float8',
      program: 'text',
      client_id: 'text',
      subject: 'text',
      request_id: 'text',
      action: 'text',
      object: 'text',
      account_id: 'text',
    },
    accountId: 'n.account_id',
    occurredAt: `now() - k.age_ms * interval '1 millisecond'`,
  }),
};

/** The lock of a program, which every command about it takes: its number is `'prog'`. */
const LOCK_PROGRAMS = { name: 'programs_lock_chains', text: locking("x'70726f67'::int") };
/** The lock of a program's denied attempts, for which no command waits: its number is `'even'`. */
const LOCK_DENIALS = { name: 'attempts_lock_chains', text: locking("x'6576656e'::int") };

/** The client of all that the gateway does by itself or on the command line. */
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
export function recording(events: readonly NewEvent[]): SqlQuery[] {
  const ofPrograms = events.filter(({ accountId }) => accountId === null);
  const rows = ofPrograms.map(event => [...rowOf(event), dataOf(event)]);
  const programs = [...new Set(ofPrograms.map(({ by }) => by.program))];
  return [
    ...inChains(events).map(each => ({
      statement: OF_ACCOUNTS,
      values: transpose(each.map(event => [...rowOf(event), event.accountId, dataOf(event)])),
    })),
    ...(rows.length > 0
      ? [
          { statement: LOCK_PROGRAMS, values: [programs] },
          { statement: OF_PROGRAMS, values: transpose(rows) },
        ]
      : []),
  ];
}

/** The statements that record denied attempts, in chains of their own, in the order that they come in. */
export function recordingDenied(denials: readonly NewDenial[]): SqlQuery[] {
  const programs = [...new Set(denials.map(({ by }) => by.program))];
  const rows = denials.map(one => [one.ageMs, ...rowOf({ ...one, object: null }), one.accountId, dataOf(one)]);
  return [
    { statement: LOCK_DENIALS, values: [programs] },
    { statement: OF_DENIALS, values: transpose(rows) },
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

function rowOf({
  by: { program, clientId, subject, requestId },
  action,
  object,
}: Pick<NewEvent, 'by' | 'action'> & { readonly object: string | null }): unknown[] {
  return [program, clientId, subject, requestId, action, object];
}

/** Facts of an event, and who acted for its subject. */
function dataOf({ by: { actor }, data }: Pick<NewEvent, 'by' | 'data'>): string {
  return JSON.stringify(actor === undefined ? data : { ...(data as object), actor });
}

/** A table with a chain for each program. */
interface ProgramChain {
  readonly table: string;
  /** The function of the database that gives the hash of an event. */
  readonly hash: string;
  /** The columns of an event, with their types. The data comes behind them. */
  readonly columns: Readonly<Record<string, string>>;
  /** The account of an event `n`. */
  readonly accountId: string;
  /** When an event `k` occurred; at the beginning of the transaction when absent. */
  readonly occurredAt?: string;
}

/**
 * The statement that adds events to the chains of programs, which `locking` has locked in a statement before it: only
 * then does it see their ends. Its parameters are the columns, those of one program in the order in which they get into
 * its chain.
 */
function chaining({ table, hash, columns, accountId, occurredAt = 'now()' }: ProgramChain): string {
  const names = [...Object.keys(columns), 'data'];
  const arrays = [...Object.values(columns), 'jsonb'].map((type, index) => `$${index + 1}::${type}[]`);
  const written = Object.keys(columns).filter(name => name !== 'age_ms');
  const hashed = (previous: string, seq: string): string =>
    `${hash}(${previous}, ${seq}, n.id, n.at, n.program, n.client_id, n.subject, n.request_id, n.action, ${accountId}, n.object, n.data)`;
  return `WITH RECURSIVE fresh AS MATERIALIZED (
      SELECT k.*, (${occurredAt})::timestamptz(3) AS at, ${EVENT_ID} AS id, row_number() OVER (PARTITION BY k.program ORDER BY k.n) AS place
      FROM unnest(${arrays.join(', ')}) WITH ORDINALITY k(${names.join(', ')}, n)
    ), chained AS (
      SELECT n.program, n.place, n.id, coalesce(l.seq, 0) + 1 AS seq, ${hashed("coalesce(l.hash, '')", 'coalesce(l.seq, 0) + 1')} AS hash
      FROM fresh n LEFT JOIN LATERAL (
        SELECT t.seq, t.hash FROM ${table} t WHERE t.program = n.program ORDER BY t.seq DESC LIMIT 1) l ON true
      WHERE n.place = 1
      UNION ALL
      SELECT n.program, n.place, n.id, c.seq + 1, ${hashed('c.hash', 'c.seq + 1')}
      FROM chained c JOIN fresh n ON n.program = c.program AND n.place = c.place + 1
    )
    INSERT INTO ${table} (seq, hash, id, occurred_at, ${written.join(', ')}, data)
    SELECT c.seq, c.hash, n.id, n.at, ${written.map(name => `n.${name}`).join(', ')}, n.data FROM chained c JOIN fresh n USING (id)`;
}

/**
 * The statement that locks chains of programs until the transaction ends, in the order of the names of the programs.
 */
function locking(kind: string): string {
  return `SELECT pg_advisory_xact_lock(${kind}, hashtext(k.program))::text
    FROM (SELECT * FROM unnest($1::text[]) k(program) ORDER BY program OFFSET 0) k`;
}
