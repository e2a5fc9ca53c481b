import type { EventType, FactsByName } from '../../platform/feed/event-types.js';
import { oneOf, text, value } from '../../platform/openapi/schema.js';
import { TokenRevocationKind, type TokenRevocationView } from './token-revocation.entity.js';

/** Makes the facts of the events of revocations. */
export function revocationFacts({ kind, value: revoked, latestIssuedAt }: TokenRevocationView): FactsByName {
  return { kind, value: revoked, ...(latestIssuedAt !== null && { latestIssuedAt }) };
}

export const TOKEN_EVENTS: readonly EventType[] = [
  {
    type: 'tokens.revoked',
    action: 'token.revoke',
    description: 'Access tokens were revoked.',
    scope: 'operations.read',
    isOfProgram: true,
    id: 'revocationId',
    facts: {
      kind: oneOf(Object.keys(TokenRevocationKind), 'The kind of the tokens that were revoked.'),
      value: text('The `jti`, the client or the subject.', { maxLength: 255 }),
      latestIssuedAt: value('DateTimeISO', 'Tokens that were issued later are accepted; absent for TOKEN.'),
    },
    optional: ['latestIssuedAt'],
    example: {
      revocationId: '5a0d8a52-1f6e-4c38-9d0f-7f0f1a6c2b9e',
      kind: 'CLIENT',
      value: 'mobile-app',
      latestIssuedAt: '2026-03-31T18:05:00.000Z',
    },
  },
];
