import { Field } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { UUID } from '../../platform/scalars/scalars.js';

@Input('The session that ends.')
export class EndOperatorSessionInput {
  @Field(() => UUID, { description: 'The id of the session, as `operatorSessions` lists it.' })
  sessionId!: string;
}
