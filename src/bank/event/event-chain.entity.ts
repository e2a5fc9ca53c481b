import { Field, Int, ObjectType } from 'type-graphql';
import { Renamed } from '../../platform/graphql/renamed.js';

/** So many links are verified: the newest, so that an account of any age is answered at once. */
export const MAX_LINKS = 1000;

@ObjectType({
  description: "The hashes over an account's events, from the newest on.",
  simpleResolvers: true,
})
export class EventChain {
  @Field(() => Int, { description: 'How many events there are.' })
  @Renamed('eventCount')
  events!: number;

  @Field(() => Int, { description: `How many were verified now, the newest ones; at most ${MAX_LINKS}.` })
  @Renamed('checkedCount')
  checked!: number;

  @Field(() => Boolean, { description: 'Whether all verified ones match their hashes, and none is missing.' })
  intact!: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'The first that does not match or follows a missing one; null if none.',
  })
  brokenAt!: number | null;

  @Field(() => String, {
    nullable: true,
    description: 'SHA-256 of the last event, such as `9f86d081…`.',
  })
  lastHash!: string | null;
}
