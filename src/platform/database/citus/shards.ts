import { statementOf } from '../../../../lib/pg-wire/statement.js';
import type { Database } from '../orm.js';

/** The share of the accounts that a node has. */
export type NodeShare = {
  /** Host and port. */
  readonly node: string;
  readonly shards: number;
  /** As counted by the last ANALYZE, of all distributed tables. */
  readonly rows: number;
  readonly bytes: number;
};

export type RebalanceStatus = {
  /** As Citus says it: `running`, `finished`, `cancelled`, `failed`; `balanced` where nothing is to be moved. */
  readonly state: string;
  readonly moved: number;
  readonly left: number;
};

const IS_CLUSTER = statementOf(`SELECT to_regclass('pg_catalog.pg_dist_partition') IS NOT NULL`);
const HAS_SHARDS = statementOf(
  `SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = to_regclass('account'))`,
);

const NODES = statementOf(
  `SELECT n.nodename || ':' || n.nodeport, count(s.shardid) FILTER (WHERE s.table_name = 'account'::regclass)::int,
     coalesce(sum(s.shard_size), 0)::float8
   FROM pg_dist_node n LEFT JOIN citus_shards s
     ON s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.citus_table_type = 'distributed'
   WHERE n.noderole = 'primary' AND (n.shouldhaveshards OR s.shardid IS NOT NULL) GROUP BY 1 ORDER BY 1`,
);
// Estimates of a node's tables, and of no other's.
const ROWS = statementOf(
  `SELECT n.nodename || ':' || n.nodeport, CASE WHEN r.success THEN r.result::float8 ELSE 0 END
   FROM run_command_on_all_nodes($$ SELECT coalesce(sum(greatest(c.reltuples, 0)), 0) FROM pg_class c
     JOIN pg_dist_shard s ON c.relname LIKE '%' || '_' || s.shardid AND s.shardminvalue IS NOT NULL
     WHERE c.relkind = 'r' AND c.relname = (SELECT relname FROM pg_class WHERE oid = s.logicalrelid) || '_' || s.shardid $$) r
   JOIN pg_dist_node n USING (nodeid)`,
);
const WHERE = statementOf(
  `SELECT n.nodename || ':' || n.nodeport, p.shardid::float8
   FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE p.shardid = get_shard_id_for_distribution_column('account', $1::text)`,
);
const START = statementOf('SELECT citus_rebalance_start()::float8');
const STOP = statementOf(`SELECT citus_rebalance_stop()::text`);
const STATUS = statementOf(
  `SELECT s.state::text, (SELECT count(*)::int FROM pg_dist_background_task t WHERE t.job_id = s.job_id AND t.status = 'done'),
     (SELECT count(*)::int FROM pg_dist_background_task t
       WHERE t.job_id = s.job_id AND t.status NOT IN ('done', 'cancelled', 'error'))
   FROM citus_rebalance_status(true) s`,
);

/** True if tables of the database are distributed. */
export async function isCluster(database: Database): Promise<boolean> {
  const [citus] = await database.query<[boolean]>(IS_CLUSTER);
  if (!citus?.[0]) return false;
  const [shards] = await database.query<[boolean]>(HAS_SHARDS);
  return shards?.[0] ?? false;
}

/** The shards of a Citus cluster. */
export function shardsOf(database: Database) {
  const status = async (): Promise<RebalanceStatus> => {
    const [row] = await database.query<[state: string, moved: number, left: number]>(STATUS);
    return row ? { state: row[0], moved: row[1], left: row[2] } : { state: 'balanced', moved: 0, left: 0 };
  };
  return {
    /** The nodes that have accounts, or may have them. */
    nodes: async (): Promise<NodeShare[]> => {
      const shares = await database.query<[string, number, number]>(NODES);
      const rows = new Map(await database.query<[string, number]>(ROWS));
      return shares.map(([node, shards, bytes]) => ({ node, shards, rows: rows.get(node) ?? 0, bytes }));
    },
    /** The node and the shard of an account, whether it exists or not. */
    placeOf: async (accountId: string) => {
      const [row] = await database.query<[string, number]>(WHERE, [accountId]);
      if (!row) throw new Error('Citus names no node for the account');
      return { node: row[0], shard: row[1] };
    },
    /** Starts moving shards, unless some are being moved. */
    rebalance: async (): Promise<RebalanceStatus> => {
      const progress = await status();
      if (progress.left > 0) return progress;
      const started = await database.query<[number | null]>(START);
      return started[0]?.[0] === null ? { state: 'balanced', moved: 0, left: 0 } : status();
    },
    stopRebalance: async (): Promise<RebalanceStatus> => {
      await database.query(STOP);
      return status();
    },
  };
}
