import { randomUUID } from 'node:crypto';
import { gatewayCaller } from '../platform/command/recording.js';
import type { AccountService } from '../account/account.service.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import type { ImportName } from '../import/import.entity.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ProgramService } from '../program/program.service.js';
import type { PostingService } from '../transaction/posting.service.js';
import type { Importer, ImportKind } from '../platform/import/batch.js';

/** What imports write to. */
export interface ImportServices {
  readonly programs: ProgramService;
  readonly owners: OwnerService;
  readonly accounts: AccountService;
  readonly beneficiaries: BeneficiaryService;
  readonly posting: PostingService;
}

/** Everything that can be imported, under the names of the command line and of the API. Loaded when it is asked for. */
export const IMPORTS: Readonly<
  Record<ImportName, (services: ImportServices, overTheApi?: boolean) => Promise<ImportKind>>
> = {
  programs: async ({ programs }, overTheApi = false) =>
    (await import('../program/program.import.js')).programImport(programs.repository, overTheApi),
  customers: async ({ owners }) => (await import('../owner/owner.import.js')).customerImport(owners.repository),
  accounts: async ({ accounts, owners }) =>
    (await import('../account/account.import.js')).accountImport(accounts.repository, owners),
  beneficiaries: async ({ accounts, beneficiaries }) =>
    (await import('../beneficiary/beneficiary.import.js')).beneficiaryImport(accounts, beneficiaries.repository),
  transactions: async ({ accounts, posting }, overTheApi = false) =>
    (await import('../transaction/transaction.import.js')).transactionImport(accounts, posting.repository, overTheApi),
};

/** Who imports on the command line: into one program, or where that is null each record into the one that it names. */
export function commandLine(program: string | null, subject: string): Importer {
  const requestId = randomUUID();
  return identity => gatewayCaller(program ?? identity, subject, { requestId });
}
