import { Field, ID, ObjectType } from 'type-graphql';
import { UUID } from '../../platform/scalars/scalars.js';

@ObjectType({
  description: 'Whom the access token speaks for, and what it allows.',
  simpleResolvers: true,
})
export class Viewer {
  @Field(() => String, { description: 'On whose behalf: `sub` of the token, such as `u-4711`.' })
  subject!: string;

  @Field(() => String, { description: '`client_id` of the token, such as `harborlight-core`.' })
  clientId!: string;

  @Field(() => ID, { description: 'The program whose data the token can access, such as `demo`.' })
  programId!: string;

  @Field(() => String, { nullable: true, description: 'Its name, such as `Harborlight`; null if it has no record.' })
  programName!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'To whom the token is bound; null for the whole program.',
  })
  customerId!: string | null;

  @Field(() => [String], {
    description: 'In alphabetical order, such as `accounts.read`.',
  })
  scopes!: readonly string[];
}
