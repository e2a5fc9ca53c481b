import { statementOf, type Statement } from '../../../lib/pg-wire/statement.js';
import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import type { Window } from '../../shared/page.js';
import { Event, type EventOutcome } from './event.entity.js';
import { CHAIN_KINDS, type ChainKind, type EventSelection } from './event.selection.js';

/** The number of events of chains that are read at a time. */
export const BATCH_ROWS = 5000;

/** An event as it is read. */
export type EventRead = Readonly<Omit<Event, 'eventId' | 'type' | 'occurredAt' | 'payload'>> & {
  readonly occurredAt: string;
  /** As PostgreSQL writes jsonb. */
  readonly dataText: string;
};

/** An event of a chain. Where somebody changed its table, it may lack what its type promises. */
export interface ChainEvent {
  readonly event: EventRead;
  /** Seconds since 1970 with six digits. */
  readonly epoch: string;
}

/** The link of an event: the number and the hash of the one before it. */
export interface Link {
  readonly seq: bigint;
  readonly hash: Buffer;
}

/** The newest events of an account's chain, the oldest of them first, and the end that the account names. */
export interface NewestEvents {
  readonly events: ChainEvent[];
  readonly end: Link | undefined;
}

/** The tables of events, and what they have in place of columns of `account_event`. */
const TABLES: Readonly<Record<ChainKind, { name: string; outcome: EventOutcome; columns: Record<string, string> }>> = {
  account: { name: 'account_event', outcome: 'DONE', columns: {} },
  program: { name: 'program_event', outcome: 'DONE', columns: { account_id: 'NULL::text', chain_seq: 'seq' } },
  denied: { name: 'denied_attempt', outcome: 'DENIED', columns: { chain_seq: 'seq' } },
};

/** The times of chains are read by their seconds alone: somebody may have written one that is no time. */
const AS_CHAINED = { occurred_at: 'NULL::timestamptz' };

/** The place before the newest event. */
const NEWEST = ['infinity', '9223372036854775807'];

/**
 * Reads the events of all tables as those of one: the feed, and chains of which no page may be read from elsewhere than
 * its index. Their statements are unions with conditions of their own, so they are written here; the columns and the
 * reader are the entity's.
 */
export class EventRepository extends BatchedRepository<Event, EventRead, Pick<Event, 'outcome'>> {
  private readonly all = this.columns('e');
  private readonly from = ofEachKind(kind => this.tableOf(kind));
  /** The event of a place `f` in the feed, where accounts are on many servers. */
  private readonly fromApart = {
    account: this.tableOf('account', {}, 'account_event_of(f.event_id, f.account_id)'),
    program: this.tableOf('program', {}, 'program_event_of(f.event_id)'),
    denied: this.from.denied,
  };
  private readonly numbered = statementOf(
    `SELECT * FROM (${CHAIN_KINDS.map(
      kind =>
        `(SELECT ${this.all}, e.outcome, NULL::int8 FROM ${this.from[kind]} WHERE e.id = ANY($1::int8[]) LIMIT $2::int)`,
    ).join(' UNION ALL ')}) e`,
  );
  private readonly chains = ofEachKind(kind => this.chainOf(kind, kind === 'account' ? 'e.account_id' : 'e.program'));
  private readonly ends = statementOf(
    `SELECT ${this.all}, a.event_seq, a.event_hash, e.epoch FROM account a LEFT JOIN LATERAL (
       SELECT * FROM ${this.tableOf('account', AS_CHAINED)} WHERE e.account_id = $1::text
       ORDER BY e.chain_seq DESC LIMIT $2::int) e ON true
     WHERE a.account_id = $1::text ORDER BY e.chain_seq DESC`,
  );

  constructor(database: Database) {
    super(database, Event);
  }

  /**
   * Those between two places, the newest first or from the end, and one more than the page has. A place is an instant
   * and an id. Each table gives its own events by its index.
   */
  async newest(
    selection: EventSelection,
    { after, before, limit, fromEnd }: Window<readonly string[]>,
  ): Promise<EventRead[]> {
    const [size, occurredAt, id, ...bound] = parametersBehind(selection);
    const order = fromEnd ? 'ASC' : 'DESC';
    const ahead = before ? `AND (e.occurred_at, e.id) > (${bound[0]}::timestamptz, ${bound[1]}::int8)` : '';
    const each = selection.kinds.map(
      kind => `(SELECT ${this.all}, e.outcome, e.id AS number FROM ${this.from[kind]} WHERE ${selection.where}
        AND (e.occurred_at, e.id) < (${occurredAt}::timestamptz, ${id}::int8) ${ahead}
        ORDER BY e.occurred_at ${order}, e.id ${order} LIMIT ${size})`,
    );
    const text = `SELECT * FROM (${each.join(' UNION ALL ')}) e
      ORDER BY occurred_at ${order}, number ${order} LIMIT ${size}`;
    const values = [...selection.values, limit + 1, ...(after ?? NEWEST), ...(before ?? [])];
    const rows = await this.database.read<unknown[]>(statementOf(text), values);
    return rows.map(row => this.eventOf(row).event);
  }

