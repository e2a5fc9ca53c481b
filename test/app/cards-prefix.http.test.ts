import { afterAll, expect, test } from '@jest/globals';
import { startTestGateway } from '../support/gateway.js';
import type * as Inside from './cards-prefix.inside.js';

const gateway = await startTestGateway();
afterAll(() => gateway.stop());

const inside = gateway.module<typeof Inside>('test/app/cards-prefix');
const others = ['graphql', 'graphiql', 'docs', 'problems', 'console', 'Customers', 'GraphQL'];
const taken = [...new Set([...(await inside.segments()), ...others])].filter(segment => segment !== 'cards');

test.each(taken)('the paths of cards cannot begin with %s, as other paths do', async prefix => {
  await expect(inside.prefixOf(prefix)).rejects.toThrow(
    /^CARDS_PREFIX must not begin another path of the gateway \(\.well-known, accounts, .*\)\. Set another one\.$/,
  );
});

test.each(['cards', 'card', 'accounts-of-cards', 'card-issuing'])(
  'the paths of cards can begin with %s',
  async prefix => {
    expect(await inside.prefixOf(prefix)).toBe(prefix);
  },
);
