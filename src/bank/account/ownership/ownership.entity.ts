import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { Owner } from '../../owner/owner.entity.js';
import { Payload } from '../../../platform/graphql/payload.js';
import type { Caller } from '../../../shared/caller.js';
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
  description: 'The outcome for one customer.',
  valuesConfig: {
    ADDED: { description: 'The customer is an owner now.' },
    FAILED_TO_ADD: { description: 'The customer could not be added: see `reason`.' },
    REMOVED: { description: 'The customer is no longer an owner.' },
    NOT_FOUND: { description: 'The customer did not own the account, so nothing changed.' },
  },
});

@ObjectType({
  description: 'The outcome for one customer.',
  simpleResolvers: true,
})
export class OwnerResult {
  /** The account of the request. */
  accountId!: string;
  @Field(() => UUID, { description: 'The id of the customer, as the request named it.' })
  customerId!: string;
  @Field(() => OwnerStatus, { description: 'The status, which tells if the customer was added or removed.' })
  ownerStatus!: OwnerStatus;
  @Field(() => Owner, { nullable: true, description: 'The owner; null unless the customer was added.' })
  owner!: Owner | null;
  @Field(() => String, {
    nullable: true,
    description: 'The reason for which the customer could not be added, for people.',
  })
  reason!: string | null;
}

const RESULTS = 'The results, one for each customer, in the order sent.';

@ObjectType()
abstract class OwnersPayload extends Payload {
  constructor(
    caller: Caller,
    /** The account of the request. */
    readonly accountId: string,
    results: readonly OwnerResult[],
  ) {
    super(caller);
    this.results = results;
  }

  @Field(() => [OwnerResult], { description: RESULTS }) readonly results: readonly OwnerResult[];
}

@ObjectType({ description: 'The result of `addAccountOwners`.', simpleResolvers: true })
export class AddAccountOwnersPayload extends OwnersPayload {}

@ObjectType({ description: 'The result of `removeAccountOwners`.', simpleResolvers: true })
export class RemoveAccountOwnersPayload extends OwnersPayload {}
