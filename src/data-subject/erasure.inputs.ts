import { Field } from 'type-graphql';
import { Input } from '../platform/input/input.js';
import { Text } from '../platform/input/rules.js';

const MIN_REASON = 3;
const MAX_REASON = 200;

@Input('Why personal data is erased.')
export class ErasureInput {
  @Text(MIN_REASON, MAX_REASON)
  @Field(() => String, {
    description: `${MIN_REASON} to ${MAX_REASON} characters for the event, such as \`Request 2026-118 of the customer\`.`,
  })
  reason!: string;
}
