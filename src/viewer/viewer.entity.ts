import { Field, ID, ObjectType } from 'type-graphql';
import { replacedBy } from '../platform/graphql/deprecation.js';
import { UUID } from '../platform/scalars/scalars.js';

@ObjectType({ description: 'The program that an access token belongs to.', simpleResolvers: true })
export class ViewerProgram {
  @Field(() => ID, { description: 'The id of the program, such as `demo`.' })
  programId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the program, such as `Harborlight`; null if it has no record.',
  })
  name!: string | null;
}

@ObjectType({
  description: 'Whom the access token of the request speaks for, and what it allows.',
  simpleResolvers: true,
})
export class Viewer {
  @Field(() => String, { description: 'On whose behalf the client acts, such as `u-4711`: `sub` of the token.' })
  subject!: string;

  @Field(() => String, { description: 'The client, such as `harborlight-core`: `client_id` of the token.' })
  clientId!: string;

  @Field(() => ID, { description: 'The program whose data the token can access, such as `demo`.' })
  programId!: string;

  @Field(() => String, { nullable: true, description: 'Its name, such as `Harborlight`; null if it has no record.' })
  programName!: string | null;

  @Field(() => ViewerProgram, {
    description: 'The program whose data the token can access.',
    deprecationReason: replacedBy('programId'),
  })
  program!: ViewerProgram;

  @Field(() => UUID, {
    nullable: true,
    description:
      'The customer to whom the token is bound, such as `0000d001-0000-4000-8000-000000000000`; null if it is for the whole program.',
  })
  customerId!: string | null;

  @Field(() => [String], {
    description:
      'What the token allows, in alphabetical order, such as `accounts.read`: its scopes, and those that they include.',
  })
  scopes!: readonly string[];
}
