import type { Actor } from '../platform/command/recording.js';
import type { AccountService } from '../account/account.service.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import type { ImportName } from '../import/import.entity.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ProgramService } from '../program/program.service.js';
import type { PostingService } from '../transaction/posting.service.js';
import type { ImportKind } from '../platform/import/batch.js';

/** What imports write to. */
export interface ImportServices {
  readonly programs: ProgramService;
  readonly owners: OwnerService;
  readonly accounts: AccountService;
  readonly beneficiaries: BeneficiaryService;
  readonly posting: PostingService;
}

/**
 * Everything that can be imported, under the names of the command line and of the API. Loaded when it is asked for.
 * `by` is who imports over the API, and in the events; without it the command line does.
 */
export const IMPORTS: Readonly<Record<ImportName, (services: ImportServices, by?: Actor) => Promise<ImportKind>>> = {
  programs: async ({ programs }, by) => {
    const { OVER_THE_API_FIXED, ProgramImport } = await import('../program/program.import.js');
    return new ProgramImport(programs.repository, by, by && OVER_THE_API_FIXED);
  },
  customers: async ({ owners }) => new (await import('../owner/owner.import.js')).CustomerImport(owners.repository),
  accounts: async ({ accounts, owners }) =>
    new (await import('../account/account.import.js')).AccountImport(accounts.repository, owners),
  beneficiaries: async ({ accounts, beneficiaries }) =>
    new (await import('../beneficiary/beneficiary.import.js')).BeneficiaryImport(accounts, beneficiaries.repository),
  transactions: async ({ accounts, posting }, by) =>
    new (await import('../transaction/transaction.import.js')).TransactionImport(accounts, posting.repository, by),
};
