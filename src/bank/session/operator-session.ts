import { Field, ObjectType } from 'type-graphql';
import { DateTimeISO, UUID } from '../../platform/scalars/scalars.js';
import type { SessionRead } from './session.repository.js';

/** A session as the people of its program see it. */
@ObjectType({ description: 'A person who is signed in at the console.', simpleResolvers: true })
export class OperatorSession {
  @Field(() => UUID, { description: 'The id of the session, which distinguishes it from others of the person.' })
  sessionId!: string;

  @Field(() => String, { description: 'The id of the person in events, such as `248289761001`.' })
  subject!: string;

  @Field(() => String, { description: 'The name by which the person is greeted, such as `Ana Ruiz`.' })
  name!: string;

  @Field(() => [String], { description: 'The roles of the person, such as `operator`.' })
  roles!: readonly string[];

  @Field(() => DateTimeISO, { description: 'The time at which the person signed in.' })
  createdAt!: string;

  @Field(() => DateTimeISO, { description: 'The time at which the session was last used, within a minute.' })
  lastSeenAt!: string;

  @Field(() => DateTimeISO, { description: 'The time at which the session ends, however much it is used.' })
  endsAt!: string;

  @Field(() => Boolean, { description: "True for the caller's own session." })
  isOwn!: boolean;
}

/** `own` is the session of the caller; null where that is none of the console. */
export function operatorSessionOf(session: SessionRead, own: string | null): OperatorSession {
  const { sessionId, subject, roles, createdAt, lastSeenAt, endsAt, person } = session;
  return { sessionId, subject, name: person.name, roles, createdAt, lastSeenAt, endsAt, isOwn: sessionId === own };
}
