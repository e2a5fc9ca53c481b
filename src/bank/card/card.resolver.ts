import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Resolver, Root } from 'type-graphql';
import { ACCOUNT_ID, Account, type AccountView } from '../account/account.entity.js';
import { EXPECTED_VERSION, expecting } from '../../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import type { Caller } from '../../shared/caller.js';
import { Card, CardLoss, type CardView } from './card.entity.js';
import { MAX_CARDS } from './card.errors.js';
import { CardFilter, CardInput } from './card.inputs.js';
import type { CardService } from './card.service.js';
import { CARD_STEPS, CREATE_CARD, READ_CARDS, REPORT_CARD } from './card.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const ACCOUNT = { description: ACCOUNT_ID };
const CARD = { description: 'The id of the card, such as `card-17`.' };

@Resolver(() => Account)
export class CardResolver {
  constructor(private readonly service: CardService) {}

  @Performs(READ_CARDS)
  @FieldResolver(() => [Card], {
    nullable: true,
    description: `The cards, the oldest first; at most ${MAX_CARDS}.`,
  })
  cards(
    @Root() account: AccountView,
    @Arg('filter', () => CardFilter, { nullable: true }) filter: CardFilter | null,
    @Ctx() { caller }: Context,
  ): Promise<CardView[]> {
    return this.service.list(caller, account, filter ?? {});
  }

  @Performs(READ_CARDS)
  @FieldResolver(() => Card, {
    nullable: true,
    description: 'The card with this id; null if there is none.',
  })
  card(
    @Root() account: AccountView,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Ctx() { caller }: Context,
  ): Promise<CardView | null> {
    return this.service.find(caller, account, cardId);
  }

  @Performs(CREATE_CARD)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Creates a card. Its CVV is not stored.',
  })
  createCard(@Writer() caller: Caller, @Arg('input', () => CardInput) input: CardInput): Promise<CardView> {
    return atPointer('/input', this.service.create(caller, input.accountId, input));
  }

  @Performs(CARD_STEPS.activate)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Activates an INACTIVE card.',
  })
  activateCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CardView> {
    return this.service.take(caller, 'activate', accountId, cardId, expecting(expectedVersion));
  }

  @Performs(CARD_STEPS.freeze)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Freezes an ACTIVE card.',
  })
  freezeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CardView> {
    return this.service.take(caller, 'freeze', accountId, cardId, expecting(expectedVersion));
  }

  @Performs(CARD_STEPS.unfreeze)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Unfreezes a FROZEN card, which is then ACTIVE.',
  })
  unfreezeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CardView> {
    return this.service.take(caller, 'unfreeze', accountId, cardId, expecting(expectedVersion));
  }

  @Performs(REPORT_CARD)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Reports that a card is lost or stolen, and out of use.',
  })
  reportCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('loss', () => CardLoss, { description: 'The loss, which becomes the status of the card.' })
    loss: CardLoss,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CardView> {
    return this.service.report(caller, accountId, cardId, loss, expecting(expectedVersion));
  }

  @Performs(CARD_STEPS.close)
  @Mutation(() => Card, {
    nullable: true,
    description: 'Closes a card. It cannot be used again.',
  })
  closeCard(
    @Writer() caller: Caller,
    @Arg('accountId', () => ID, ACCOUNT) accountId: string,
    @Arg('cardId', () => ID, CARD) cardId: string,
    @Arg('expectedVersion', () => Int, EXPECTED_VERSION) expectedVersion: number | null = null,
  ): Promise<CardView> {
    return this.service.take(caller, 'close', accountId, cardId, expecting(expectedVersion));
  }
}
