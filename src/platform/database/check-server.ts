import { isConnectionLost } from '../../../lib/pg-wire/pg-errors.js';
import { hostsOf } from './address.js';
import type { Address, Database } from './orm.js';
import { poolingOf } from './pooler.js';
import { lackingSettings } from './lacking-settings.js';
import { SESSION, type Pooling, type SessionSettings } from './session.js';
import { UnfitDatabase } from './unfit-database.js';

const URL_SETTING = 'DATABASE_URL';
const DIRECT_SETTING = 'DATABASE_DIRECT_URL';

export interface ConfiguredServer {
  /** null: the embedded one. */
  readonly databaseUrl: string | null;
  /** Where connections have sessions of their own; null: at `databaseUrl`. */
  readonly databaseDirectUrl: string | null;
  /** The settings that sessions need besides the usual. */
  readonly session?: SessionSettings;
  /** Refuses sessions without the settings that the gateway needs. Otherwise it only warns. */
  readonly production: boolean;
}

/** Where the database is, and where connections have sessions of their own. Throws `UnfitDatabase`. */
export async function addressesOf({
  databaseUrl,
  databaseDirectUrl,
}: ConfiguredServer): Promise<Address & { direct: Address | null }> {
  const url = databaseUrl ?? '';
  const pooling = await poolingOfHosts(hostsOf(url), URL_SETTING);
  if (databaseDirectUrl === null) {
    if (pooling !== 'transaction') return { url, pooling, direct: null };
    throw new UnfitDatabase([
      `${DIRECT_SETTING} is not set, and ${URL_SETTING} goes through a pooler that pools transactions. Set it to the address of the PostgreSQL server itself, or of a pool of sessions: migrations, jobs and leases need sessions of their own.`,
    ]);
  }
  const directPooling = await poolingOfHosts(hostsOf(databaseDirectUrl), DIRECT_SETTING);
  if (directPooling === 'transaction') {
    throw new UnfitDatabase([
      `${DIRECT_SETTING} goes through a pooler that pools transactions. Set it to the address of the PostgreSQL server itself, or of a pool of sessions.`,
    ]);
  }
  return { url, pooling, direct: { url: databaseDirectUrl, pooling: directPooling } };
}

/** As the first host that answers has it: what is before the others is the same. */
async function poolingOfHosts([host = '', ...others]: readonly string[], setting: string): Promise<Pooling> {
  try {
    return await poolingOf(host, setting);
  } catch (error) {
    if (others.length === 0 || !isConnectionLost(error)) throw error;
    return poolingOfHosts(others, setting);
  }
}

/**
 * Refuses a second address that leads to another database, and in production sessions without time-outs and what else
 * statements rely on. Throws `UnfitDatabase`.
 */
export async function checkServer(
  database: Database,
  { databaseDirectUrl, production, session }: ConfiguredServer,
  warn: (message: string) => void,
): Promise<void> {
  if (databaseDirectUrl !== null) await checkDirect(database);
  const lacking = await lackingSettings(database, { ...SESSION, ...session });
  if (lacking === null) return;
  const problem = `${URL_SETTING} gives sessions without settings that the gateway needs: ${lacking.wrong.join(', ')}. Set them for the role, and have a pooler open its sessions anew (RECONNECT in PgBouncer's console):\n${lacking.remedy.join('\n')}`;
  if (production) throw new UnfitDatabase([problem]);
  warn(problem);
}

const WHICH = {
  name: 'which_database',
  text: `SELECT (SELECT system_identifier::text FROM pg_control_system()), current_database(), pg_is_in_recovery()`,
};

async function checkDirect(database: Database): Promise<void> {
  const direct = await database.reopenDirect({
    poolSize: 1,
    entities: [],
    applicationName: 'tillgate-start',
    acceptsStandby: true,
  });
  try {
    const [here, there] = await Promise.all(
      [database, direct].map(each => each.query<[string, string, boolean]>(WHICH)),
    );
    if (String(here) === String(there)) return;
    throw new UnfitDatabase([
      `${DIRECT_SETTING} leads to another database than ${URL_SETTING}, or to a replica of it. Set both to the same database of the same server.`,
    ]);
  } finally {
    await direct.close();
  }
}
