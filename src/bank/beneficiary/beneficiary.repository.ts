import type { KeyRing } from '../../platform/crypto/key-ring.js';
import { keyed } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import type { StatementSender } from '../../platform/database/transaction.js';
import { BatchedRepository } from '../../platform/repository/batched-repository.js';
import { oneByOrdinal, type WithOrdinal } from '../../platform/repository/by-ordinal.js';
import { Beneficiary, type BeneficiarySecrets, type BeneficiaryView } from './beneficiary.entity.js';

/** A beneficiary as it is read. What is sealed is opened when it is looked at. */
export type BeneficiaryRead = BeneficiaryView &
  Readonly<Pick<Beneficiary, 'position'>> & { readonly secrets: BeneficiarySecrets };

/** The number of beneficiaries of an account, and the position of the last. */
export interface ListEnd {
  readonly count: number;
  readonly last: number;
}

// Commands of a group read theirs together: how long each list is, and where it ends.
const LIST_ENDS = keyed(
  'beneficiary_list_ends',
  { account_id: 'text' },
  ({ k, each }) => `SELECT count(*)::int, max(b.position), ${k.n}::int FROM ${each}beneficiary b
    WHERE b.account_id = ${k.account_id} GROUP BY ${k.n}`,
);

export class BeneficiaryRepository extends BatchedRepository<Beneficiary, BeneficiaryRead> {
  constructor(database: Database, keys: KeyRing) {
    super(database, Beneficiary, keys, { parent: 'accountId', order: ['position'] });
  }

  /** Where the lists of accounts end. */
  async listEnds(transaction: StatementSender, accountIds: readonly string[]): Promise<ListEnd[]> {
    const rows = await transaction.query<WithOrdinal<[count: number, last: number]>>(LIST_ENDS, [accountIds]);
    const ends = oneByOrdinal(rows, accountIds.length, ([count, last]) => ({ count, last }));
    return ends.map(end => end ?? { count: 0, last: 0 });
  }
}
