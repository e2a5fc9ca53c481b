import type { Router } from 'express';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { exactRouter, refuseOtherMethods } from '../../platform/http/exact-router.js';
import { queryOf, valuesOf } from '../../platform/http/query.js';
import { readInput } from '../../platform/input/read-input.js';
import { FeedQuery, MAX_WAIT_SECONDS } from './event.inputs.js';
import type { EventService } from './event.service.js';
import { READ_EVENTS } from './event.operations.js';

const SINGLE = ['after', 'accountId', 'limit', 'wait'] as const;
const NUMBERS = ['limit', 'wait'] as const;
const LISTS = ['types'] as const;
/** How much longer than its wait a request may be silent. */
const GRACE_MS = 10_000;

/** The feed of events. */
export function eventRoutes(events: EventService): Router {
  const router = exactRouter();
  router.get('/events', async (req, res) => {
    const caller = callerOf(req);
    caller.require(READ_EVENTS);
    const query = queryOf(req, SINGLE, LISTS);
    const exchange = exchangeOf(req);
    exchange.isWaiting = true;
    req.setTimeout(MAX_WAIT_SECONDS * 1000 + GRACE_MS);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const {
      events: found,
      cursor,
      hasMore,
    } = await events.follow(
      caller,
      readInput(FeedQuery, valuesOf(query, SINGLE, { numbers: NUMBERS, lists: LISTS })),
      gone.signal,
    );
    query.set('after', cursor);
    const next = { href: `/events?${query.toString()}` };
    res.json({ page: { cursor, hasMore }, links: { next }, events: found });
  });
  return refuseOtherMethods(router);
}
