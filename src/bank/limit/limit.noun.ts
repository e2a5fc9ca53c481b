import type { AccountService } from '../account/account.service.js';
import type { Database } from '../../platform/database/orm.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import { AccountLimit, TransferLimits } from './limit.entity.js';
import { LIMIT_EVENTS } from './limit.events.js';
import { LimitRepository } from './limit.repository.js';
import { LimitResolver } from './limit.resolver.js';
import { LimitService } from './limit.service.js';
import { limitRest } from './limit.rest.js';

interface Needs {
  readonly database: Database;
  readonly accounts: AccountService;
}
export interface Services {
  readonly limits: LimitService;
}

export const limitNoun = noun<Needs>()({
  entities: [AccountLimit],
  events: LIMIT_EVENTS,
  services: ({ database, accounts }): Services => ({
    limits: new LimitService(database, new LimitRepository(database), accounts),
  }),
  resolvers: [resolver(LimitResolver, (of: Services) => new LimitResolver(of.limits))],
  belongToAccount: [TransferLimits],
  rest: () => [limitRest],
});
