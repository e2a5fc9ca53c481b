import { Field, ObjectType } from 'type-graphql';
import { Event, type EventView } from '../../event/event.entity.js';
import { CURSOR } from '../../../platform/graphql/subscriptions/live.js';
import { Account, type AccountView } from '../account.entity.js';

@ObjectType({ description: 'Something that happened to an account.', simpleResolvers: true })
export class AccountChange {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => Event, { description: 'What happened to it.' })
  event!: EventView;

  @Field(() => Account, { description: 'As it is when this is sent, which may be later than the event.' })
  account!: AccountView;
}
