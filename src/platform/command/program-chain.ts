/**
 * The next number of an event. Its transaction has an id before it takes the number. So the transaction behind a number
 * that is missing is one of those that had an id when the number was found missing: see the function `feed_advance` of
 * the database.
 */
export const EVENT_ID = `nextval(CASE WHEN pg_current_xact_id() IS NOT NULL THEN 'event_id_seq'::regclass END)`;

/** A table with a chain for each program. */
export interface ProgramChain {
  readonly table: string;
  /** The function of the database that gives the hash of an event. */
  readonly hash: string;
  /** What an event says, with the types. The data comes behind them. */
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
export function chaining({ table, hash, columns, accountId, occurredAt = 'now()' }: ProgramChain): string {
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

/** The statement that locks chains of programs until the transaction ends, in the order of the names of the programs. */
export function locking(kind: string): string {
  return `SELECT pg_advisory_xact_lock(${kind}, hashtext(k.program))::text
    FROM (SELECT * FROM unnest($1::text[]) k(program) ORDER BY program OFFSET 0) k`;
}
