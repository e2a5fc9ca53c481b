import { ref } from '../../platform/input/json-schema.js';
import { answer } from '../../platform/openapi/operation.js';
import { TokenRevocation } from './token-revocation.entity.js';
import { BadRevocationInstant, MAX_REVOCATIONS } from './token.errors.js';
import { TokenRevocationInput } from './token.inputs.js';
import { READ_REVOCATIONS, REVOKE_TOKENS } from './token.operations.js';
import { contractRecord } from '../../platform/http/json.js';
import type { TokenService } from './token.service.js';
import { restOver, type RestPart } from '../../platform/rest/rest.js';

const SENT = { kind: 'CLIENT', value: 'mobile-app', before: '2026-03-31T18:05:00.000Z' };

interface Services {
  readonly tokens: TokenService;
}
const rest = restOver<Services>();

/** Access tokens that are refused before they expire. */
export const tokenRest: RestPart<Services> = {
  tag: { name: 'Token revocations', description: 'Access tokens that the program refuses before they expire.' },
  records: [
    {
      of: TokenRevocation,
      limits: TokenRevocationInput,
      example: {
        kind: 'CLIENT',
        value: 'mobile-app',
        revocationId: '5a0d8a52-1f6e-4c38-9d0f-7f0f1a6c2b9e',
        latestIssuedAt: '2026-03-31T18:05:00.000Z',
        revokedAt: '2026-03-31T18:05:00.000Z',
      },
    },
  ],
  operations: {
    listTokenRevocations: rest(READ_REVOCATIONS, 'GET /token-revocations', {
      summary: 'List token revocations',
      description: `The token revocations of the program, the newest first, page by page. A program has at most ${MAX_REVOCATIONS}.`,
      page: {
        name: 'TokenRevocationPage',
        description: 'A page of the token revocations of the program.',
        elements: ['tokenRevocations', 'The newest first.', ref('TokenRevocation')],
        next: '/token-revocations?offSet=1&limit=1',
        hasNumbers: true,
      },
      run: ({ caller, page }, { tokens }) => tokens.page(caller, page),
      show: contractRecord,
    }),
    revokeTokens: rest(REVOKE_TOKENS, 'POST /token-revocations', {
      summary: 'Revoke access tokens',
      description:
        'Refuses one access token by its `jti`, or those of a client or of a subject that were issued until an instant. It is in force in every process within 2 seconds: requests get 401, and open subscriptions end. The sessions of a subject at the console end as well.',
      body: {
        description: 'The access tokens to refuse.',
        input: TokenRevocationInput,
        example: SENT,
      },
      refusals: () => [new BadRevocationInstant('Must not be in the future: tokens of then are not issued yet.')],
      run: ({ caller, body }, { tokens }) => tokens.revoke(caller, body),
      answer: answer('The revocation.', 'TokenRevocation'),
      show: contractRecord,
    }),
  },
};
