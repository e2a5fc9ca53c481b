import type { AccountService } from '../account/account.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { Beneficiary } from './beneficiary.entity.js';
import { BENEFICIARY_EVENTS } from './beneficiary.events.js';
import { BeneficiaryRepository } from './beneficiary.repository.js';
import {
  BENEFICIARY_PAYLOADS,
  BeneficiaryNameResolver,
  BeneficiaryResolver,
  OrganizationResolver,
} from './beneficiary.resolver.js';
import { BeneficiaryService } from './beneficiary.service.js';
import { READ_BENEFICIARIES } from './beneficiary.operations.js';
import { beneficiaryRest } from './beneficiary.rest.js';

interface Needs {
  readonly accounts: AccountService;
}

export const beneficiaryNoun = noun({
  entities: [Beneficiary],
  events: BENEFICIARY_EVENTS,
  services: ({ database, keys, accounts }: NounBase & Needs) => ({
    beneficiaries: new BeneficiaryService(new BeneficiaryRepository(database, keys), accounts),
  }),
  resolvers: [
    resolver(BeneficiaryResolver, 'beneficiaries'),
    resolver(BeneficiaryNameResolver),
    resolver(OrganizationResolver),
  ],
  belongToAccount: [Beneficiary, ...BENEFICIARY_PAYLOADS],
  rest: () => [beneficiaryRest],
  nodes: ({ accounts, beneficiaries }) => ({
    Beneficiary: accounts.finding(READ_BENEFICIARIES, (...key) => beneficiaries.find(...key)),
  }),
  imports: {
    beneficiaries: async of =>
      (await import('./beneficiary.import.js')).beneficiaryImport(of.accounts, of.beneficiaries.repository),
  },
});
