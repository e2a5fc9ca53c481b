import type { AccountService } from '../account/account.service.js';
import type { BeneficiaryService } from '../beneficiary/beneficiary.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { PERSONAL_DATA_EVENTS } from './personal-data.events.js';
import { PersonalDataResolver, RevealMiddleware } from './personal-data.resolver.js';
import { PersonalDataService } from './personal-data.service.js';
import { personalDataRest } from './personal-data.rest.js';

interface Needs {
  readonly accounts: AccountService;
  readonly owners: OwnerService;
  readonly beneficiaries: BeneficiaryService;
}

export const personalDataNoun = noun({
  events: PERSONAL_DATA_EVENTS,
  services: ({ accounts, owners, beneficiaries }: NounBase & Needs) => ({
    personalData: new PersonalDataService(accounts, owners, beneficiaries),
  }),
  resolvers: [resolver(PersonalDataResolver, 'personalData')],
  middlewares: [resolver(RevealMiddleware, 'personalData')],
  rest: () => [personalDataRest],
});
