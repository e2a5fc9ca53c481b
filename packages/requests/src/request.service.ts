import { raw, type FilterQuery } from '@mikro-orm/core';
import {
  FIELD_PROBLEMS,
  READ_EVENTS,
  cursorOptions,
  inReadingOrder,
  instantPlaceOf,
  positionAt,
  sliceOf,
  windowOf,
  type Caller,
  type CursorRequest,
  type Database,
  type EventService,
  type EventView,
  type Listing,
  type Problems,
} from 'tillgate/noun';
import { ApiRequest, type ApiRequestView, type RequestProblem, type StoredProblem } from './request.entity.js';
import { ApiRequestNotFound } from './request.errors.js';
import type { ApiRequestFilter } from './request.inputs.js';
import { READ_REQUESTS } from './request.operations.js';

/** The most events of a request, and the most requests with its key, that are shown. */
export const MAX_RELATED = 50;
/** The clock of the database, which times events, may differ so much from that of the gateway. */
const CLOCKS_DIFFER_MS = 10_000;

/** The program of a request, by which others are found. */
type StoredRequest = ApiRequestView & Pick<ApiRequest, 'program'>;

/** Reads the log of requests: operators that of their program, and clients their own. */
export class ApiRequestService {
  constructor(
    private readonly database: Database,
    private readonly recorded: EventService,
    private readonly problems: Problems,
  ) {}

  /** The requests that the caller may see, the newest first. Throws `InvalidInput`. */
  list(caller: Caller, request: CursorRequest, filter: ApiRequestFilter | null): Listing<ApiRequestView> {
    caller.require(READ_REQUESTS);
    const window = windowOf(request, (cursor, pointer) => {
      const { at, id: entryId } = instantPlaceOf(cursor, pointer);
      return { answeredAt: new Date(at), entryId };
    });
    const parts = partsOf([visibleTo(caller), ...conditionsOf(filter ?? {})], filter?.code ?? null);
    const options = { orderBy: { answeredAt: 'desc', entryId: 'desc' }, ...cursorOptions(window) } as const;
    return {
      page: async () => {
        const found = await Promise.all(parts.map(which => this.database.em().find(ApiRequest, which, options)));
        const requests = found.flat().map(one => this.shown(caller, one));
        if (parts.length > 1) requests.sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
        const read = inReadingOrder(requests, window).slice(0, window.limit + 1);
        return sliceOf(read, window, placeOf);
      },
      total: async () => {
        const counts = await Promise.all(parts.map(which => this.database.em().count(ApiRequest, which)));
        return counts.reduce((sum, count) => sum + count, 0);
      },
    };
  }

  /** The last request with this id that the caller may see, or null. */
  async find(caller: Caller, requestId: string): Promise<ApiRequestView | null> {
    caller.require(READ_REQUESTS);
    const which = { ...visibleTo(caller), requestId };
    const found = await this.database.em().findOne(ApiRequest, which, { orderBy: { answeredAt: 'desc' } });
    return found && this.shown(caller, found);
  }

  /** Throws `ApiRequestNotFound`. */
  async get(caller: Caller, requestId: string): Promise<ApiRequestView> {
    const found = await this.find(caller, requestId);
    if (!found) throw new ApiRequestNotFound();
    return found;
  }

  /** The events that a request recorded, the newest first. Throws `InsufficientScope`, `ProgramWideOnly`. */
  async events(caller: Caller, request: ApiRequestView): Promise<readonly EventView[]> {
    const { requestId, clientId, subject, answeredAt, durationMs, isReplay } = request;
    const endMs = Date.parse(answeredAt);
    const filter = {
      requestId,
      clientId,
      subject,
      occurredFrom: new Date(endMs - durationMs - CLOCKS_DIFFER_MS).toISOString(),
      occurredBefore: new Date(endMs + CLOCKS_DIFFER_MS).toISOString(),
    };
    const listing = this.recorded.list(caller, { first: MAX_RELATED }, filter, 'NEWEST_FIRST');
    // The events of the request that it repeats have its id, if the client sent that again.
    return isReplay ? [] : (await listing.page()).nodes;
  }

  /** The other requests of its client with the idempotency key of a request, the newest first. */
  async withSameKey(caller: Caller, { keyDigest, entryId }: ApiRequestView): Promise<readonly ApiRequestView[]> {
    caller.require(READ_REQUESTS);
    if (keyDigest === null) return [];
    const which = { ...visibleTo(caller), keyDigest, entryId: { $ne: entryId } };
    const options = { orderBy: { answeredAt: 'desc' }, limit: MAX_RELATED } as const;
    const found = await this.database.em().find(ApiRequest, which, options);
    return found.map(one => this.shown(caller, one));
  }

  private shown({ isAgent }: Caller, request: ApiRequest): StoredRequest {
    const problems = (request.storedProblems ?? []).map(problem => this.explained(problem));
    // The address may be that of a person at home.
    const clientAddress = isAgent ? null : request.clientAddress;
    return { ...request, answeredAt: request.answeredAt.toISOString(), problems, clientAddress };
  }

  private explained({ code, fields = [] }: StoredProblem): RequestProblem {
    const [, meaning = null, remedy = null] = this.problems[code] ?? [];
    return {
      code,
      meaning,
      remedy,
      fields: fields.map(field => ({ ...field, meaning: FIELD_PROBLEMS[field.code] ?? null })),
    };
  }
}

/** Operators of a program see all of it. A client sees its own requests, and a customer those of the own tokens. */
function visibleTo(caller: Caller): FilterQuery<ApiRequest> & object {
  const { program, clientId, subject, customerId } = caller;
  if (caller.may(READ_EVENTS)) return { program };
  return customerId === null ? { program, clientId } : { program, clientId, subject, customerId };
}

function conditionsOf(filter: ApiRequestFilter): FilterQuery<ApiRequest>[] {
  const { requestId, clientId, subject, customerId, isRefused, isReplay, api, operation } = filter;
  const { answeredFrom, answeredBefore } = filter;
  const equal = Object.entries({ requestId, clientId, subject, customerId, isReplay, api, operation }).filter(
    ([, value]) => (value ?? null) !== null,
  );
  return [
    Object.fromEntries(equal),
    ...(isRefused == null ? [] : [{ code: isRefused ? { $ne: null } : null }]),
    ...(answeredFrom == null ? [] : [{ answeredAt: { $gte: new Date(answeredFrom) } }]),
    ...(answeredBefore == null ? [] : [{ answeredAt: { $lt: new Date(answeredBefore) } }]),
  ];
}

/**
 * The parts of a list that are read each by an index of its own, in the order of the list. Most refused requests have
 * one code; those with more are few. One statement for both would read all that was refused.
 */
function partsOf(conditions: FilterQuery<ApiRequest>[], sent: string | null): FilterQuery<ApiRequest>[] {
  if (sent === null) return [{ $and: conditions }];
  const code = sent.startsWith('GRAPHQL_') ? sent : sent.toLowerCase();
  const isAmong = raw('stored_problems @> ?::jsonb', [JSON.stringify([{ code }])]);
  const others = { code: { $ne: code }, hasSeveralProblems: true };
  return [{ $and: [...conditions, { code }] }, { $and: [...conditions, others, { [isAmong]: [] }] }];
}

/** The place of a request in its list. Places are ordered as requests are. */
function placeOf({ answeredAt, entryId }: ApiRequestView): string {
  return positionAt({ at: answeredAt, id: entryId });
}
