import { Field } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { UUID } from '../../platform/scalars/scalars.js';

@Input('The signed-in session that is ended.')
export class EndOperatorSessionInput {
  @Field(() => UUID, { description: 'The id of the session, as `operatorSessions` lists it.' })
  sessionId!: string;
}
