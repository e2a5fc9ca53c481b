import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { Writer, type Context } from '../platform/graphql/context.js';
import type { Caller } from '../shared/caller.js';
import { Card, CardLoss, type CardView } from './card.entity.js';
import { CardInput } from './card.inputs.js';
import type { CardService } from './card.service.js';

const ACCOUNT = { description: 'The account.' };
const CARD = { description: 'The card.' };

@Resolver(() => Account)
export class CardResolver {
  constructor(private readonly service: CardService) {}

  @FieldResolver(() => [Card], { description: 'The cards of the account, the oldest first.' })
  cards(@Root() account: AccountView, @Ctx() { caller }: Context): Promise<CardView[]> {
    return this.service.list(caller, account);
  }

  @FieldResolver(() => Card, { nullable: true, description: 'One card of the account; null when there is none.' })
  card(
    @Root() account: AccountView,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Ctx() { caller }: Context,
  ): Promise<CardView | null> {
    return this.service.find(caller, account, cardId);
  }

  @Mutation(() => Card, {
    description:
      'Makes a card record. The number is sealed, the CVV dropped, of the PIN only a value to verify it is kept.',
  })
  createCard(
    @Writer() caller: Caller,
    @Arg('input', () => CardInput, { description: 'The new card.' }) input: CardInput,
  ): Promise<CardView> {
    return this.service.create(caller, input);
  }

  @Mutation(() => Card, { description: 'Puts an inactive card into use.' })
  activateCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
  ): Promise<CardView> {
    return this.service.take(caller, 'activate', accountId, cardId);
  }

  @Mutation(() => Card, { description: 'Puts an active card out of use for a while.' })
  freezeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
  ): Promise<CardView> {
    return this.service.take(caller, 'freeze', accountId, cardId);
  }

  @Mutation(() => Card, { description: 'Puts a frozen card into use again.' })
  unfreezeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
  ): Promise<CardView> {
    return this.service.take(caller, 'unfreeze', accountId, cardId);
  }

  @Mutation(() => Card, { description: 'Reports a card lost or stolen. It cannot be used again.' })
  reportCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('loss', () => CardLoss, { description: 'How the card was lost.' }) loss: CardLoss,
  ): Promise<CardView> {
    return this.service.report(caller, accountId, cardId, loss);
  }

  @Mutation(() => Card, { description: 'Puts a card out of use for good.' })
  closeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
  ): Promise<CardView> {
    return this.service.take(caller, 'close', accountId, cardId);
  }
}
