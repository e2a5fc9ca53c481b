import { hashText } from '../../../../lib/pg-wire/hash-text.js';
import type { Statement } from '../../../../lib/pg-wire/statement.js';

/** The tables of one shard, and those that are on every node, with the node that has them. */
export interface Shard {
  /** Host and port. */
  readonly node: string;
  /** The number by which placements name the node. */
  readonly group: number;
  /** Whether the node knows which shards it has. */
  readonly knows: boolean;
  /** The number of the shard of `account`, which stands for those that are kept with it. */
  readonly id: number;
  /** Names of the shards of tables, such as `account_102008`. */
  readonly tables: ReadonlyMap<string, string>;
  /** Those among them that are on every node. */
  readonly everywhere: ReadonlySet<string>;
}

/** A range of hashes and the shard that has it. */
interface Range extends Shard {
  readonly least: number;
  readonly most: number;
}

/** How long it is believed where shards are. A node that lacks a shard still answers, by asking the one that has it. */
const BELIEVED_MS = 30_000;
const SAMPLES = ['', 'a', 'demo-1001', 'Kontonummer-äöü-0123456789'];

const READ: Statement = {
  name: 'citus_placements',
  text: `SELECT s.shardminvalue::int, s.shardmaxvalue::int, n.nodename || ':' || n.nodeport, n.groupid, s.shardid::float8,
      n.hasmetadata AND n.metadatasynced AND n.isactive,
      (SELECT jsonb_object_agg(c.relname, ARRAY[o.shardid, (d.partmethod = 'n')::int])
        FROM pg_dist_shard o JOIN pg_dist_partition d USING (logicalrelid) JOIN pg_class c ON c.oid = o.logicalrelid
        WHERE c.relnamespace = current_schema()::regnamespace
          AND (d.partmethod = 'n' AND d.repmodel = 't' OR d.colocationid = a.colocationid AND o.shardminvalue = s.shardminvalue))
    FROM pg_dist_partition a JOIN pg_dist_shard s USING (logicalrelid) JOIN pg_dist_placement p USING (shardid)
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE a.logicalrelid = 'account'::regclass ORDER BY s.shardminvalue::int`,
};
const HASHES: Statement = { name: 'citus_hashes', text: 'SELECT hashtext(k) FROM unnest($1::text[]) k' };

type Ask = <Row extends unknown[]>(statement: Statement, values?: readonly unknown[]) => Promise<Row[]>;

/** Where accounts are: which node has the shard of an account. */
export class Placements {
  private ranges: readonly Range[] = [];
  private readMs = Number.NEGATIVE_INFINITY;
  private isReading = false;

  /** Reads anew which node has which shard. Nothing is known where the server hashes otherwise than we do. */
  async read(ask: Ask): Promise<void> {
    this.isReading = true;
    try {
      const [rows, hashes] = await Promise.all([ask<Row>(READ), ask<[number]>(HASHES, [SAMPLES])]);
      const isSame = SAMPLES.every((sample, index) => hashes[index]?.[0] === hashText(sample));
      this.ranges = isSame ? rows.map(rangeOf) : [];
      this.readMs = performance.now();
    } finally {
      this.isReading = false;
    }
  }

  /** Whether it should be read anew. */
  get isOld(): boolean {
    return !this.isReading && performance.now() - this.readMs > BELIEVED_MS;
  }

  /** Believes no longer what was read. */
  forget(): void {
    this.readMs = Number.NEGATIVE_INFINITY;
  }

  /** The shard that has an account, whether it exists or not; null where that is not known. */
  shardOf(accountId: string): Shard | null {
    const hash = hashText(accountId);
    let [low, high] = [0, this.ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.ranges[middle] as Range;
      if (hash < range.least) high = middle - 1;
      else if (hash > range.most) low = middle + 1;
      else return range;
    }
    return null;
  }
}

type Tables = Readonly<Record<string, readonly [shard: number, isEverywhere: number]>>;
type Row = [least: number, most: number, node: string, group: number, id: number, knows: boolean, tables: Tables];

function rangeOf([least, most, node, group, id, knows, tables]: Row): Range {
  const of = Object.entries(tables);
  return {
    ...{ least, most, node, group, id, knows },
    tables: new Map(of.map(([table, [shard]]) => [table, `${table}_${shard}`])),
    everywhere: new Set(of.filter(([, [, isEverywhere]]) => isEverywhere === 1).map(([table]) => table)),
  };
}
