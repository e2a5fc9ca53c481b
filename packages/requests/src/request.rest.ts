import {
  MAX_PAGE_SIZE,
  answer,
  contractRecord,
  fieldNamesOf,
  list,
  pagesBehind,
  pick,
  record,
  ref,
  restOver,
  type PathParameter,
  type RestPart,
} from 'tillgate/noun';
import { ApiRequest, RequestFieldProblem, RequestProblem, type ApiRequestView } from './request.entity.js';
import { ApiRequestNotFound } from './request.errors.js';
import { ApiRequestQuery } from './request.inputs.js';
import { READ_REQUESTS } from './request.operations.js';
import type { ApiRequestService } from './request.service.js';

const ID = '7f1c9a52-3d60-4b0e-8a53-0c1f6a2e9d44';
const REQUEST_ID: PathParameter = {
  description: 'The `X-Request-Id` of the request.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: ID,
  unknown: () => new ApiRequestNotFound(),
};
const AFTER = 'MjAyNi0wMy0zMVQxODowNTowMC4wMDBaIDVkM2M4YTUyLTZmMGUtNGIxYS05YzJkLTdlOGYxYTJiM2M0ZA';
const WHO = { maxLength: 255 };
const SENTENCES = { maxLength: 1000 };
const EXAMPLE = {
  requestId: ID,
  clientId: 'back-office',
  subject: 'u-4711',
  actor: '',
  api: 'REST',
  method: 'POST',
  operation: 'POST /accounts/:accountId/close',
  rootFields: [],
  httpStatus: 404,
  keyDigest: '',
  userAgent: 'acme-core/2.4',
  clientAddress: '192.0.2.17',
};
const FIELDS = fieldNamesOf(ApiRequest);

interface Services {
  readonly apiRequests: ApiRequestService;
}
const rest = restOver<Services>();

/** The log of requests. */
export const requestRest: RestPart<Services> = {
  tag: { name: 'Requests', description: 'What clients sent, and how it ended, without any value.' },
  records: [
    {
      of: RequestFieldProblem,
      differs: { pointer: { maxLength: 1000 }, code: { maxLength: 64 }, meaning: SENTENCES },
      example: { pointer: '/amount', code: 'required', meaning: 'The field is required, and it is missing or null.' },
    },
    {
      of: RequestProblem,
      differs: { code: { maxLength: 64 }, meaning: SENTENCES, remedy: SENTENCES, fields: { maxItems: 20 } },
      example: { code: 'account_not_found', fields: [] },
    },
    {
      of: ApiRequest,
      differs: {
        requestId: { maxLength: 128 },
        clientId: WHO,
        subject: WHO,
        actor: WHO,
        method: { maxLength: 20 },
        operation: { maxLength: 255 },
        rootFields: { items: { type: 'string', maxLength: 64 }, maxItems: 100 },
        problems: { maxItems: 20 },
        keyDigest: { maxLength: 255 },
        userAgent: { maxLength: 256 },
        clientAddress: { maxLength: 64 },
      },
      example: EXAMPLE,
    },
  ],
  schemas: {
    ApiRequestPage: record('A page of requests.', {
      requests: list(ref('ApiRequest'), 'The newest first.', MAX_PAGE_SIZE),
      links: pagesBehind('requests'),
    }),
  },
  operations: {
    listRequests: rest(READ_REQUESTS, 'GET /requests', {
      summary: 'List requests',
      description:
        'The requests of the program, the newest first, page by page; with `requests.read` alone those of the own client. The log keeps writes and refused requests for some days.',
      query: {
        input: ApiRequestQuery,
        examples: { clientId: 'back-office', code: 'account_not_found', after: AFTER, limit: 25 },
      },
      run: ({ caller, cursor, query }, { apiRequests }) => {
        const { after: _, limit: __, ...filter } = query;
        return apiRequests.list(caller, cursor, filter).page();
      },
      slice: 'requests',
      answer: answer('A page of requests.', 'ApiRequestPage'),
      show: toRest,
    }),
    getRequest: rest(READ_REQUESTS, 'GET /requests/{requestId}', {
      summary: 'Get a request',
      description: 'The last request with this id.',
      path: { requestId: REQUEST_ID },
      run: ({ caller, path }, { apiRequests }) => apiRequests.get(caller, path.requestId),
      answer: answer('The request.', 'ApiRequest'),
      show: toRest,
    }),
  },
};

function toRest(request: ApiRequestView): object {
  return contractRecord(pick<ApiRequestView>(request, FIELDS));
}
