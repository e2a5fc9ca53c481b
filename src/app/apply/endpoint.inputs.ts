import { Field } from 'type-graphql';
import { Input } from '../../platform/input/input.js';
import { WebhookEndpointStatus } from '../../../packages/webhooks/src/webhook.entity.js';
import { WebhookEndpointInput } from '../../../packages/webhooks/src/webhook.inputs.js';

@Input('A webhook endpoint in a file, with whether it gets events.')
export class WebhookEndpointRecord extends WebhookEndpointInput {
  @Field(() => WebhookEndpointStatus, { nullable: true })
  status?: WebhookEndpointStatus | null;
}
