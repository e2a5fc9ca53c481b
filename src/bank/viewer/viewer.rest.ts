import { answer } from '../../platform/openapi/operation.js';
import type { Scope } from '../../shared/caller.js';
import { Viewer } from './viewer.entity.js';
import { READ_VIEWER } from './viewer.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import type { ViewerService } from './viewer.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

/** The limit of what a token names, which is no longer, and neither is the name of a program. */
const NAMED = { maxLength: 255 };

interface Services {
  readonly viewers: ViewerService;
}
const rest = restOver<Services>();

/** Serves whom a token speaks for, by the scopes that tokens can have. */
export const viewerRest = (scopes: readonly Scope[]): RestPart<Services> => ({
  tag: { name: 'Viewer', description: 'Whom the access token of a request speaks for, and what it allows.' },
  records: [
    {
      of: Viewer,
      differs: {
        subject: NAMED,
        clientId: NAMED,
        programName: NAMED,
        scopes: {
          items: {
            type: 'string',
            enum: scopes,
          },
          maxItems: scopes.length,
        },
      },
      example: {
        subject: 'u-4711',
        clientId: 'harborlight-core',
        programId: 'demo',
        programName: 'Harborlight',
        customerId: '',
        scopes: ['accounts.read'],
      },
    },
  ],
  operations: {
    getViewer: rest(READ_VIEWER, 'GET /viewer', {
      summary: 'Get the viewer',
      description: 'Whom the access token of the request speaks for, and what it allows. Needs no scope.',
      run: ({ caller }, { viewers }) => viewers.of(caller),
      answer: answer('The viewer.', 'Viewer'),
      show: contractRecord,
    }),
  },
});
