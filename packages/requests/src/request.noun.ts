import { noun, onceAnHour, resolver, type EventService, type NounBase } from 'tillgate/noun';
import { ApiRequest } from './request.entity.js';
import { REQUEST_PROBLEMS } from './request.errors.js';
import { RequestLog } from './request.log.js';
import { CreateRequests } from './request.migrations.js';
import { ApiRequestResolver } from './request.resolver.js';
import { requestRest } from './request.rest.js';
import { ApiRequestService } from './request.service.js';
import { REQUEST_SETTINGS } from './request.settings.js';

interface Needs {
  readonly events: EventService;
}

/** Keeps the requests of clients, and shows them to these and to operators. */
export const requestNoun = noun({
  settings: REQUEST_SETTINGS,
  problems: REQUEST_PROBLEMS,
  migrations: [{ name: 'requests/1-table', class: CreateRequests }],
  entities: [ApiRequest],
  services: ({ settings, database, keys, log, problems, events }: NounBase & Needs) => {
    const { REQUEST_LOG: kept, REQUEST_LOG_DAYS: keptDays } = settings.read(REQUEST_SETTINGS);
    return {
      requestLog: new RequestLog({ database, keys, log, kept, keptDays }),
      apiRequests: new ApiRequestService(database, events, problems),
    };
  },
  resolvers: [resolver(ApiRequestResolver, 'apiRequests')],
  rest: () => [requestRest],
  watchRequests: ({ requestLog }, { metrics }) => {
    if (!requestLog.isOn) return null;
    const count = metrics?.counter(
      'tillgate_request_log_dropped_total',
      'Requests that were not written to the log of requests: too many waited, or the database failed.',
    );
    if (count) requestLog.onDrop = count;
    return request => requestLog.add(request);
  },
  jobs: async ({ requestLog }, { log }) => {
    const prepare = async (): Promise<void> => {
      try {
        const days = await requestLog.prepare();
        if (days > 0) log.info({ days }, 'days of the log of requests were dropped, since their time is over');
      } catch (error) {
        log.warn({ err: error }, 'the days of the log of requests could not be prepared; the next hour tries again');
      }
    };
    await prepare();
    return [onceAnHour(prepare)];
  },
  close: ({ requestLog }) => requestLog.flush(),
});
