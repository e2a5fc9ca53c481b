import { Field, ID } from 'type-graphql';
import { BANK_ID, BANK_ID_FORM } from '../shared/ids.js';
import { DateTimeISO } from '../platform/scalars/scalars.js';
import { Input } from '../platform/input/input.js';
import { EachMatches, Matches, Size, Text } from '../platform/input/rules.js';
import { EventOutcome } from './event.entity.js';

const ACTION = /^[a-z_]{1,32}\.[a-z_]{1,32}$/;
const ACTION_FORM = 'the name of a command, such as beneficiary.add';

@Input('A filter of events. An event must match every field that is given.')
export class EventFilter {
  @Matches(BANK_ID, BANK_ID_FORM)
  @Field(() => ID, { nullable: true, description: 'Only events of the account with this id, such as `demo-1001`.' })
  accountId?: string | null;

  @EachMatches(ACTION, ACTION_FORM)
  @Size(1, 20)
  @Field(() => [String], { nullable: true, description: 'Only these commands, such as `card.freeze`: 1 to 20.' })
  action?: string[] | null;

  @Field(() => EventOutcome, { nullable: true, description: 'Only executed commands, or only denied ones.' })
  outcome?: EventOutcome | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'Only events of this client: `client_id` of its access token, up to 255 characters.',
  })
  clientId?: string | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'Only events of this subject: `sub` of the access token, up to 255 characters.',
  })
  subject?: string | null;

  @Text(1, 255)
  @Field(() => String, {
    nullable: true,
    description: 'Only events of the request with this `X-Request-Id`, such as `7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44`.',
  })
  requestId?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'Only events at or after this instant, such as `2026-03-01T00:00:00Z`.',
  })
  startTime?: string | null;

  @Field(() => DateTimeISO, {
    nullable: true,
    description: 'Only events before this instant, such as `2026-04-01T00:00:00Z`.',
  })
  endTime?: string | null;
}
