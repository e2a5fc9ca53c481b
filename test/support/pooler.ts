import { SESSION } from '../../src/platform/database/session.js';
import { findPgBouncer, startPgBouncer, type PgBouncer } from '../installed/pgbouncer.js';
import { onServer } from './postgres.js';

/** What PgBouncer logs in as: a role with the settings that Tillgate needs of its sessions, and with the sandbox. */
const ROLE = 'tillgate_pooled';
// Each connection of a gateway is a session of the server's where sessions are pooled.
const POOL_SIZES = { session: 60, transaction: 10 };

export type PoolMode = keyof typeof POOL_SIZES;

/**
 * How the code under test reaches the server in this run: through a pooler (`npm run long -- pooler`), or null,
 * directly.
 */
export function poolModeOfRun(): PoolMode | null {
  const mode = process.env['TEST_POOLER'];
  return mode === 'session' || mode === 'transaction' ? mode : null;
}

/**
 * Starts PgBouncer before a server, on whose settings its sessions do not depend. `at` is another way to the same
 * server, for PgBouncer alone.
 */
export async function startPooler(serverUrl: string, mode: PoolMode, at = serverUrl): Promise<PgBouncer> {
  const found = await findPgBouncer();
  if (!found) throw new Error('TEST_POOLER is set, and there is no PgBouncer. Install it, or set PGBOUNCER.');
  const { password } = new URL(serverUrl);
  // A replica that was promoted has the role of its primary.
  const creation = `create role ${ROLE} superuser login password '${decodeURIComponent(password)}'`;
  await onServer(serverUrl, `do $$ begin ${creation}; exception when duplicate_object then null; end $$`);
  for (const [name, value] of Object.entries({ ...SESSION, 'tillgate.sandbox': 'on' })) {
    await onServer(serverUrl, `alter role ${ROLE} set ${name} = '${value}'`);
  }
  return startPgBouncer({
    file: found.file,
    serverUrl: at,
    user: ROLE,
    mode,
    poolSize: POOL_SIZES[mode],
    lines: ['server_idle_timeout = 10', 'server_tls_sslmode = disable'],
  });
}
