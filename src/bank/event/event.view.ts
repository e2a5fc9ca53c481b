import { eventIdOf, type EventTypes } from '../../platform/feed/event-types.js';
import type { Json } from '../../shared/json.js';
import type { EventView } from './event.entity.js';
import type { EventRead } from './event.repository.js';

/** An event of a table as it is shown. */
export function viewOf(event: EventRead, types: EventTypes): EventView {
  const { id, occurredAt, outcome, accountId, action, object, clientId, subject, requestId, chainSeq, hash } = event;
  const sequence = chainSeq === null ? null : Number(chainSeq);
  const isDone = outcome === 'DONE';
  const payload = (): Json => {
    if (!isDone || sequence === null) return null;
    const { data } = event;
    return types.recordOf({ id, accountId, action, object, data, occurredAt, chainSeq: sequence })?.data ?? null;
  };
  return {
    eventId: eventIdOf(id),
    occurredAt,
    type: isDone ? types.typeOf(action) : null,
    accountId,
    object,
    // Fields that are not selected are not made.
    get payload() {
      return payload();
    },
    audit: {
      outcome,
      action,
      clientId,
      subject,
      requestId,
      get actor() {
        const { actor = null } = event.data as { readonly actor?: string };
        return actor;
      },
      get data() {
        return event.data;
      },
      chainSeq: sequence,
      hash: hash?.toString('hex') ?? null,
    },
  };
}
