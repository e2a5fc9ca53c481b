import type { Statement } from '../../../../lib/pg-wire/statement.js';
import type { Database } from '../orm.js';
import { UnfitDatabase } from '../unfit-database.js';

/**
 * Older ones do not take `ALTER DATABASE ... SET` to all nodes, so commands would wait for locks there without an end.
 */
const LEAST_VERSION = 13.1;

const EXTENSION: Statement = {
  name: 'citus_extension',
  text: `SELECT (SELECT extversion FROM pg_extension WHERE extname = 'citus'), current_setting('citus.shard_count', true) IS NOT NULL`,
};
const GROUP: Statement = { name: 'citus_group', text: 'SELECT groupid FROM pg_dist_local_group' };
const NODES: Statement = {
  name: 'citus_nodes',
  text: `SELECT n.nodename || ':' || n.nodeport, r.success, r.result
    FROM run_command_on_all_nodes($$ SELECT current_setting('server_version_num')::int / 10000 || ' ' || extversion FROM pg_extension WHERE extname = 'citus' $$) r
    JOIN pg_dist_node n USING (nodeid) ORDER BY 1`,
};
const TABLES: Statement = {
  name: 'citus_tables',
  text: `SELECT c.relname FROM pg_dist_partition p JOIN pg_class c ON c.oid = p.logicalrelid WHERE c.relnamespace = current_schema()::regnamespace`,
};

/**
 * Refuses a server whose Citus the gateway cannot work with: not loaded, too old, of different versions, a node that is
 * no coordinator, or tables of which only some are distributed. Throws `UnfitDatabase`.
 */
export async function checkCitus(database: Database, tables: readonly string[]): Promise<void> {
  const [found] = await database.query<[version: string | null, isLoaded: boolean]>(EXTENSION);
  const [version, isLoaded] = found ?? [null, false];
  if (version === null) return;
  if (!isLoaded) {
    throw unfit(
      'has the extension citus, and its server does not load it, so distributed tables would look empty. Add citus to shared_preload_libraries and restart the server.',
    );
  }
  if (Number.parseFloat(version) < LEAST_VERSION) {
    throw unfit(`has Citus ${version}. Upgrade it to ${LEAST_VERSION} or later on all nodes.`);
  }
  const [group] = await database.query<[number]>(GROUP);
  if (group?.[0] !== 0) throw unfit('leads to a worker of a Citus cluster. Set it to the address of the coordinator.');
  const nodes = await database.query<[node: string, isThere: boolean, versions: string]>(NODES);
  const versions = new Set(nodes.filter(([, isThere]) => isThere).map(([, , has]) => has));
  if (versions.size > 1) {
    const list = nodes.map(([node, isThere, has]) => `${node} ${isThere ? has : 'away'}`).join(', ');
    throw unfit(
      `leads to a Citus cluster of different versions (node, PostgreSQL, Citus: ${list}). Bring all nodes to one version.`,
    );
  }
  const placed = new Set((await database.query<[string]>(TABLES)).map(([table]) => table));
  const missing = tables.filter(table => !placed.has(table));
  if (missing.length > 0) {
    const which = placed.size === 0 ? 'its tables are not distributed' : `not distributed are ${missing.join(', ')}`;
    throw unfit(`has the extension citus, and ${which}. Run: tillgate migrate`);
  }
}

function unfit(problem: string): UnfitDatabase {
  return new UnfitDatabase([`DATABASE_URL ${problem}`]);
}
