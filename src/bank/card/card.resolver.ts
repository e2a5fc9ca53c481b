import { Arg, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { Account, type AccountView } from '../account/account.entity.js';
import { expecting } from '../../platform/graphql/expected-version.js';
import { Writer, atPointer, type Context } from '../../platform/graphql/context.js';
import { payloadOf, type Payload } from '../../platform/graphql/payload.js';
import type { Caller } from '../../shared/caller.js';
import { Card, type CardView } from './card.entity.js';
import { MAX_CARDS } from './card.errors.js';
import {
  ActivateCardInput,
  CardFilter,
  CloseCardInput,
  CreateCardInput,
  newCardOf,
  FreezeCardInput,
  ReportCardInput,
  UnfreezeCardInput,
  type CardStepInput,
} from './card.inputs.js';
import type { CardService, CardStep } from './card.service.js';
import { CARD_STEPS, CREATE_CARD, READ_CARDS, REPORT_CARD } from './card.operations.js';
import { Performs } from '../../platform/graphql/performs.js';

const CARD = { description: 'The id of the card, such as `card-17`.' };
const CreateCardPayload = payloadOf<CardView>('createCard', 'card', Card);
const ActivateCardPayload = payloadOf<CardView>('activateCard', 'card', Card);
const FreezeCardPayload = payloadOf<CardView>('freezeCard', 'card', Card);
const UnfreezeCardPayload = payloadOf<CardView>('unfreezeCard', 'card', Card);
const ReportCardPayload = payloadOf<CardView>('reportCard', 'card', Card);
const CloseCardPayload = payloadOf<CardView>('closeCard', 'card', Card);
export const CARD_PAYLOADS = [
  CreateCardPayload,
  ActivateCardPayload,
  FreezeCardPayload,
  UnfreezeCardPayload,
  ReportCardPayload,
  CloseCardPayload,
];

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
  @Mutation(() => CreateCardPayload, {
    nullable: true,
    description: 'Creates a card. Its CVV is not stored.',
  })
  async createCard(
    @Writer() caller: Caller,
    @Arg('input', () => CreateCardInput) { card, dryRun }: CreateCardInput,
  ): Promise<Payload> {
    const creating = this.service.create(caller, card.accountId, newCardOf(card), dryRun);
    return new CreateCardPayload(caller, await atPointer('/input/card', creating));
  }

  @Performs(CARD_STEPS.activate)
  @Mutation(() => ActivateCardPayload, {
    nullable: true,
    description: 'Activates an INACTIVE card.',
  })
  async activateCard(
    @Writer() caller: Caller,
    @Arg('input', () => ActivateCardInput) input: ActivateCardInput,
  ): Promise<Payload> {
    return new ActivateCardPayload(caller, await this.take(caller, 'activate', input));
  }

  @Performs(CARD_STEPS.freeze)
  @Mutation(() => FreezeCardPayload, {
    nullable: true,
    description: 'Freezes an ACTIVE card.',
  })
  async freezeCard(
    @Writer() caller: Caller,
    @Arg('input', () => FreezeCardInput) input: FreezeCardInput,
  ): Promise<Payload> {
    return new FreezeCardPayload(caller, await this.take(caller, 'freeze', input));
  }

  @Performs(CARD_STEPS.unfreeze)
  @Mutation(() => UnfreezeCardPayload, {
    nullable: true,
    description: 'Unfreezes a FROZEN card, which is then ACTIVE.',
  })
  async unfreezeCard(
    @Writer() caller: Caller,
    @Arg('input', () => UnfreezeCardInput) input: UnfreezeCardInput,
  ): Promise<Payload> {
    return new UnfreezeCardPayload(caller, await this.take(caller, 'unfreeze', input));
  }

  @Performs(REPORT_CARD)
  @Mutation(() => ReportCardPayload, {
    nullable: true,
    description: 'Reports that a card is lost or stolen, and out of use.',
  })
  async reportCard(
    @Writer() caller: Caller,
    @Arg('input', () => ReportCardInput) { key, loss, expectedVersion, dryRun }: ReportCardInput,
  ): Promise<Payload> {
    const { accountId, cardId } = key;
    const reported = await this.service.report(caller, accountId, cardId, loss, expecting(expectedVersion), dryRun);
    return new ReportCardPayload(caller, reported);
  }

  @Performs(CARD_STEPS.close)
  @Mutation(() => CloseCardPayload, {
    nullable: true,
    description: 'Closes a card. It cannot be used again.',
  })
  async closeCard(
    @Writer() caller: Caller,
    @Arg('input', () => CloseCardInput) input: CloseCardInput,
  ): Promise<Payload> {
    return new CloseCardPayload(caller, await this.take(caller, 'close', input));
  }

  private take(caller: Caller, step: CardStep, { key, expectedVersion, dryRun }: CardStepInput): Promise<CardView> {
    return this.service.take(caller, step, key.accountId, key.cardId, expecting(expectedVersion), dryRun);
  }
}
