import { setTimeout as sleep } from 'node:timers/promises';
import { statusOf, type Database, type Report } from 'tillgate/noun';
import { ApiRequest } from './request.entity.js';

/** The pause between two looks into the log. */
const LOOK_EVERY_MS = 500;
/** Processes write their requests a moment after the answers, so one may come behind others that are newer. */
const LATE_MS = 5000;
/** The number of requests that are read at a time. */
const PAGE = 1000;

/** The requests that are followed. */
export interface RequestTailOrder {
  readonly database: Database;
  readonly program: string;
  /** True for refused requests alone. */
  readonly isRefused: boolean;
  readonly report: Report;
  /** Ends it. */
  readonly stop: AbortSignal;
}

/** Prints a line for each request of a program from now on. Gives the exit status when it is stopped. */
export async function tailRequests({ database, program, isRefused, report, stop }: RequestTailOrder): Promise<number> {
  const tail = new RequestTail(database, { program, ...(isRefused && { code: { $ne: null } }) });
  await tail.begin();
  report.line(`Following the requests of ${program} from now on. Press Ctrl-C to stop.`);
  while (!stop.aborted) {
    for (const request of await tail.next()) report.line(lineOf(request));
    await sleep(LOOK_EVERY_MS, undefined, { signal: stop }).catch(() => undefined);
  }
  return statusOf(stop.reason);
}

/** Reads requests as they come into the log, each once, whatever the clocks of the processes that write them say. */
class RequestTail {
  private newestMs = 0;
  private seen = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly which: object,
  ) {}

  /** Passes over what is in the log. */
  async begin(): Promise<void> {
    const options = { orderBy: { answeredAt: 'desc' } } as const;
    const newest = await this.database.primary().findOne(ApiRequest, this.which, options);
    if (!newest) return;
    this.newestMs = newest.answeredAt.getTime();
    await this.next();
  }

  /** The requests that came since the last look, the oldest first. */
  async next(): Promise<readonly ApiRequest[]> {
    const from = this.newestMs - LATE_MS;
    const fresh = (await this.since(new Date(from))).filter(({ entryId }) => !this.seen.has(entryId));
    for (const { entryId, answeredAt } of fresh) this.seen.set(entryId, answeredAt.getTime());
    this.newestMs = Math.max(this.newestMs, ...fresh.slice(-1).map(({ answeredAt }) => answeredAt.getTime()));
    this.seen = new Map([...this.seen].filter(([, answeredMs]) => answeredMs >= from));
    return fresh;
  }

  private async since(from: Date): Promise<ApiRequest[]> {
    const all: ApiRequest[] = [];
    for (;;) {
      const last = all.at(-1);
      const page = await this.database.primary().find(
        ApiRequest,
        { ...this.which, answeredAt: { $gte: from } },
        {
          orderBy: { answeredAt: 'asc', entryId: 'asc' },
          first: PAGE,
          ...(last && { after: { answeredAt: last.answeredAt, entryId: last.entryId } }),
        },
      );
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }
}

function lineOf(request: ApiRequest): string {
  const { answeredAt, clientId, method, operation, rootFields, httpStatus, durationMs, requestId } = request;
  const codes = (request.storedProblems ?? []).map(({ code }) => code);
  const fields = rootFields.length > 0 ? `(${rootFields.join(', ')})` : '';
  const name = [operation ?? (fields ? '' : method), fields].filter(Boolean).join(' ');
  return [answeredAt.toISOString(), clientId, name, httpStatus, `${durationMs} ms`, codes.join(', '), requestId]
    .filter(part => part !== '')
    .join('  ');
}
