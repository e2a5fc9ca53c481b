import type { AccountService } from '../account/account.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { AccountLimit, TransferLimits } from './limit.entity.js';
import { LIMIT_EVENTS } from './limit.events.js';
import { LimitRepository } from './limit.repository.js';
import { LimitResolver, SetTransferLimitsPayload } from './limit.resolver.js';
import { LimitService } from './limit.service.js';
import { limitRest } from './limit.rest.js';

interface Needs {
  readonly accounts: AccountService;
}

export const limitNoun = noun({
  entities: [AccountLimit],
  events: LIMIT_EVENTS,
  services: ({ database, accounts }: NounBase & Needs) => ({
    limits: new LimitService(database, new LimitRepository(database), accounts),
  }),
  resolvers: [resolver(LimitResolver, 'limits')],
  belongToAccount: [TransferLimits, SetTransferLimitsPayload],
  rest: () => [limitRest],
});
