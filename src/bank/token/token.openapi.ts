import { ref } from '../../platform/input/json-schema.js';
import { answer, type Part } from '../../platform/openapi/operation.js';
import { TokenRevocation } from './token-revocation.entity.js';
import { BadRevocationInstant, MAX_REVOCATIONS } from './token.errors.js';
import { TokenRevocationInput } from './token.inputs.js';
import { READ_REVOCATIONS, REVOKE_TOKENS } from './token.operations.js';

const LIST = '/token-revocations';
const SENT = { kind: 'CLIENT', value: 'mobile-app', before: '2026-03-31T18:05:00.000Z' };

/** Access tokens that are refused before they expire. */
export const tokenRevocationApi: Part = {
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
    listTokenRevocations: {
      route: `GET ${LIST}`,
      summary: 'List token revocations',
      description: `The token revocations of the program, the newest first, page by page. A program has at most ${MAX_REVOCATIONS}.`,
      of: READ_REVOCATIONS,
      page: {
        name: 'TokenRevocationPage',
        description: 'A page of the token revocations of the program.',
        elements: ['tokenRevocations', 'The newest first.', ref('TokenRevocation')],
        next: '/token-revocations?offSet=1&limit=1',
        hasNumbers: true,
      },
    },
    revokeTokens: {
      route: `POST ${LIST}`,
      summary: 'Revoke access tokens',
      description:
        'Refuses one access token by its `jti`, or those of a client or of a subject that were issued until an instant. It is in force in every process within 2 seconds: requests get 401, and open subscriptions end. The sessions of a subject at the console end as well.',
      of: REVOKE_TOKENS,
      body: {
        description: 'The access tokens to refuse.',
        input: TokenRevocationInput,
        content: { 'application/json': { example: SENT } },
        wrong: [{ kind: 'ALL', value: 'mobile-app' }],
      },
      answers: { 200: answer('The revocation.', 'TokenRevocation') },
      refusals: () => [new BadRevocationInstant('Must not be in the future: tokens of then are not issued yet.')],
    },
  },
};
