import type { AccountService } from '../account/account.service.js';
import type { CommandWatch } from '../../platform/command/counted.js';
import type { KeyRing } from '../../platform/crypto/key-ring.js';
import type { Database } from '../../platform/database/orm.js';
import type { Logger } from '../../platform/logging/logger.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { ProcessGroup } from '../../platform/workers/process-group.js';
import { NODE_OF_HIT } from './search.node.js';
import { SearchRecords } from './search.records.js';
import { SearchResolver } from './search.resolver.js';
import { SearchService } from './search.service.js';
import { searchRest } from './search.rest.js';

interface RecordNeeds {
  readonly database: Database;
  readonly together: ProcessGroup;
  readonly watch: CommandWatch;
  readonly config: { readonly searchesPerHour: number };
  readonly log: Logger;
}
export interface RecordServices {
  readonly searchRecords: SearchRecords;
}

/** What limits searches for people and puts them on record, for other nouns as well. */
export const searchRecords = noun<RecordNeeds>()({
  services: ({ database, together, watch, config, log }): RecordServices => {
    const lost = (count: number, err: unknown): void => log.error({ err, count }, 'searches could not be recorded');
    return { searchRecords: new SearchRecords(database, together, config.searchesPerHour, watch.committed, lost) };
  },
  close: of => of.searchRecords.close(),
});

interface Needs extends RecordServices {
  readonly database: Database;
  readonly keys: KeyRing;
  readonly accounts: AccountService;
}
export interface Services {
  readonly search: SearchService;
}

export const searchNoun = noun<Needs>()({
  services: ({ database, keys, accounts, searchRecords: records }): Services => ({
    search: new SearchService(database, accounts, records, keys),
  }),
  resolvers: [resolver(SearchResolver, (of: Services) => new SearchResolver(of.search))],
  nodeLinks: [NODE_OF_HIT],
  rest: () => [searchRest],
});
