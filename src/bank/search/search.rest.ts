import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { list, record } from '../../platform/openapi/schema.js';
import { MAX_HITS, SearchHit } from './search.entity.js';
import { SearchQuery } from './search.inputs.js';
import { SEARCH } from './search.operations.js';
import { callerOf, exchangeOf } from '../../platform/http/exchange.js';
import { contractRecord } from '../../platform/http/json.js';
import { queryOf } from '../../platform/http/query.js';
import type { SearchService } from './search.service.js';
import { expressOver, type RestPart } from '../../platform/rest/rest.js';

const EXAMPLE = {
  kind: 'CARD',
  accountId: 'demo-1001',
  cardId: 'card-17',
  customerId: '',
  label: 'VIRTUAL card •••• 4242',
  detail: 'ACTIVE',
};

/** Three names with spaces between them. */
const MAX_LABEL = 302;

/** Up to four statements, some of which look through names: as long as five of the smallest reads. */
const SEARCH_UNITS = 5;

interface Services {
  readonly search: SearchService;
}
const express = expressOver<Services>();

/** The search of operators. */
export const searchRest: RestPart<Services> = {
  tag: { name: 'Search', description: 'Finds accounts, cards and customers of a program by what operators are told.' },
  records: [{ of: SearchHit, differs: { label: { maxLength: MAX_LABEL } }, example: EXAMPLE }],
  schemas: {
    SearchHits: record('What was found.', {
      hits: list(
        ref('SearchHit'),
        'Accounts first, then cards, then customers, each by their ids, and last those whose last names begin with the text.',
        MAX_HITS,
      ),
    }),
  },
  operations: {
    search: express(SEARCH, 'GET /search', {
      summary: 'Find what a text names',
      description: `What a text names in the program, and whose last names begin with it, at most ${MAX_HITS} hits. It finds cards if the token has \`cards.read\` as well, and accounts by their ids if it has \`accounts.read\`. The text is in the address of the request, which servers on its way may log; over GraphQL it is in the body.`,
      query: { input: SearchQuery, examples: { text: '4242' } },
      answers: { 200: answer('The hits.', 'SearchHits', { hits: [EXAMPLE] }) },
      handle: async (req, res, { search }) => {
        await exchangeOf(req).charge(SEARCH_UNITS);
        const hits = await search.find(callerOf(req), Object.fromEntries(queryOf(req, ['text'])));
        res.json({ hits: hits.map(contractRecord) });
      },
    }),
  },
};