  /** A page of events in the order of the feed, each with its position, which is its place there. */
  async inFeed(
    selection: EventSelection,
    { after, before, limit, fromEnd }: Window<number>,
  ): Promise<{ readonly event: EventRead; readonly at: number }[]> {
    const [size, behind, bound] = parametersBehind(selection);
    const textOf = (from: Readonly<Record<ChainKind, string>>): string => {
      const each = selection.kinds.map(
        kind => `SELECT ${this.all}, e.outcome FROM ${from[kind]} WHERE e.id = f.event_id AND ${selection.where}`,
      );
      return `SELECT e.*, f.position FROM feed f CROSS JOIN LATERAL (${each.join(' UNION ALL ')}) e
        WHERE f.program = $1 AND f.position > ${behind} ${before === null ? '' : `AND f.position < ${bound}`}
        ORDER BY f.position ${fromEnd ? 'DESC' : 'ASC'} LIMIT ${size}`;
    };
    const values = [...selection.values, limit + 1, after ?? 0, ...(before === null ? [] : [before])];
    const statement = apart(textOf(this.from), textOf(this.fromApart));
    const rows = await this.database.query<unknown[]>(statement, values);
    return rows.map(row => this.eventOf(row));
  }

  /** Those with some numbers, of whatever program. */
  async byNumbers(numbers: readonly string[]): Promise<EventRead[]> {
    const rows = await this.database.read<unknown[]>(this.numbered, [numbers, numbers.length]);
    return rows.map(row => this.eventOf(row).event);
  }

  async countOf({ kinds, where, values }: EventSelection): Promise<number> {
    const each = kinds.map(kind => `(SELECT count(*) FROM ${this.from[kind]} WHERE ${where})`);
    const [row] = await this.database.read<[number]>(statementOf(`SELECT (${each.join(' + ')})::int`), [...values]);
    return row?.[0] ?? 0;
  }

  /** The next events of all chains of a kind, behind one: what its chain is of, and its number. */
  async chained(kind: ChainKind, of: string, seq: bigint): Promise<ChainEvent[]> {
    const rows = await this.database.query<unknown[]>(this.chains[kind], [of, seq]);
    return rows.map(row => this.chainEventOf(row, TABLES[kind].outcome));
  }

  /** The end of an account's chain, `most` events at most. */
  async newestOf(accountId: string, most: number): Promise<NewestEvents> {
    const rows = await this.database.query<unknown[]>(this.ends, [accountId, most]);
    const [seq, hash] = (rows[0]?.slice(-3, -1) as [bigint, Buffer] | undefined) ?? [];
    const events = rows.map(row => this.chainEventOf(row, 'DONE')).toReversed();
    return {
      // An account without an event has one row of nulls.
      events: events.filter(({ event }) => event.accountId !== null),
      end: seq !== undefined && hash ? { seq, hash } : undefined,
    };
  }

  /** Reads an event of a row that has its outcome and one more value behind its columns. */
  private eventOf(row: readonly unknown[]): { readonly event: EventRead; readonly at: number } {
    const [outcome, at] = row.slice(-2) as [EventOutcome, bigint];
    return { event: this.read(row, { outcome }), at: Number(at) };
  }

  /** Reads an event of a row that ends with its epoch. */
  private chainEventOf(row: readonly unknown[], outcome: EventOutcome): ChainEvent {
    return { event: this.read(row, { outcome }), epoch: row.at(-1) as string };
  }

  /** A table of events with the columns of all. */
  private tableOf(
    kind: ChainKind,
    others: Readonly<Record<string, string>> = {},
    table: string = TABLES[kind].name,
  ): string {
    const { outcome, columns } = TABLES[kind];
    const expressions: Readonly<Record<string, string>> = { ...columns, ...others };
    const values = this.table.columns.map(({ name }) => `${expressions[name] ?? name} AS ${name}`).join(', ');
    return `(SELECT ${values}, '${outcome}' AS outcome, extract(epoch FROM occurred_at)::text AS epoch FROM ${table}) e`;
  }

  private chainOf(kind: ChainKind, of: string): Statement {
    return statementOf(
      `SELECT ${this.all}, e.epoch FROM ${this.tableOf(kind, AS_CHAINED)} WHERE (${of}, e.chain_seq) > ($1::text, $2::int8)
       ORDER BY ${of}, e.chain_seq LIMIT ${BATCH_ROWS}`,
    );
  }
}

function ofEachKind<Value>(valueOf: (kind: ChainKind) => Value): Readonly<Record<ChainKind, Value>> {
  return { account: valueOf('account'), program: valueOf('program'), denied: valueOf('denied') };
}

/** The parameters behind the `values` of a selection. */
function parametersBehind({ values }: EventSelection): string[] {
  return [1, 2, 3, 4, 5].map(n => `$${values.length + n}`);
}
