import pg from 'pg';
import { socketOf } from './ask.js';

/** Settings of a session by their names. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * The pooling between the gateway and the sessions of the server: none, a pooler that gives each connection a session
 * of its own, or one that gives it a session for each transaction. Settings of a session made through the last would be
 * those of other clients as well.
 */
export type Pooling = 'none' | 'session' | 'transaction';

export const SESSION: SessionSettings = {
  timezone: 'UTC',
  datestyle: 'ISO, MDY',
  statement_timeout: '10s',
  // As long as a request waits for another one under the same idempotency key.
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  // Our statements read ranges of one index whatever their values, so planning them for each set of values gains
  // nothing.
  plan_cache_mode: 'force_generic_plan',
};

/**
 * Gives new connections their settings. They travel with the first statement, so they cost no round trip, and they are
 * no start-up parameters, which poolers refuse. Unless the pooler is known to give sessions, they are made only where
 * the server says that this is its own session: through a pooler its process has another number than the connection.
 * `failed` is told when the server refuses a setting; such a connection is closed.
 */
export function setSessions(
  pool: pg.Pool,
  pooling: Pooling,
  settings: SessionSettings,
  failed: (error: Error) => void,
): void {
  if (pooling === 'transaction') return;
  const values = Object.entries(settings).map(([name, value]) => `(${literal(name)}, ${forServer(name, value)})`);
  const text = `SELECT set_config(name, value, false) FROM (VALUES ${values.join(', ')}) s(name, value)`;
  pool.on('connect', client => {
    const { processID } = client as unknown as { readonly processID: number | null };
    const own = pooling === 'session' ? '' : ` WHERE pg_backend_pid() = ${processID}`;
    client.query(text + own, (error: Error | null) => {
      if (!error) return;
      socketOf(client).destroy();
      failed(error);
    });
  });
}

/** Citus keeps generic plans for statements that read one table, and refuses them for others. */
export const PLANS_ON_CITUS = 'auto';

function forServer(name: string, value: string): string {
  if (name !== 'plan_cache_mode') return literal(value);
  return `CASE WHEN to_regclass('pg_catalog.pg_dist_partition') IS NULL THEN ${literal(value)} ELSE ${literal(PLANS_ON_CITUS)} END`;
}

function literal(text: string): string {
  return pg.escapeLiteral(text);
}

/** The settings without those that the operator makes in the address, whose word is the last. */
export function withoutThoseOf(url: string, settings: SessionSettings): SessionSettings {
  const { searchParams } = new URL(url);
  const options = [...(searchParams.get('options') ?? '').matchAll(/(?:-c\s*|--)([\w.-]+)\s*=/g)];
  const named = new Set([...options.map(([, name = '']) => name.replaceAll('-', '_')), ...searchParams.keys()]);
  const lower = new Set([...named].map(name => name.toLowerCase()));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !lower.has(name)));
}
