import type { Database } from 'tillgate/noun';
import { HELD, NEXT, deliverablesOf, heldLanes } from './deliverable.js';
import type { EndpointSender } from './endpoint-sender.js';
import { Lanes, MAX_LANES } from './lanes.js';
import type { HeldDelivery, Results } from './results.js';

/** The number of deliveries in memory, of an endpoint and in all, and the least room of an endpoint. */
const MAX_OF_ENDPOINT = 400;
const MAX_LOADED = 20_000;
const LEAST_OF_ENDPOINT = 50;
/** The number of deliveries of an endpoint that are loaded at once, and not fewer unless there are no more. */
const MOST_AT_ONCE = 200;
const LEAST_AT_ONCE = 25;
/** The number of lanes that go on at once. */
const MAX_CONTINUED = 200;

/** Reads which lanes are held, and forgets what was loaded. */
export async function lookAnew(database: Database, senders: readonly EndpointSender[]): Promise<void> {
  for (const sender of senders) sender.beginAnew(await heldLanes(database, sender.endpointId, MAX_LANES));
}

/** Loads what comes next in the feed. */
export async function loadNext(
  database: Database,
  senders: readonly EndpointSender[],
  results: Results,
): Promise<void> {
  const most = mostOf(senders);
  const roomOf = ({ lanes }: EndpointSender): number => Math.min(most - lanes.size, MOST_AT_ONCE);
  const mayLoad = (sender: EndpointSender): boolean =>
    sender.mayHaveMore && sender.lanes.takesMore && roomOf(sender) >= LEAST_AT_ONCE;
  const wanting = senders.filter(mayLoad);
  if (wanting.length === 0) return;
  const rooms = wanting.map(roomOf);
  const knownIds = knownNow(wanting, results);
  const loaded = deliverablesOf(
    await database.query(NEXT, [
      wanting.map(({ endpointId }) => endpointId),
      wanting.map(({ place }) => place.position),
      wanting.map(({ place }) => place.deliveryId),
      rooms,
    ]),
  );
  const held: HeldDelivery[] = [];
  for (const [index, sender] of wanting.entries()) {
    const next = loaded.get(sender.endpointId) ?? [];
    sender.mayHaveMore = next.length === rooms[index];
    sender.place = next.at(-1) ?? sender.place;
    const late = sender.lanes.add(next.filter(({ deliveryId }) => !knownIds.has(deliveryId)));
    held.push(...late.map(({ deliveryId }) => ({ deliveryId, holder: sender.holder })));
  }
  await results.hold(held);
}

/** Loads what the database holds of lanes that can go on. */
export async function continueLanes(
  database: Database,
  senders: readonly EndpointSender[],
  results: Results,
): Promise<void> {
  const [nowMs, most] = [Date.now(), mostOf(senders)];
  const lanesOf = ({ lanes }: EndpointSender): string[] =>
    lanes.size < most ? lanes.toContinue(nowMs, Math.ceil((most - lanes.size) / Lanes.CONTINUE_ROOM)) : [];
  const wanting = senders.flatMap(sender => lanesOf(sender).map(lane => ({ sender, lane }))).slice(0, MAX_CONTINUED);
  if (wanting.length === 0) return;
  const knownIds = knownNow(
    wanting.map(({ sender }) => sender),
    results,
  );
  const loaded = deliverablesOf(
    await database.query(HELD, [
      wanting.map(({ sender }) => sender.endpointId),
      wanting.map(({ lane }) => lane),
      wanting.map(() => Lanes.CONTINUE_ROOM),
    ]),
  );
  for (const { sender, lane } of wanting) {
    const ofLane = (loaded.get(sender.endpointId) ?? []).filter(deliverable => deliverable.lane === lane);
    sender.lanes.continue(lane, ofLane, Date.now(), ({ deliveryId }) => knownIds.has(deliveryId));
  }
}

function mostOf(senders: readonly EndpointSender[]): number {
  return Math.min(MAX_OF_ENDPOINT, Math.max(LEAST_OF_ENDPOINT, Math.floor(MAX_LOADED / Math.max(1, senders.length))));
}

/**
 * The deliveries that are being sent, or were and the database does not know it yet. Taken before a query, since the
 * database may learn of some between the query's look at it and its answer.
 */
function knownNow(senders: readonly EndpointSender[], results: Results): Set<string> {
  const knownIds = new Set(results.unsaved);
  for (const { inFlight } of senders) for (const deliveryId of inFlight) knownIds.add(deliveryId);
  return knownIds;
}
