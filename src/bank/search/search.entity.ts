import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { UUID } from '../../platform/scalars/scalars.js';

/** The most hits of a search. With more, the search should be more exact. */
export const MAX_HITS = 20;

export const SearchHitKind = { ACCOUNT: 'ACCOUNT', CARD: 'CARD', CUSTOMER: 'CUSTOMER' } as const;
export type SearchHitKind = keyof typeof SearchHitKind;
registerEnumType(SearchHitKind, {
  name: 'SearchHitKind',
  description: 'What the text of a search is about.',
  valuesConfig: {
    ACCOUNT: { description: 'Found by its id.' },
    CARD: { description: 'Found by the last four digits.' },
    CUSTOMER: {
      description: 'Found by the id or number, the name, the last four of the tax id, the e-mail or the telephone.',
    },
  },
});

@ObjectType({
  description: 'What a search has found: a customer once for each of their accounts.',
  simpleResolvers: true,
})
export class SearchHit {
  @Field(() => SearchHitKind, { description: 'What the text is about.' })
  kind!: SearchHitKind;

  @Field(() => ID, {
    nullable: true,
    description: 'The account that is meant, such as `demo-1001`.',
  })
  accountId!: string | null;

  @Field(() => ID, { nullable: true, description: 'Of a card, such as `card-17`.' })
  cardId!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'If the hit is one.',
  })
  customerId!: string | null;

  @Field(() => String, {
    description: 'What people recognise: an id, `VIRTUAL card •••• 4242`, or a name.',
  })
  label!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A second line: type and status, or the masked tax id.',
  })
  detail!: string | null;
}
