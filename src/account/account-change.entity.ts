import { Field, ObjectType } from 'type-graphql';
import { FeedEvent } from '../event/recorded-event.entity.js';
import type { EventRecord } from '../platform/feed/event-types.js';
import { CURSOR } from '../platform/graphql/subscriptions/live.js';
import { Account, type AccountView } from './account.entity.js';

@ObjectType({ description: 'Something that happened to an account.', simpleResolvers: true })
export class AccountChange {
  @Field(() => String, { description: CURSOR })
  cursor!: string;

  @Field(() => FeedEvent, { description: 'What happened.' })
  event!: EventRecord;

  @Field(() => Account, { description: 'The account as it is when this is sent, which may be later than the event.' })
  account!: AccountView;
}
