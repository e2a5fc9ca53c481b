import type { AccountService } from '../account/account.service.js';
import { noun, resolver } from '../../platform/noun/noun.js';
import type { NounBase } from '../../platform/noun/noun-base.js';
import { NODE_OF_HIT } from './search.node.js';
import { SearchRecords } from './search.records.js';
import { SearchResolver } from './search.resolver.js';
import { SearchService } from './search.service.js';
import { searchRest } from './search.rest.js';

interface RecordNeeds {
  readonly config: { readonly searchesPerHour: number };
}

/** Limits searches for people and puts them on record, for other nouns as well. */
export const searchRecords = noun({
  services: ({ database, together, watch, config, log }: NounBase & RecordNeeds) => {
    const lost = (count: number, err: unknown): void => log.error({ err, count }, 'searches could not be recorded');
    return { searchRecords: new SearchRecords(database, together, config.searchesPerHour, watch.committed, lost) };
  },
  close: of => of.searchRecords.close(),
});

interface Needs {
  readonly searchRecords: SearchRecords;
  readonly accounts: AccountService;
}

export const searchNoun = noun({
  services: ({ database, keys, accounts, searchRecords: records }: NounBase & Needs) => ({
    search: new SearchService(database, accounts, records, keys),
  }),
  resolvers: [resolver(SearchResolver, 'search')],
  nodeLinks: [NODE_OF_HIT],
  rest: () => [searchRest],
});
