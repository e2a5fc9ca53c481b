import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { UUID } from '../../platform/scalars/scalars.js';

/** The most hits of a search. With more, the search should be more exact. */
export const MAX_HITS = 20;

export const SearchHitKind = { ACCOUNT: 'ACCOUNT', CARD: 'CARD', CUSTOMER: 'CUSTOMER' } as const;
export type SearchHitKind = keyof typeof SearchHitKind;
registerEnumType(SearchHitKind, {
  name: 'SearchHitKind',
  description: 'The kind of a record that a search found.',
  valuesConfig: {
    ACCOUNT: { description: 'An account, found by its id.' },
    CARD: { description: 'A card, found by its last four digits.' },
    CUSTOMER: {
      description:
        'A customer, found by the id or number, the name, the last four of the tax id, the e-mail or the telephone.',
    },
  },
});

@ObjectType({
  description: 'A hit of a search. A customer is found once for each of their accounts.',
  simpleResolvers: true,
})
export class SearchHit {
  @Field(() => SearchHitKind, { description: 'The kind of the record that was found.' })
  kind!: SearchHitKind;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that is meant, such as `demo-1001`.',
  })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The id of a card that was found, such as `card-17`.' })
  cardId!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The id of a customer who was found.',
  })
  customerId!: string | null;

  @Field(() => String, {
    description: 'The words by which people recognise the record: an id, `VIRTUAL card •••• 4242`, or a name.',
  })
  label!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A second line: type and status, or the masked tax id.',
  })
  detail!: string | null;
}
