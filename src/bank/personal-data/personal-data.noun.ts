import type { AccountService } from '../account/account.service.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { PERSONAL_DATA_EVENTS } from './personal-data.events.js';
import { PersonalDataResolver, RevealMiddleware } from './personal-data.resolver.js';
import { PersonalDataService } from './personal-data.service.js';
import { personalDataRest } from './personal-data.rest.js';

interface Needs {
  readonly accounts: AccountService;
  readonly owners: OwnerService;
  readonly beneficiaries: BeneficiaryService;
}
export interface Services {
  readonly personalData: PersonalDataService;
}

export const personalDataNoun = noun<Needs>()({
  events: PERSONAL_DATA_EVENTS,
  services: ({ accounts, owners, beneficiaries }): Services => ({
    personalData: new PersonalDataService(accounts, owners, beneficiaries),
  }),
  resolvers: [resolver(PersonalDataResolver, (of: Services) => new PersonalDataResolver(of.personalData))],
  middlewares: [resolver(RevealMiddleware, (of: Services) => new RevealMiddleware(of.personalData))],
  rest: () => [personalDataRest],
});
