import type { Database } from '../../platform/database/orm.js';
import { HELD, HELD_LANES, NEXT, deliverablesOf, type Deliverable } from './deliverable.js';
import type { EndpointSender } from './endpoint-sender.js';
import { Lanes, MAX_LANES } from './lanes.js';
import { hold } from './results.js';

/** So many deliveries of an endpoint are loaded at once, and not fewer unless there are no more. */
const MOST_LOADED = 200;
const LEAST_LOADED = 50;
/** So many lanes go on at once. */
const MAX_CONTINUED = 200;

type IsKnown = (sender: EndpointSender, deliverable: Deliverable) => boolean;

/** Reads which lanes are held, and forgets what was loaded. */
export async function lookAnew(database: Database, senders: readonly EndpointSender[]): Promise<void> {
  for (const sender of senders) {
    const rows = await database.query<[string, string | null]>(HELD_LANES, [sender.endpointId, MAX_LANES]);
    sender.beginAnew(rows.map(([lane, dueAt]) => [lane, dueAt === null ? null : Date.parse(dueAt)]));
  }
}

/** Loads what comes next in the feed. */
export async function loadNext(
  database: Database,
  senders: readonly EndpointSender[],
  isKnown: IsKnown,
): Promise<void> {
  const wanting = senders.filter(({ mayHaveMore, lanes }) => mayHaveMore && lanes.room >= LEAST_LOADED);
  if (wanting.length === 0) return;
  const rooms = wanting.map(({ lanes }) => Math.min(lanes.room, MOST_LOADED));
  const loaded = deliverablesOf(
    await database.query(NEXT, [
      wanting.map(({ endpointId }) => endpointId),
      wanting.map(({ place }) => place.position),
      wanting.map(({ place }) => place.deliveryId),
      rooms,
    ]),
  );
  const held: string[] = [];
  for (const [index, sender] of wanting.entries()) {
    const next = loaded.get(sender.endpointId) ?? [];
    sender.mayHaveMore = next.length === rooms[index];
    sender.place = next.at(-1) ?? sender.place;
    const late = sender.lanes.add(next.filter(deliverable => !isKnown(sender, deliverable)));
    held.push(...late.map(({ deliveryId }) => deliveryId));
  }
  await hold(database, held);
}

/** Loads what the database holds of lanes that can go on. */
export async function continueLanes(
  database: Database,
  senders: readonly EndpointSender[],
  isKnown: IsKnown,
): Promise<void> {
  const nowMs = Date.now();
  const wanting = senders
    .flatMap(sender => sender.lanes.toContinue(nowMs, MAX_CONTINUED).map(lane => ({ sender, lane })))
    .slice(0, MAX_CONTINUED);
  if (wanting.length === 0) return;
  const loaded = deliverablesOf(
    await database.query(HELD, [
      wanting.map(({ sender }) => sender.endpointId),
      wanting.map(({ lane }) => lane),
      wanting.map(() => Lanes.CONTINUE_ROOM),
    ]),
  );
  for (const { sender, lane } of wanting) {
    const ofLane = (loaded.get(sender.endpointId) ?? []).filter(deliverable => deliverable.lane === lane);
    sender.lanes.continue(lane, ofLane, Date.now(), deliverable => isKnown(sender, deliverable));
  }
}
