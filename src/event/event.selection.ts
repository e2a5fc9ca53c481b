import { statementOf, type Statement } from '../../lib/pg-wire/statement.js';
import type { EventFilter } from './event.inputs.js';

/** The tables of events, each with the columns of all. */
const TABLES = {
  account: tableOf('account_event', 'DONE', 'account_id', 'chain_seq'),
  program: tableOf('program_event', 'DONE', 'NULL::text', 'seq'),
  denied: tableOf('denied_attempt', 'DENIED', 'account_id', 'seq'),
};

function tableOf(table: string, outcome: string, accountId: string, seq: string): string {
  return `(SELECT id, occurred_at, program, '${outcome}' AS outcome, client_id, subject, request_id, action,
    ${accountId} AS account_id, object, data, ${seq} AS seq, hash FROM ${table}) e`;
}

const COLUMNS = `e.id::text AS text, e.occurred_at, e.outcome, e.client_id, e.subject, e.request_id, e.action, e.account_id, e.object,
  e.data, e.seq::float8, encode(e.hash, 'hex') AS hash`;

/** Which events of a program are asked for. Texts are fixed, so they are few statements, each prepared once a connection. */
export class EventSelection {
  private readonly tables: readonly string[];
  private readonly where: string;
  /** The parameters of the conditions. The first one is the program. */
  readonly values: readonly unknown[];

  /** `actions`: those of the types that are asked for. `isFeed`: only what was done. */
  constructor(program: string, filter: EventFilter | null, actions: readonly string[] | null, isFeed: boolean) {
    const values: unknown[] = [program];
    const conditions = ['e.program = $1'];
    const add = (condition: (parameter: string) => string, value: unknown): void => {
      if (value !== undefined && value !== null) conditions.push(condition(`$${values.push(value)}`));
    };
    add(parameter => `e.account_id = ${parameter}`, filter?.accountId);
    add(parameter => `e.action = ANY(${parameter}::text[])`, filter?.action);
    add(parameter => `e.action = ANY(${parameter}::text[])`, actions);
    add(parameter => `e.client_id = ${parameter}`, filter?.clientId);
    add(parameter => `e.subject = ${parameter}`, filter?.subject);
    add(parameter => `e.request_id = ${parameter}`, filter?.requestId);
    add(parameter => `e.occurred_at >= ${parameter}::timestamptz`, filter?.startTime);
    add(parameter => `e.occurred_at < ${parameter}::timestamptz`, filter?.endTime);
    const onlyDone = isFeed || actions !== null;
    const tables = [
      ...(filter?.outcome === 'DENIED' ? [] : [TABLES.account, ...(filter?.accountId ? [] : [TABLES.program])]),
      ...(onlyDone || filter?.outcome === 'DONE' ? [] : [TABLES.denied]),
    ];
    if (tables.length === 0) conditions.push('false');
    this.tables = tables.length > 0 ? tables : [TABLES.account];
    this.where = conditions.join(' AND ');
    this.values = values;
  }

  /**
   * How many, newest first, behind an instant and an id, and with another bound ahead of others; or from the other end.
   * These are parameters behind the `values`. Each table gives its own by its index.
   */
  newest(isBounded: boolean, fromEnd: boolean): Statement {
    const [limit, occurredAt, id, ...bound] = this.parameters();
    const order = fromEnd ? 'ASC' : 'DESC';
    const ahead = isBounded ? `AND (e.occurred_at, e.id) > (${bound[0]}::timestamptz, ${bound[1]}::int8)` : '';
    const each = this.tables.map(
      table => `(SELECT ${COLUMNS}, e.id FROM ${table} WHERE ${this.where}
        AND (e.occurred_at, e.id) < (${occurredAt}::timestamptz, ${id}::int8) ${ahead}
        ORDER BY e.occurred_at ${order}, e.id ${order} LIMIT ${limit})`,
    );
    return statementOf(
      `SELECT * FROM (${each.join(' UNION ALL ')}) e ORDER BY occurred_at ${order}, id ${order} LIMIT ${limit}`,
    );
  }

  /**
   * How many, in the order of the feed, behind a position, and with another bound ahead of that; or from the end. The
   * position comes last.
   */
  inFeed(isBounded: boolean, fromEnd: boolean): Statement {
    const [limit, position, bound] = this.parameters();
    const each = this.tables.map(table => `SELECT ${COLUMNS} FROM ${table} WHERE e.id = f.event_id AND ${this.where}`);
    return statementOf(`SELECT e.*, f.position FROM feed f CROSS JOIN LATERAL (${each.join(' UNION ALL ')}) e
      WHERE f.program = $1 AND f.position > ${position} ${isBounded ? `AND f.position < ${bound}` : ''}
      ORDER BY f.position ${fromEnd ? 'DESC' : 'ASC'} LIMIT ${limit}`);
  }

  count(): Statement {
    const each = this.tables.map(table => `(SELECT count(*) FROM ${table} WHERE ${this.where})`);
    return statementOf(`SELECT (${each.join(' + ')})::int`);
  }

  /** Those behind the `values`. */
  private parameters(): readonly [string, string, string, string, string] {
    const next = (n: number): string => `$${this.values.length + n}`;
    return [next(1), next(2), next(3), next(4), next(5)];
  }
}
