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

const NODES = `SELECT n.nodename || ':' || n.nodeport AS node,
    count(s.shardid) FILTER (WHERE s.table_name = 'account'::regclass)::int AS shards,
    coalesce(sum(s.shard_size), 0)::float8 AS bytes
  FROM pg_dist_node n LEFT JOIN citus_shards s
    ON s.nodename = n.nodename AND s.nodeport = n.nodeport AND s.citus_table_type = 'distributed'
  WHERE n.noderole = 'primary' AND (n.shouldhaveshards OR s.shardid IS NOT NULL) GROUP BY 1 ORDER BY 1`;
// Estimates of a node's tables, and of no other's.
const ROWS = `SELECT n.nodename || ':' || n.nodeport AS node, CASE WHEN r.success THEN r.result::float8 ELSE 0 END AS rows
  FROM run_command_on_all_nodes($$ SELECT coalesce(sum(greatest(c.reltuples, 0)), 0) FROM pg_class c
    JOIN pg_dist_shard s ON c.relname LIKE '%' || '_' || s.shardid AND s.shardminvalue IS NOT NULL
    WHERE c.relkind = 'r' AND c.relname = (SELECT relname FROM pg_class WHERE oid = s.logicalrelid) || '_' || s.shardid $$) r
  JOIN pg_dist_node n USING (nodeid)`;
const PLACE = `SELECT n.nodename || ':' || n.nodeport AS node, p.shardid::float8 AS shard
  FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
  WHERE p.shardid = get_shard_id_for_distribution_column('account', ?::text)`;
const STATUS = `SELECT s.state::text,
    (SELECT count(*)::int FROM pg_dist_background_task t WHERE t.job_id = s.job_id AND t.status = 'done') AS moved,
    (SELECT count(*)::int FROM pg_dist_background_task t
      WHERE t.job_id = s.job_id AND t.status NOT IN ('done', 'cancelled', 'error')) AS left
  FROM citus_rebalance_status(true) s`;
const BALANCED: RebalanceStatus = { state: 'balanced', moved: 0, left: 0 };

/** The shards of a Citus cluster. */
export function shardsOf(database: Database) {
  const em = database.primary();
  const status = async (): Promise<RebalanceStatus> => (await em.execute<RebalanceStatus[]>(STATUS))[0] ?? BALANCED;
  return {
    /** The nodes that have accounts, or may have them. */
    nodes: async (): Promise<NodeShare[]> => {
      const shares = await em.execute<Omit<NodeShare, 'rows'>[]>(NODES);
      const counted = await em.execute<Pick<NodeShare, 'node' | 'rows'>[]>(ROWS);
      const rowsOf = new Map(counted.map(({ node, rows }) => [node, rows]));
      return shares.map(({ node, shards, bytes }) => ({ node, shards, rows: rowsOf.get(node) ?? 0, bytes }));
    },
    /** The node and the shard of an account, whether it exists or not. */
    placeOf: async (accountId: string) => {
      const [place] = await em.execute<{ readonly node: string; readonly shard: number }[]>(PLACE, [accountId]);
      if (!place) throw new Error('Citus names no node for the account');
      return place;
    },
    /** Starts moving shards, unless some are being moved. */
    rebalance: async (): Promise<RebalanceStatus> => {
      const progress = await status();
      if (progress.left > 0) return progress;
      const [started] = await em.execute<{ readonly job: number | null }[]>(
        'SELECT citus_rebalance_start()::float8 AS job',
      );
      return started?.job === null ? BALANCED : status();
    },
    stopRebalance: async (): Promise<RebalanceStatus> => {
      await em.execute('SELECT citus_rebalance_stop()::text');
      return status();
    },
  };
}
