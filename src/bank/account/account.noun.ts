import type { EventChainService } from '../event/event-chain.service.js';
import type { OwnerService } from '../owner/owner.service.js';
import type { ApprovalGate } from '../../platform/command/approval.js';
import type { Denial } from '../../platform/command/denial.js';
import type { ForeignIds } from '../../platform/command/foreign-ids.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { AccountChainResolver } from './chain/account-chain.resolver.js';
import { AccountChainService } from './chain/account-chain.service.js';
import { AccountChangeResolver } from './changes/account-changes.resolver.js';
import { AccountChangeService } from './changes/account-changes.service.js';
import { AccountDenials } from './account.denials.js';
import { Account, AccountOwner } from './account.entity.js';
import { AccountRepository } from './account.repository.js';
import { AccountResolver } from './account.resolver.js';
import { AccountService } from './account.service.js';
import { CustomerAccountsResolver } from './ownership/customer-accounts.resolver.js';
import { EndedAccount } from './ended-account.entity.js';
import { FormerOwner } from './ownership/former-owner.entity.js';
import { OpeningService } from './opening/opening.service.js';
import { OPERATION_EVENTS } from './administration/administration.events.js';
import { AdministrationResolver } from './administration/administration.resolver.js';
import { AdministrationService } from './administration/administration.service.js';
import { AddAccountOwnersPayload, OwnerResult, RemoveAccountOwnersPayload } from './ownership/ownership.entity.js';
import { OWNERSHIP_EVENTS } from './ownership/ownership.events.js';
import { OwnershipResolver } from './ownership/ownership.resolver.js';
import { OwnershipService } from './ownership/ownership.service.js';
import { READ_ACCOUNTS } from './account.operations.js';
import { accountRest } from './account.rest.js';
import { ownershipRest } from './ownership/ownership.rest.js';

interface Needs {
  readonly approvalBook: ApprovalGate;
}

export const accountNoun = noun({
  entities: [Account, AccountOwner, FormerOwner, EndedAccount],
  services: ({ database, keys, records, together, watch, approvalBook, countUnrecorded, log }: NounBase & Needs) => {
    const denials = new AccountDenials(database, together, (count, err) => {
      countUnrecorded(count);
      log.error({ err, count }, 'denied attempts could not be recorded');
    });
    const repository = new AccountRepository(database, keys);
    return {
      denials,
      deny: (denial: Denial) => denials.add(denial),
      accounts: new AccountService(database, repository, records, denials, watch, approvalBook),
    };
  },
  resolvers: [resolver(AccountResolver, 'accounts'), resolver(CustomerAccountsResolver, 'accounts')],
  nodes: of => ({ Account: (caller, accountId = '') => of.accounts.find(caller, accountId) }),
  close: of => of.denials.close(),
});

interface AdministrationNeeds {
  readonly owners: OwnerService;
  readonly accounts: AccountService;
  readonly foreignIds: ForeignIds;
  readonly cards: { readonly ofAccounts: ConstructorParameters<typeof AdministrationService>[1] };
  readonly eventChains: EventChainService;
}

/** The services that work on accounts, which need their owners and cards. */
export const accountAdministration = noun({
  events: [...OPERATION_EVENTS, ...OWNERSHIP_EVENTS],
  services: ({
    database,
    keys,
    accounts,
    owners,
    foreignIds,
    cards,
    feed,
    eventChains,
  }: NounBase & AdministrationNeeds) => ({
    opening: new OpeningService(database, accounts, owners, foreignIds),
    administration: new AdministrationService(accounts, cards.ofAccounts),
    ownership: new OwnershipService(database, keys, accounts, owners),
    accountChanges: new AccountChangeService(accounts, feed),
    accountChains: new AccountChainService(accounts, eventChains),
  }),
  resolvers: [
    resolver(AccountChainResolver, 'accountChains'),
    resolver(AdministrationResolver, 'opening', 'administration'),
    resolver(OwnershipResolver, 'ownership'),
    resolver(AccountChangeResolver, 'accountChanges'),
  ],
  belongToAccount: [OwnerResult, AddAccountOwnersPayload, RemoveAccountOwnersPayload],
  rest: () => [accountRest, ownershipRest],
  isDescribedFirst: true,
  nodes: ({ accounts, ownership }) => ({
    Owner: accounts.finding(READ_ACCOUNTS, (...key) => ownership.find(...key)),
  }),
  imports: {
    accounts: async of => (await import('./account.import.js')).accountImport(of.accounts.repository, of.owners),
  },
});
