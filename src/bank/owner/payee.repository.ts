import { LockMode } from '@mikro-orm/core';
import { type KeyRing, SealBroken } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { sealIdentity } from '../../platform/repository/declarations.js';
import { Customer, taxIdDigest, taxIdDigests } from './owner.entity.js';

/** A tax id among the customers of a program. */
export interface ProgramTaxId {
  readonly program: string;
  readonly taxId: string;
}

/** The number of records that get their digest in one transaction, in some tenths of a second. */
const RECORDS_AT_ONCE = 1000;

/** Customers as payees of interest, who are found by their tax ids. */
export class PayeeRepository {
  constructor(
    private readonly database: Database,
    private readonly keys: KeyRing,
  ) {}

  /** As `OwnerService.withTaxIds`. */
  async withTaxIds(of: readonly ProgramTaxId[]): Promise<Map<string, string>> {
    const payees = new Map<string, string>();
    for (const { program, taxId } of of) {
      const payee = JSON.stringify([program, taxId]);
      for (const digest of taxIdDigests(this.keys, taxId)) payees.set(`${program} ${digest.toString('hex')}`, payee);
    }
    if (payees.size === 0) return new Map();
    const programs = [...new Set(of.map(({ program }) => program))];
    const digests = [...payees.keys()].map(key => Buffer.from(key.slice(key.lastIndexOf(' ') + 1), 'hex'));
    const which = { program: { $in: programs }, taxIdDigest: { $in: digests } };
    const fields = ['customerId', 'program', 'taxIdDigest'] as const;
    const found = await this.database.primary().find(Customer, which, { fields });
    return new Map(
      found.flatMap(({ customerId, program, taxIdDigest: digest }) => {
        const payee = digest && payees.get(`${program} ${Buffer.from(digest).toString('hex')}`);
        return payee ? [[customerId, payee]] : [];
      }),
    );
  }

  /**
   * Gives their digest to the customers of programs whose records were written before there was one. A record that
   * cannot be decrypted stays without: its accounts are told where documents are made of it.
   */
  async completeDigests(programs: readonly string[]): Promise<void> {
    for (let after = NIL; ;) {
      const last = await inTransaction(this.database, async transaction => {
        const em = this.database.em(transaction);
        const rows = await this.missing(em, programs, after);
        for (const { customerId, sealed } of rows) {
          const digest = this.digestOf(customerId, sealed);
          if (digest) await em.nativeUpdate(Customer, { customerId }, { taxIdDigest: digest });
        }
        return rows.length < RECORDS_AT_ONCE ? null : rows.at(-1)?.customerId;
      });
      if (!last) return;
      after = last;
    }
  }

  private missing(em: ReturnType<Database['em']>, programs: readonly string[], after: string) {
    return em.find(
      Customer,
      { program: { $in: [...programs] }, taxId: { $ne: null }, taxIdDigest: null, customerId: { $gt: after } },
      {
        fields: ['customerId', 'sealed'],
        orderBy: { customerId: 'asc' },
        limit: RECORDS_AT_ONCE,
        lockMode: LockMode.PESSIMISTIC_WRITE,
      },
    );
  }

  private digestOf(customerId: string, sealed: Buffer): Buffer | null {
    try {
      return taxIdDigest(this.keys, this.keys.open(sealIdentity('customer', [customerId]), sealed));
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }
}

/** Before every id of a customer. */
const NIL = '00000000-0000-0000-0000-000000000000';
