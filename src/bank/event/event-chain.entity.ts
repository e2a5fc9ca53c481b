import { Field, Int, ObjectType } from 'type-graphql';
import { Renamed } from '../../platform/graphql/renamed.js';

/** The number of links that are verified: the newest, so that an account of any age is answered at once. */
export const MAX_LINKS = 1000;

@ObjectType({
  description: "The hashes over an account's events, from the newest on.",
  simpleResolvers: true,
})
export class EventChain {
  @Field(() => Int, { description: 'The number of events of the account.' })
  @Renamed('eventCount')
  events!: number;

  @Field(() => Int, {
    description: `The number of events that were verified now, the newest ones; at most ${MAX_LINKS}.`,
  })
  @Renamed('checkedCount')
  checked!: number;

  @Field(() => Boolean, { description: 'True if all verified events match their hashes, and none is missing.' })
  intact!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The first event that does not match or follows a missing one; null if there is none.',
  })
  brokenAt!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'The SHA-256 of the last event, such as `9f86d081…`.',
  })
  lastHash!: string | null;
}
