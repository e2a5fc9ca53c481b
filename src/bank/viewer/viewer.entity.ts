import { Field, ID, ObjectType } from 'type-graphql';
import { UUID } from '../../platform/scalars/scalars.js';

@ObjectType({
  description: 'The caller as the access token names it, and what the token allows.',
  simpleResolvers: true,
})
export class Viewer {
  @Field(() => String, {
    description: 'The subject on whose behalf the client acts: `sub` of the token, such as `u-4711`.',
  })
  subject!: string;

  @Field(() => String, { description: 'The client: `client_id` of the token, such as `harborlight-core`.' })
  clientId!: string;

  @Field(() => ID, { description: 'The program whose data the token can access, such as `demo`.' })
  programId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The name of the program, such as `Harborlight`; null if it has no record.',
  })
  programName!: string | null;

  @Field(() => UUID, {
    nullable: true,
    description: 'The customer to whom the token is bound; null for the whole program.',
  })
  customerId!: string | null;

  @Field(() => [String], {
    description: 'The scopes of the token in alphabetical order, such as `accounts.read`.',
  })
  scopes!: readonly string[];
}
