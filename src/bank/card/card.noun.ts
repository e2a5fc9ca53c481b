import type { AccountService } from '../account/account.service.js';
import type { CustomerService } from '../owner/customer.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { CardHolderResolver } from './card-holder.resolver.js';
import { Card } from './card.entity.js';
import { CARD_EVENTS } from './card.events.js';
import { CARD_PAYLOADS, CardResolver } from './card.resolver.js';
import { CardService } from './card.service.js';
import { KeyRingVault } from './card.vault.js';
import { READ_CARDS } from './card.operations.js';
import { cardRest } from './card.rest.js';

interface Needs {
  readonly accounts: AccountService;
  readonly customers: CustomerService;
  readonly config: { readonly cardsPrefix: string };
}

export const cardNoun = noun({
  entities: [Card],
  events: CARD_EVENTS,
  services: ({ database, cardKeys, accounts }: NounBase & Needs) => ({
    cards: new CardService(database, cardKeys, accounts, new KeyRingVault(cardKeys)),
  }),
  resolvers: [resolver(CardResolver, 'cards'), resolver(CardHolderResolver, 'customers')],
  belongToAccount: [Card, ...CARD_PAYLOADS],
  rest: ({ cardsPrefix }) => [cardRest(cardsPrefix)],
  nodes: ({ accounts, cards }) => ({ Card: accounts.finding(READ_CARDS, (...key) => cards.find(...key)) }),
});
