import pg from 'pg';
import { socketOf } from './ask.js';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import type { Database } from './orm.js';

/** Settings of a session by their names. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * What is between the gateway and the sessions of the server: nothing, a pooler that gives each connection a session of
 * its own, or one that gives it a session for each transaction. Settings of a session made through the last would be
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
 * no start-up parameters, which poolers refuse. Unless the pooler is known to give sessions, they are made only where the
 * server says that this is its own session: through a pooler its process has another number than the connection.
 * `failed` is told when the server refuses a setting; such a connection is closed.
 */
export function setSessions(
  pool: pg.Pool,
  pooling: Pooling,
  settings: SessionSettings,
  failed: (error: Error) => void,
): void {
  if (pooling === 'transaction') return;
  const values = Object.entries(settings).map(([name, value]) => `(${[name, value].map(literal).join(', ')})`);
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

const READ: Statement = {
  name: 'session_settings',
  text: `SELECT quote_ident(session_user), quote_ident(current_database()),
    (SELECT json_object_agg(n, coalesce((SELECT setting FROM pg_settings s WHERE lower(s.name) = n), current_setting(n, true)))::text
     FROM unnest($1::text[]) n)`,
};

/** What a session lacks, in words, and the statements that give it to every session of this role. */
export interface Lacking {
  readonly wrong: readonly string[];
  readonly remedy: readonly string[];
}

/** Compares the settings of a session with what the gateway needs. null: nothing is missing. */
export async function lackingSettings(database: Database, settings: SessionSettings): Promise<Lacking | null> {
  const wanted = Object.entries(settings);
  const [row] = await database.query<[string, string, string]>(READ, [wanted.map(([name]) => name)]);
  if (!row) throw new Error('the server did not tell the settings of the session');
  const [role, name, text] = row;
  const present = JSON.parse(text) as Record<string, string | null>;
  const unfit = wanted.filter(([setting, value]) => !fits(setting, present, value));
  if (unfit.length === 0) return null;
  return {
    wrong: unfit.map(([setting]) => `${setting} is ${present[setting] ?? 'not set'}`),
    remedy: unfit.map(
      ([setting, value]) => `ALTER ROLE ${role} IN DATABASE ${name} SET ${setting} = ${literal(value)};`,
    ),
  };
}

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$/i;
/** The gateway gives up a connection that is silent for longer (`ANSWER_TIMEOUT_MS` in ask.ts). */
const MOST_STATEMENT_MS = 14_000;
const MOST_IDLE_MS = 60_000;

function fits(setting: string, present: Readonly<Record<string, string | null>>, wanted: string): boolean {
  const value = present[setting] ?? '';
  const withinMs = (most: number): boolean => Number(value) > 0 && Number(value) <= most;
  switch (setting) {
    case 'timezone':
      return UTC.test(value);
    case 'datestyle':
      return value.startsWith('ISO');
    case 'statement_timeout':
      return withinMs(MOST_STATEMENT_MS);
    // Otherwise a wait for a lock would end as a statement that took too long.
    case 'lock_timeout':
      return withinMs(Math.max(Number(present['statement_timeout'] ?? 0) - 1, 0) || MOST_STATEMENT_MS);
    case 'idle_in_transaction_session_timeout':
      return withinMs(MOST_IDLE_MS);
    default:
      return value === wanted;
  }
}
