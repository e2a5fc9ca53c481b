import { noun, resolver, type NounBase } from 'tillgate/noun';
import { OverviewDaySum, OverviewReading, OverviewTotal } from './overview.entity.js';
import { CreateOverview } from './overview.migrations.js';
import { OverviewReader } from './overview.reader.js';
import { OverviewResolver } from './overview.resolver.js';
import { overviewRest } from './overview.rest.js';
import { OverviewService } from './overview.service.js';

/** Keeps figures of programs, and shows them. */
export const overviewNoun = noun({
  migrations: [{ name: 'overview/1-tables', class: CreateOverview }],
  entities: [OverviewDaySum, OverviewTotal, OverviewReading],
  services: ({ database }: NounBase) => ({ overviews: new OverviewService(database) }),
  resolvers: [resolver(OverviewResolver, 'overviews')],
  rest: () => [overviewRest],
  jobs: async ({ database, feed: { feed } }, { log }) => {
    // A connection of its own, so that a long catch-up takes none from requests.
    const own = await database.reopen({
      applicationName: 'tillgate-overview',
      poolSize: 1,
      entities: [OverviewReading],
      throughOrm: false,
    });
    const reader = new OverviewReader({ database: own, head: () => feed.head, log });
    return [
      async () => {
        await reader.stop();
        await own.close();
      },
    ];
  },
});
