import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Owner } from '../../owner/owner.entity.js';
import { UUID } from '../../../platform/scalars/scalars.js';

export const OwnerStatus = {
  ADDED: 'ADDED',
  FAILED_TO_ADD: 'FAILED_TO_ADD',
  REMOVED: 'REMOVED',
  NOT_FOUND: 'NOT_FOUND',
} as const;
export type OwnerStatus = keyof typeof OwnerStatus;
registerEnumType(OwnerStatus, {
  name: 'OwnerStatus',
  description: 'What became of one customer.',
  valuesConfig: {
    ADDED: { description: 'Is an owner now.' },
    FAILED_TO_ADD: { description: 'Could not be added: see `reason`.' },
    REMOVED: { description: 'Is no longer an owner.' },
    NOT_FOUND: { description: 'Did not own the account, so nothing changed.' },
  },
});

@ObjectType({
  description: 'What became of one customer.',
  simpleResolvers: true,
})
export class OwnerResult {
  /** The account of the request. */
  accountId!: string;
  @Field(() => UUID, { description: 'As the request names it.' })
  customerId!: string;
  @Field(() => OwnerStatus, { description: 'Whether the customer was added or removed.' }) ownerStatus!: OwnerStatus;
  @Field(() => Owner, { nullable: true, description: 'Null unless it was added.' })
  owner!: Owner | null;
  @Field(() => String, {
    nullable: true,
    description: 'Why it could not be added, for people.',
  })
  reason!: string | null;
}

const RESULTS = 'One for each customer, in the order sent.';

@ObjectType({ description: 'What `addAccountOwners` did.', simpleResolvers: true })
export class AddAccountOwnersPayload {
  /** The account of the request. */
  accountId!: string;
  @Field(() => [OwnerResult], { description: RESULTS }) results!: readonly OwnerResult[];
}

@ObjectType({ description: 'What `removeAccountOwners` did.', simpleResolvers: true })
export class RemoveAccountOwnersPayload {
  /** The account of the request. */
  accountId!: string;
  @Field(() => [OwnerResult], { description: RESULTS }) results!: readonly OwnerResult[];
}
