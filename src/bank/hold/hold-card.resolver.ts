import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AccountService } from '../account/account.service.js';
import { Card, type CardView } from '../card/card.entity.js';
import type { CardService } from '../card/card.service.js';
import type { Context } from '../../platform/graphql/context.js';
import { Performs } from '../../platform/graphql/performs.js';
import { READ_CARDS } from '../card/card.operations.js';
import { Hold, type HoldView } from './hold.entity.js';

@Resolver(() => Hold)
export class HoldCardResolver {
  constructor(
    private readonly accounts: AccountService,
    private readonly cards: CardService,
  ) {}

  @Performs(READ_CARDS)
  @FieldResolver(() => Card, {
    nullable: true,
    description: 'The card of the payment; null without one.',
  })
  async card(@Root() { accountId, cardId }: HoldView, @Ctx() { caller }: Context): Promise<CardView | null> {
    caller.require(READ_CARDS);
    if (cardId === null) return null;
    return this.accounts.within(caller, READ_CARDS, accountId, account => this.cards.find(caller, account, cardId));
  }
}
