import type { Container } from './container.js';
import type { ImportKind } from '../platform/import/batch.js';

/** Everything that can be imported, under the names of the command line. Loaded when it is asked for. */
export const IMPORTS = {
  customers: async ({ keys }) => new (await import('../owner/owner.import.js')).CustomerImport(keys),
  accounts: async () => new (await import('../account/account.import.js')).AccountImport(),
  beneficiaries: async ({ keys }) => new (await import('../beneficiary/beneficiary.import.js')).BeneficiaryImport(keys),
  transactions: async ({ accounts }) =>
    new (await import('../transaction/transaction.import.js')).TransactionImport(accounts),
} satisfies Record<string, (container: Container) => Promise<ImportKind>>;
export type ImportName = keyof typeof IMPORTS;
