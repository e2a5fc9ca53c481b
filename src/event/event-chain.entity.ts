import { Field, Int, ObjectType } from 'type-graphql';

/** So many links are verified: the newest, so that an account of any age is answered at once. */
export const MAX_LINKS = 1000;

@ObjectType({
  description: `The chain of an account's events, of which the newest ${MAX_LINKS} were verified: each has the hash of its content and of the hash before it. The command \`tillgate events verify\` verifies all chains from their beginnings.`,
  simpleResolvers: true,
})
export class EventChain {
  @Field(() => Int, { description: 'How many events the account has.' })
  events!: number;

  @Field(() => Int, { description: `How many of them were verified now, the newest ones; at most ${MAX_LINKS}.` })
  checked!: number;

  @Field(() => Boolean, { description: 'True if all that were verified match their hashes, and none is missing.' })
  intact!: boolean;

  @Field(() => Int, {
    nullable: true,
    description:
      'The number of the first event that does not match its hash, or that comes after a missing one; null if the chain is intact.',
  })
  brokenAt!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The hash of the last event, 64 hexadecimal digits such as `9f86d081…`; null if there is no event. Keep it elsewhere to notice later that events were cut off.',
  })
  lastHash!: string | null;
}
