import { AccountImport } from './account/account.import.js';
import type { Bank } from './bank.js';
import { BeneficiaryImport } from './beneficiary/beneficiary.import.js';
import { CustomerImport } from './owner/owner.import.js';
import type { ImportKind } from './platform/import/import-kind.js';
import { TransactionImport } from './transaction/transaction.import.js';

/** Everything that can be imported, under the names of the command line. */
export const IMPORTS = {
  customers: ({ keys }: Bank): ImportKind => new CustomerImport(keys),
  accounts: (): ImportKind => new AccountImport(),
  beneficiaries: ({ keys }: Bank): ImportKind => new BeneficiaryImport(keys),
  transactions: ({ accounts }: Bank): ImportKind => new TransactionImport(accounts),
};
export type ImportName = keyof typeof IMPORTS;
