import type { AccountService } from '../account/account.service.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { Beneficiary } from './beneficiary.entity.js';
import { BENEFICIARY_EVENTS } from './beneficiary.events.js';
import { BeneficiaryRepository } from './beneficiary.repository.js';
import { BeneficiaryNameResolver, BeneficiaryResolver, OrganizationResolver } from './beneficiary.resolver.js';
import { BeneficiaryService } from './beneficiary.service.js';
import { READ_BENEFICIARIES } from './beneficiary.operations.js';
import { beneficiaryRest } from './beneficiary.rest.js';

interface Needs {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly accounts: AccountService;
}
export interface Services {
  readonly beneficiaries: BeneficiaryService;
}

export const beneficiaryNoun = noun<Needs>()({
  entities: [Beneficiary],
  events: BENEFICIARY_EVENTS,
  services: ({ database, keys, accounts }): Services => ({
    beneficiaries: new BeneficiaryService(new BeneficiaryRepository(database, keys), accounts),
  }),
  resolvers: [
    resolver(BeneficiaryResolver, (of: Services) => new BeneficiaryResolver(of.beneficiaries)),
    resolver(BeneficiaryNameResolver, () => new BeneficiaryNameResolver()),
    resolver(OrganizationResolver, () => new OrganizationResolver()),
  ],
  belongToAccount: [Beneficiary],
  rest: () => [beneficiaryRest],
  nodes: ({ accounts, beneficiaries }) => ({
    Beneficiary: accounts.finding(READ_BENEFICIARIES, (...key) => beneficiaries.find(...key)),
  }),
  imports: {
    beneficiaries: async of =>
      (await import('./beneficiary.import.js')).beneficiaryImport(of.accounts, of.beneficiaries.repository),
  },
});
