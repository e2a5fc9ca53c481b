import { hashText } from '../../../../lib/pg-wire/hash-text.js';
import type { Statement } from '../../../../lib/pg-wire/statement.js';

/** The node that has a range of hashes, by host and port. */
interface Range {
  readonly least: number;
  readonly most: number;
  readonly host: string;
  readonly port: number;
}

/** How long it is believed where shards are. A node that lacks a shard still answers, by asking the one that has it. */
const BELIEVED_MS = 30_000;
const SAMPLES = ['', 'a', 'demo-1001', 'Kontonummer-äöü-0123456789'];

const READ: Statement = {
  name: 'citus_placements',
  text: `SELECT s.shardminvalue::int, s.shardmaxvalue::int, n.nodename, n.nodeport,
      n.hasmetadata AND n.metadatasynced AND n.isactive, n.groupid
    FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
    JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
    WHERE s.logicalrelid = 'account'::regclass ORDER BY s.shardminvalue::int`,
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
    type Row = [least: number, most: number, host: string, port: number, answers: boolean, group: number];
    this.isReading = true;
    try {
      const [rows, hashes] = await Promise.all([ask<Row>(READ), ask<[number]>(HASHES, [SAMPLES])]);
      const isSame = SAMPLES.every((sample, index) => hashes[index]?.[0] === hashText(sample));
      this.ranges = isSame ? rows.map(([least, most, host, port]) => ({ least, most, host, port })) : [];
      this.readMs = performance.now();
    } finally {
      this.isReading = false;
    }
  }

  /** Whether it should be read anew. */
  get isOld(): boolean {
    return !this.isReading && performance.now() - this.readMs > BELIEVED_MS;
  }

  /** The node that has an account, as `host:port`; null where that is not known. */
  nodeOf(accountId: string): string | null {
    const hash = hashText(accountId);
    let [low, high] = [0, this.ranges.length - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const range = this.ranges[middle] as Range;
      if (hash < range.least) high = middle - 1;
      else if (hash > range.most) low = middle + 1;
      else return `${range.host}:${range.port}`;
    }
    return null;
  }
}
