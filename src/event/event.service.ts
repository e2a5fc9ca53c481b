import { columnsOf } from '../platform/repository/by-ordinal.js';
import { chaining, locking } from '../platform/command/program-chain.js';
import type { Database } from '../platform/database/orm.js';
import { inTwoRoundTrips } from '../platform/database/transaction.js';
import { statementOf } from '../../lib/pg-wire/statement.js';
import { utcInstantOf } from '../shared/calendar.js';
import type { Caller } from '../shared/caller.js';
import { Unavailable } from '../shared/errors.js';
import type { PlaceLimits, Places, Tally, TallyOrder, Used } from '../platform/workers/limits.js';
import type { Together } from '../platform/workers/together.js';
import type { EventFeed } from '../platform/feed/event-feed.js';
import type { EventRecord } from '../platform/feed/event-types.js';
import {
  DEFAULT_PAGE_SIZE,
  MAX_PAGE_SIZE,
  pageRequestOf,
  positionOf,
  sliceOf,
  type CursorRequest,
  type Listing,
  type Slice,
} from '../shared/page.js';
import type { EventOrder, EventOutcome, EventView } from './event.entity.js';
import { LATEST, type EventFilter, type FeedQuery } from './event.inputs.js';

const COLUMNS = `e.id::text, e.occurred_at, e.outcome, e.client_id, e.subject, e.request_id, e.action, e.account_id, e.object,
  e.data, coalesce(e.chain_seq, e.program_seq, e.denied_seq)::float8, encode(e.hash, 'hex')`;

type EventRow = [
  id: string,
  occurredAt: string,
  outcome: EventOutcome,
  clientId: string,
  subject: string,
  requestId: string,
  action: string,
  accountId: string | null,
  object: string | null,
  data: EventView['data'],
  chainSeq: number | null,
  hash: string | null,
];

/** Requests that wait for events, in all and of one client of a program. */
const WAITING: PlaceLimits = { max: 1000, maxPerClient: 50 };

const POSITION = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) (\d{1,18})$/;
const FORM = { test: (position: string) => utcInstantOf(POSITION.exec(position)?.[1] ?? '') !== null };
/** The position before every event. */
const NEWEST = ['infinity', '9223372036854775807'];

const DENY = {
  name: 'attempts_deny',
  text: chaining({
    table: 'denied_attempt',
    hash: 'denied_attempt_hash',
    columns: {
      ...{ age_ms: 'float8', program: 'text', client_id: 'text', subject: 'text', request_id: 'text', action: 'text' },
      ...{ account_id: 'text', object: 'text' },
    },
    accountId: 'n.account_id',
    occurredAt: `now() - k.age_ms * interval '1 millisecond'`,
  }),
};
/** Whoever adds to a program's denied attempts takes this lock, whose number is `'even'`. No command waits for it. */
const LOCK_DENIED = { name: 'attempts_lock_chains', text: locking("x'6576656e'::int") };

/** So many denied attempts of one subject are recorded in a minute, since endless attempts must not fill the disk. */
export const MAX_DENIED_A_MINUTE = 100;
const BY_SUBJECT: TallyOrder = { windowMs: 60_000, maxKeys: 10_000 };

export interface DeniedAttempt {
  readonly callersProgram: string;
  readonly clientId: string;
  readonly subject: string;
  readonly requestId: string;
  readonly action: string;
  /** The program that keeps the record: the account's, or the caller's if there is no account. */
  readonly program: string;
  readonly accountId: string | null;
  /** The code of the refusal. */
  readonly code: string;
  /** By the clock of `performance.now()`. */
  readonly deniedAtMs: number;
}

/** The record of changes, and of attempts that were denied. */
export class EventService {
  /** The attempts of subjects in their present minutes. */
  private readonly denied: Tally;
  /** Those of the requests that wait for events, by their clients. */
  private readonly waiting: Places;

  constructor(
    private readonly database: Database,
    private readonly feed: EventFeed,
    together: Together,
  ) {
    this.denied = together.tally('denied attempts', BY_SUBJECT);
    this.waiting = together.places('waiting for events', WAITING);
  }

