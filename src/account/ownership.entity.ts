import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Owner } from '../owner/owner.entity.js';
import { UUID } from '../platform/graphql/scalars.js';

export const OwnerStatus = {
  ADDED: 'ADDED',
  FAILED_TO_ADD: 'FAILED_TO_ADD',
  REMOVED: 'REMOVED',
  NOT_FOUND: 'NOT_FOUND',
} as const;
export type OwnerStatus = keyof typeof OwnerStatus;
registerEnumType(OwnerStatus, {
  name: 'OwnerStatus',
  description: 'What became of one customer in a call that adds or removes owners.',
  valuesConfig: {
    ADDED: { description: 'Is an owner now. REST: Added.' },
    FAILED_TO_ADD: { description: 'Could not be added; see `reason`. REST: Failed to Add.' },
    REMOVED: { description: 'Is no longer an owner. REST: Removed.' },
    NOT_FOUND: { description: 'Was not an owner of the account. REST: Not found.' },
  },
});

@ObjectType({
  description: 'What became of one customer in a call that adds or removes owners.',
  simpleResolvers: true,
})
export class OwnerResult {
  @Field(() => UUID, { description: 'The customer of the request.' }) customerId!: string;
  @Field(() => OwnerStatus, { description: 'What became of it.' }) ownerStatus!: OwnerStatus;
  @Field(() => Owner, { nullable: true, description: 'The new owner; only for one who was added.' })
  owner!: Owner | null;
  @Field(() => String, { nullable: true, description: 'Why the customer could not be added.' }) reason!: string | null;
}
