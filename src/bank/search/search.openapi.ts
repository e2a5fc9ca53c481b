import { ref } from '../../platform/input/json-schema.js';
import { answer, type Part } from '../../platform/openapi/operation.js';
import { list, record } from '../../platform/openapi/schema.js';
import { MAX_HITS, SearchHit } from './search.entity.js';
import { SearchQuery } from './search.inputs.js';
import { SEARCH } from './search.operations.js';

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

/** The search of operators. */
export const searchApi: Part = {
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
    search: {
      route: 'GET /search',
      summary: 'Find what a text names',
      description: `What a text names in the program, and whose last names begin with it, at most ${MAX_HITS} hits. It finds cards if the token has \`cards.read\` as well, and accounts by their ids if it has \`accounts.read\`. The text is in the address of the request, which servers on its way may log; over GraphQL it is in the body.`,
      of: SEARCH,
      query: { input: SearchQuery, examples: { text: '4242' }, wrong: { text: 'x'.repeat(255) } },
      answers: { 200: answer('The hits.', 'SearchHits', { hits: [EXAMPLE] }) },
    },
  },
};
