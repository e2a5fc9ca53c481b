import type { AccountService } from '../account/account.service.js';
import type { CardService } from '../card/card.service.js';
import type { LimitService } from '../limit/limit.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import type { LedgerService } from '../transaction/ledger.service.js';
import { HoldCardResolver } from './hold-card.resolver.js';
import { Hold } from './hold.entity.js';
import { HOLD_EVENTS } from './hold.events.js';
import { expireHolds } from './hold.expiry.js';
import { HoldRepository } from './hold.repository.js';
import { HOLD_PAYLOADS, HoldResolver } from './hold.resolver.js';
import { holdRest } from './hold.rest.js';
import { HoldService } from './hold.service.js';
import { READ_HOLDS } from './hold.operations.js';

interface Needs {
  readonly accounts: AccountService;
  readonly ledger: LedgerService;
  readonly cards: CardService;
  readonly limits: LimitService;
}

export const holdNoun = noun({
  entities: [Hold],
  events: HOLD_EVENTS,
  services: ({ database, keys, accounts, ledger, limits }: NounBase & Needs) => ({
    holds: new HoldService(new HoldRepository(database, keys, accounts.repository), accounts, ledger, limits),
  }),
  resolvers: [resolver(HoldResolver, 'holds'), resolver(HoldCardResolver, 'accounts', 'cards')],
  belongToAccount: [Hold, ...HOLD_PAYLOADS],
  rest: () => [holdRest],
  nodes: ({ accounts, holds }) => ({ Hold: accounts.finding(READ_HOLDS, (...key) => holds.find(...key)) }),
  jobs: async (of, { log, metrics }) => [
    expireHolds(of.holds, { failed: count => metrics?.countHoldsNotEnded(count) }, log),
  ],
});
