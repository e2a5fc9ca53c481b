import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Owner } from '../owner/owner.entity.js';
import { UUID } from '../platform/scalars/scalars.js';

export const OwnerStatus = {
  ADDED: 'ADDED',
  FAILED_TO_ADD: 'FAILED_TO_ADD',
  REMOVED: 'REMOVED',
  NOT_FOUND: 'NOT_FOUND',
} as const;
export type OwnerStatus = keyof typeof OwnerStatus;
registerEnumType(OwnerStatus, {
  name: 'OwnerStatus',
  description: 'The result for one customer of a call that adds or removes owners.',
  valuesConfig: {
    ADDED: { description: 'The customer is an owner now. REST: Added.' },
    FAILED_TO_ADD: { description: 'The customer could not be added: see `reason`. REST: Failed to Add.' },
    REMOVED: { description: 'The customer is no longer an owner. REST: Removed.' },
    NOT_FOUND: { description: 'The customer did not own the account, so nothing changed. REST: Not found.' },
  },
});

@ObjectType({
  description: 'The result for one customer of `addOwners` or `removeOwners`.',
  simpleResolvers: true,
})
export class OwnerResult {
  /** The account of the request. */
  accountId!: string;
  @Field(() => UUID, { description: 'The customer of the request, such as `0000d001-0000-4000-8000-000000000000`.' })
  customerId!: string;
  @Field(() => OwnerStatus, { description: 'Whether the customer was added or removed.' }) ownerStatus!: OwnerStatus;
  @Field(() => Owner, { nullable: true, description: 'The new owner; null unless the status is ADDED.' })
  owner!: Owner | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why the customer could not be added, for a person to read; null unless the status is FAILED_TO_ADD.',
  })
  reason!: string | null;
}
