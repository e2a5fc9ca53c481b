import type { ForeignIds } from '../../platform/command/foreign-ids.js';
import type { ProgramCommands } from '../../platform/command/program-commands.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { CUSTOMER_EVENTS } from './customer.events.js';
import { CustomerResolver } from './customer.resolver.js';
import { CustomerService } from './customer.service.js';
import { Customer } from './owner.entity.js';
import { CustomerRepository } from './owner.repository.js';
import { PayeeRepository } from './payee.repository.js';
import { OwnerResolver } from './owner.resolver.js';
import { OwnerService } from './owner.service.js';
import { customerRest } from './customer.rest.js';

interface Needs {
  readonly programCommands: ProgramCommands;
  readonly foreignIds: ForeignIds;
}

export const ownerNoun = noun({
  entities: [Customer],
  events: CUSTOMER_EVENTS,
  services: ({ database, keys, programCommands, foreignIds }: NounBase & Needs) => {
    const owners = new OwnerService(new CustomerRepository(database, keys), new PayeeRepository(database, keys));
    return { owners, customers: new CustomerService(owners.repository, programCommands, foreignIds) };
  },
  resolvers: [resolver(CustomerResolver, 'customers', 'owners'), resolver(OwnerResolver, 'owners', 'customers')],
  rest: () => [customerRest],
  nodes: of => ({ Customer: (caller, customerId = '') => of.customers.find(caller, customerId) }),
  imports: {
    customers: async of => (await import('./owner.import.js')).customerImport(of.owners.repository),
  },
});
