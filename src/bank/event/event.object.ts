import type { NodeLink } from '../../platform/graphql/node-link.js';
import { Event, type EventView } from './event.entity.js';

/** The record that an event changed: its `object` is a kind of records and an id, such as `card/card-17`. */
export const OBJECT_OF_EVENT: NodeLink<EventView> = {
  of: Event,
  description: 'The record in `object`. It needs the scope of its type.',
  recordOf({ object, accountId }) {
    const [, kind, id] = /^([a-z_]+)\/(.+)$/.exec(object ?? '') ?? [];
    return kind && id ? { type: typeOf(kind), id, accountId } : null;
  },
};

/** `webhook_endpoint` is `WebhookEndpoint`. */
function typeOf(kind: string): string {
  return kind.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