  /**
   * The events of the caller's program: newest first, or in the order of the feed if `order` or the cursor says so.
   * Throws `InvalidInput`.
   */
  list(
    caller: Caller,
    request: CursorRequest,
    filter: EventFilter | null,
    order: EventOrder | null | undefined,
  ): Listing<EventView> {
    caller.require('operations.read');
    const { limit } = pageRequestOf(request);
    const { after } = request;
    const isFeed = order ? order === 'OLDEST_FIRST' : this.feed.isCursor(after ?? '');
    const where = this.selection(caller, filter, isFeed);
    const total = () => this.count(where);
    if (isFeed) {
      const position = after ? this.feed.positionOf(caller.program, after) : 0;
      return { page: () => this.feedSlice(caller, where, limit, position), total };
    }
    const position = after ? positionOf(after, FORM) : null;
    return { page: () => this.slice(where, limit, position), total };
  }

  /**
   * The events of the caller's program after a cursor, oldest first. Waits for the first one as long as the query says,
   * `signal` is not aborted and the gateway does not stop. Throws `InvalidInput`, `Unavailable`.
   */
  async follow(caller: Caller, query: FeedQuery, signal: AbortSignal): Promise<FeedRead> {
    caller.require('operations.read');
    const { program } = caller;
    const selection = this.feed.selectionOf(program, query);
    const { feed } = this.feed;
    const after = await this.placeOf(program, query.after);
    const limit = Math.min(query.limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
    let page = await feed.page(selection, after, limit);
    if (page.events.length === 0 && !page.more && query.wait) {
      const late = AbortSignal.any([signal, AbortSignal.timeout(query.wait * 1000)]);
      const from = page.position;
      page = await this.asWaiting(caller, () => feed.next(selection, from, limit, late));
    }
    // Who hears of an event and then reads has to see it.
    await this.database.replicas?.noteEnd();
    const events = this.feed.shown(page).map(({ event }) => event);
    return { events, cursor: this.feed.cursorOf(program, page.position), hasMore: page.more };
  }

  private async placeOf(program: string, after: string | null | undefined): Promise<number> {
    if (after === LATEST) return this.feed.feed.present();
    return after ? this.feed.positionOf(program, after) : 0;
  }

  private async asWaiting<Result>({ program, clientId }: Caller, wait: () => Promise<Result>): Promise<Result> {
    const place = await this.waiting.take(JSON.stringify([program, clientId]));
    if (typeof place === 'string') {
      throw new Unavailable('Too many requests wait for events. Use one request for all types, or try again later.');
    }
    try {
      return await wait();
    } finally {
      place();
    }
  }

  /**
   * Records what callers were not allowed to do. The last attempt of a subject that is recorded in a minute says that
   * more may follow.
   */
  async recordDenied(attempts: readonly DeniedAttempt[]): Promise<void> {
    const subjects = new Map<string, number>();
    for (const attempt of attempts) subjects.set(subjectOf(attempt), (subjects.get(subjectOf(attempt)) ?? 0) + 1);
    const used = await Promise.all([...subjects].map(([subject, uses]) => this.denied.add(subject, uses)));
    // How many attempts of each subject came before the next one of it.
    const counts = new Map([...subjects].map(([subject, uses], n) => [subject, (used[n] as Used).count - uses]));
    const rows: unknown[][] = [];
    for (const attempt of attempts) {
      const { callersProgram, clientId, subject, requestId, action, program, accountId, code } = attempt;
      const count = (counts.get(subjectOf(attempt)) ?? 0) + 1;
      counts.set(subjectOf(attempt), count);
      if (count > MAX_DENIED_A_MINUTE) continue;
      const data = {
        code,
        // An operator of another program learns which one the attempt came from; the log has its requests.
        ...(program === callersProgram ? {} : { program: callersProgram }),
        ...(count === MAX_DENIED_A_MINUTE ? { furtherRecorded: false } : {}),
      };
      const ageMs = performance.now() - attempt.deniedAtMs;
      rows.push([ageMs, program, clientId, subject, requestId, action, accountId, null, JSON.stringify(data)]);
    }
    if (rows.length === 0) return;
    try {
      await inTwoRoundTrips(
        this.database,
        transaction => transaction.query(LOCK_DENIED, [[...new Set(rows.map(([, program]) => program))]]),
        () => [{ statement: DENY, values: columnsOf(rows) }],
      );
    } catch (error) {
      // A batch that failed is recorded again.
      await Promise.all([...subjects].map(([subject, uses]) => this.denied.add(subject, -uses)));
      throw error;
    }
  }

  private async slice(selected: Selected, limit: number, position: string | null): Promise<Slice<EventView>> {
    const { where, values } = selected;
    const [, ...after] = position === null ? [null, ...NEWEST] : (POSITION.exec(position) ?? []);
    const text = `SELECT ${COLUMNS} FROM event e WHERE ${where}
      AND (e.occurred_at, e.id) < ($${values.length + 1}::timestamptz, $${values.length + 2}::int8)
      ORDER BY e.occurred_at DESC, e.id DESC LIMIT $${values.length + 3}`;
    const rows = await this.database.read<EventRow>(statementOf(text), [...values, ...after, limit + 1]);
    const events = rows.map(row => this.eventOf(row));
    return sliceOf(events, limit, position !== null, ({ occurredAt, id }) => `${occurredAt} ${id}`);
  }

  private async feedSlice(
    { program }: Caller,
    { where, values }: Selected,
    limit: number,
    position: number,
  ): Promise<Slice<EventView>> {
    const text = `SELECT ${COLUMNS}, f.position FROM feed f JOIN event e ON e.id = f.event_id
      WHERE f.program = $1 AND f.position > $${values.length + 1} AND ${where}
      ORDER BY f.position LIMIT $${values.length + 2}`;
    type Row = [...EventRow, position: bigint];
    const rows = await this.database.query<Row>(statementOf(text), [...values, position, limit + 1]);
    await this.database.replicas?.noteEnd();
    const events = rows.map(row => ({ event: this.eventOf(row as unknown as EventRow), at: Number(row.at(-1)) }));
    const slice = sliceOf(events, limit, position > 0, ({ at }) => this.feed.textOf(program, at));
    return { ...slice, nodes: slice.nodes.map(({ event }) => event) };
  }

  private async count({ where, values }: Selected): Promise<number> {
    const text = `SELECT count(*)::int FROM event e WHERE ${where}`;
    const [row] = await this.database.read<[number]>(statementOf(text), values);
    return row?.[0] ?? 0;
  }

  private eventOf(row: EventRow): EventView {
    const [id, occurredAt, outcome, clientId, subject, requestId, action, accountId, object, data, chainSeq, hash] =
      row;
    const type = outcome === 'DONE' ? this.feed.types.typeOf(action) : null;
    const attempt = { id, occurredAt, outcome, clientId, subject, requestId };
    return { ...attempt, action, type, accountId, object, data, chainSeq, hash };
  }

  // Conditions are fixed texts, so a selection is one of a few statements, each prepared once a connection.
  private selection(caller: Caller, filter: EventFilter | null, isFeed: boolean): Selected {
    const values: unknown[] = [caller.program];
    const conditions = ['e.program = $1'];
    const add = (condition: (parameter: string) => string, value: unknown): void => {
      if (value !== undefined && value !== null) conditions.push(condition(`$${values.push(value)}`));
    };
    const types = filter?.types ? this.feed.types.actionsOf(filter.types, '/filter/types') : null;
    add(parameter => `e.account_id = ${parameter}`, filter?.accountId);
    add(parameter => `e.action = ANY(${parameter}::text[])`, filter?.action);
    add(parameter => `e.action = ANY(${parameter}::text[])`, types);
    add(parameter => `e.outcome = ${parameter}`, filter?.outcome);
    if (types || isFeed) conditions.push("e.outcome = 'DONE'");
    add(parameter => `e.client_id = ${parameter}`, filter?.clientId);
    add(parameter => `e.subject = ${parameter}`, filter?.subject);
    add(parameter => `e.request_id = ${parameter}`, filter?.requestId);
    add(parameter => `e.occurred_at >= ${parameter}::timestamptz`, filter?.startTime);
    add(parameter => `e.occurred_at < ${parameter}::timestamptz`, filter?.endTime);
    return { where: conditions.join(' AND '), values };
  }
}

/** The conditions of a selection, and their parameters. The first one is the program. */
interface Selected {
  readonly where: string;
  readonly values: unknown[];
}

/** What a reader of the feed gets. */
export interface FeedRead {
  readonly events: readonly EventRecord[];
  /** Where to go on. */
  readonly cursor: string;
  readonly hasMore: boolean;
}

function subjectOf({ callersProgram, clientId, subject }: DeniedAttempt): string {
  return JSON.stringify([callersProgram, clientId, subject]);
}
