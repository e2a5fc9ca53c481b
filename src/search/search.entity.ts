import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { UUID } from '../platform/scalars/scalars.js';

/** The most hits of a search. With more, the search should be more exact. */
export const MAX_HITS = 20;

export const SearchHitKind = { ACCOUNT: 'ACCOUNT', CARD: 'CARD', CUSTOMER: 'CUSTOMER' } as const;
export type SearchHitKind = keyof typeof SearchHitKind;
registerEnumType(SearchHitKind, {
  name: 'SearchHitKind',
  description: 'What the text of a search is about.',
  valuesConfig: {
    ACCOUNT: { description: 'The text is the id of an account.' },
    CARD: { description: "The text is the last four digits of a card's number." },
    CUSTOMER: {
      description:
        'The text is the id, the last name, the first and last name, or the last four of the tax id of a customer.',
    },
  },
});

@ObjectType({
  description:
    'Something that a search has found. A customer has a hit for each of their accounts, and one without an account if there is none.',
  simpleResolvers: true,
})
export class SearchHit {
  @Field(() => SearchHitKind, { description: 'What the text is about.' })
  kind!: SearchHitKind;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that is meant, such as `demo-1001`; null if the customer has no account.',
  })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The card, such as `card-17`; null if the hit is about no card.' })
  cardId!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The customer, such as `0000d001-0000-4000-8000-000000000000`; null if the hit is about no customer.',
  })
  customerId!: string | null;

  @Field(() => String, {
    description:
      'What an operator recognises: the id of the account, `VIRTUAL card •••• 4242`, or the whole name of the customer.',
  })
  label!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'A second line: type and status of the account, such as `CHECKING, OPEN`, the status of the card, or the masked tax id of the customer; null if the bank has none.',
  })
  detail!: string | null;
}
