import { Ctx, Extensions, FieldResolver, Resolver, Root } from 'type-graphql';
import { EventChain } from '../../event/event-chain.entity.js';
import type { Context } from '../../../platform/graphql/context.js';
import type { AccountChainService } from './account-chain.service.js';
import { Account, type AccountView } from '../account.entity.js';
import { VERIFY_EVENT_CHAIN } from '../account.operations.js';
import { Performs } from '../../../platform/graphql/performs.js';

/** A thousand events take as long to read and to hash as some hundred records of a list. */
const COST_OF_CHAIN = 100;

@Resolver(() => Account)
export class AccountChainResolver {
  constructor(private readonly chains: AccountChainService) {}

  @Extensions({ cost: COST_OF_CHAIN })
  @Performs(VERIFY_EVENT_CHAIN)
  @FieldResolver(() => EventChain, {
    nullable: true,
    description: 'The check of the events of the account against their hashes.',
  })
  eventChain(@Root() account: AccountView, @Ctx() { caller }: Context): Promise<EventChain> {
    return this.chains.of(caller, account);
  }
}
