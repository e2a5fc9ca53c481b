import { Field, ObjectType } from 'type-graphql';
import { Event, type EventView } from '../../event/event.entity.js';
import { CURSOR } from '../../../platform/graphql/subscriptions/live.js';
import { Account, type AccountView } from '../account.entity.js';

@ObjectType({ description: 'Something that happened to an account.', simpleResolvers: true })
export class AccountChange {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => Event, { description: 'The event that tells of the change.' })
  event!: EventView;

  @Field(() => Account, { description: 'The account as it is when this is sent, which may be later than the event.' })
  account!: AccountView;
}
