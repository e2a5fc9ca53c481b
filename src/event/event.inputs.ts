import { Field, ID } from 'type-graphql';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { DateTimeISO } from '../platform/graphql/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, Size, Text } from '../platform/input/rules.js';
import { EventOutcome } from './event.entity.js';

const ACTION = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;
const ACTION_FORM = 'the name of a command, such as beneficiary.add';

@Input('Which events: those that fit everything given.')
export class EventFilter {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'Only events of this account.' })
  accountId?: string | null;

  @EachMatches(ACTION, ACTION_FORM)
  @Size(1, 20)
  @Field(() => [String], { nullable: true, description: 'Only these commands, up to 20, for example "card.freeze".' })
  action?: string[] | null;

  @Field(() => EventOutcome, { nullable: true, description: 'Only what was done, or only what was denied.' })
  outcome?: EventOutcome | null;

  @Text(1, 255)
  @Field(() => String, { nullable: true, description: 'Only what this client did.' })
  clientId?: string | null;

  @Text(1, 255)
  @Field(() => String, { nullable: true, description: 'Only what was done for this subject.' })
  subject?: string | null;

  @Text(1, 255)
  @Field(() => String, { nullable: true, description: 'Only what the request with this X-Request-Id did.' })
  requestId?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'Only events of this instant or later.' })
  startTime?: string | null;

  @Field(() => DateTimeISO, { nullable: true, description: 'Only events before this instant.' })
  endTime?: string | null;
}
