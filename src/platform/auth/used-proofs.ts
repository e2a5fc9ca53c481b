import { raw } from '@mikro-orm/core';
import { statementOf } from '../../../lib/pg-wire/statement.js';
import type { Database } from '../database/orm.js';
import { batcher } from '../repository/batcher.js';
import { sweepRows } from '../repository/sweep-rows.js';
import { USED_SECONDS } from './dpop-proof.js';
import { UsedProof } from './used-proof.entity.js';

const SWEEP_ROWS = 10_000;

// Written by hand, since each request with a proof waits for it: one named statement for any number of proofs.
const USE = statementOf(
  `INSERT INTO dpop_proof (proof_hash, ends_at)
    SELECT p, now() + make_interval(secs => ${USED_SECONDS}) FROM unnest($1::bytea[]) p
    ON CONFLICT DO NOTHING RETURNING proof_hash`,
);

/**
 * The DPoP proofs that were used, in all processes together (RFC 9449, 11.1): rows, which the proofs of concurrent
 * requests get in one statement.
 */
export class UsedProofs {
  /** True if the proof is used for the first time. From now on it was used. */
  readonly use: (proofHash: Buffer) => Promise<boolean>;

  constructor(private readonly database: Database) {
    this.use = batcher(proofHashes => this.insert(proofHashes), { inFlight: 2 });
  }

  /** Forgets proofs that are no longer valid, the oldest first. Gives how many. */
  sweep(): Promise<number> {
    return sweepRows(this.database.primary(), UsedProof, 'proofHash', {
      where: { endsAt: { $lt: raw('now()') } },
      orderBy: { endsAt: 'asc' },
      limit: SWEEP_ROWS,
    });
  }

  private async insert(proofHashes: readonly Buffer[]): Promise<boolean[]> {
    const inserted = await this.database.query<[Buffer]>(USE, [proofHashes]);
    const first = new Set(inserted.map(([proofHash]) => proofHash.toString('hex')));
    // A proof that is twice in one batch has one first use.
    return proofHashes.map(proofHash => first.delete(proofHash.toString('hex')));
  }
}
