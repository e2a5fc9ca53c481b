import { AccountChainService } from '../account/account-chain.service.js';
import type { AccountService } from '../account/account.service.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import { EventChainService } from '../event/event-chain.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import { PersonalDataService } from '../personal-data/personal-data.service.js';
import type { Denial } from '../platform/command/denial.js';
import type { Database } from '../platform/database/orm.js';
import type { ProgramService } from '../program/program.service.js';
import type { SearchRecords } from '../search/search.records.js';
import { SearchService } from '../search/search.service.js';
import { ViewerService } from '../viewer/viewer.service.js';

/** What operators look up, across the nouns. */
export interface LookUps {
  readonly viewers: ViewerService;
  readonly search: SearchService;
  readonly personalData: PersonalDataService;
  readonly accountChains: AccountChainService;
}

interface Bank {
  readonly database: Database;
  readonly accounts: AccountService;
  readonly owners: OwnerService;
  readonly beneficiaries: BeneficiaryService;
  readonly programs: ProgramService;
  readonly deny: (denial: Denial) => void;
  readonly searchRecords: SearchRecords;
}

export function openLookUps({
  database,
  accounts,
  owners,
  beneficiaries,
  programs,
  deny,
  searchRecords,
}: Bank): LookUps {
  return {
    viewers: new ViewerService(programs),
    search: new SearchService(database, accounts, searchRecords),
    personalData: new PersonalDataService(accounts, owners, beneficiaries, deny),
    accountChains: new AccountChainService(accounts, new EventChainService(database)),
  };
}
