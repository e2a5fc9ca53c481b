import type { Container } from './container.js';
import type { ImportKind } from '../platform/import/batch.js';

/** Everything that can be imported, under the names of the command line. Loaded when it is asked for. */
export const IMPORTS = {
  programs: async ({ programs }) =>
    new (await import('../program/program.import.js')).ProgramImport(programs.repository),
  customers: async ({ owners }) => new (await import('../owner/owner.import.js')).CustomerImport(owners.repository),
  accounts: async ({ accounts, owners }) =>
    new (await import('../account/account.import.js')).AccountImport(accounts.repository, owners),
  beneficiaries: async ({ accounts, beneficiaries }) =>
    new (await import('../beneficiary/beneficiary.import.js')).BeneficiaryImport(accounts, beneficiaries.repository),
  transactions: async ({ accounts, posting }) =>
    new (await import('../transaction/transaction.import.js')).TransactionImport(accounts, posting.repository),
} satisfies Record<string, (container: Container) => Promise<ImportKind>>;
export type ImportName = keyof typeof IMPORTS;
