import pg from 'pg';
import type { Statement } from '../../../lib/pg-wire/statement.js';
import type { Database } from './orm.js';
import { PLANS_ON_CITUS as ON_CITUS, type SessionSettings } from './session.js';

const READ: Statement = {
  name: 'session_settings',
  text: `SELECT quote_ident(session_user), quote_ident(current_database()),
    (SELECT json_object_agg(n, coalesce((SELECT setting FROM pg_settings s WHERE lower(s.name) = n), current_setting(n, true)))::text
     FROM unnest($1::text[]) n), to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`,
};

/** The settings that a session lacks, in words, and the statements that give them to every session of this role. */
export interface MissingSettings {
  readonly wrong: readonly string[];
  readonly remedy: readonly string[];
}

/** Compares the settings of a session with what the gateway needs. null: nothing is missing. */
export async function lackingSettings(database: Database, settings: SessionSettings): Promise<MissingSettings | null> {
  const names = Object.keys(settings);
  const [row] = await database.query<[string, string, string, boolean]>(READ, [names]);
  if (!row) throw new Error('the server did not tell the settings of the session');
  const [role, name, text, hasCitus] = row;
  const wanted = Object.entries(
    hasCitus && 'plan_cache_mode' in settings ? { ...settings, plan_cache_mode: ON_CITUS } : settings,
  );
  const values = JSON.parse(text) as Record<string, string | null>;
  const unfit = wanted.filter(([setting, value]) => !fits(setting, values, value));
  if (unfit.length === 0) return null;
  return {
    wrong: unfit.map(([setting]) => `${setting} is ${values[setting] ?? 'not set'}`),
    remedy: unfit.map(
      ([setting, value]) => `ALTER ROLE ${role} IN DATABASE ${name} SET ${setting} = ${pg.escapeLiteral(value)};`,
    ),
  };
}

const UTC = /^(?:Etc\/)?(?:UTC|UCT|GMT|Zulu|Universal)$/i;
/** The gateway gives up a connection that is silent for longer (`ANSWER_TIMEOUT_MS` in ask.ts). */
const MOST_STATEMENT_MS = 14_000;
const MOST_IDLE_MS = 60_000;

function fits(setting: string, settings: Readonly<Record<string, string | null>>, wanted: string): boolean {
  const value = settings[setting] ?? '';
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
      return withinMs(Math.max(Number(settings['statement_timeout'] ?? 0) - 1, 0) || MOST_STATEMENT_MS);
    case 'idle_in_transaction_session_timeout':
      return withinMs(MOST_IDLE_MS);
    default:
      return value === wanted;
  }
}
