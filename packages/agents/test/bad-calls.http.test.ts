import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from '../../../test/support/gateway.js';
import { TestAgent } from './agents.js';

let gateway: TestGateway;
let agent: TestAgent;
let token: string;
let ids: { readonly accountId: string; readonly cardId: string };
beforeAll(async () => {
  gateway = await startTestGateway({ environment: { MCP: 'true' } });
  const { program, account: accountId } = await gateway.given.account();
  await gateway.given.programRecord(program, { approvals: { agentProposals: true } });
  token = await gateway.caller({ program });
  agent = await TestAgent.connect(gateway, token);
  ids = { accountId, cardId: 'card-1' };
});
afterAll(async () => {
  await agent.close();
  await gateway.stop();
});

const SECRET = 'Quill-900-00-1234';
const LATER = new Date(Date.now() + 86_400_000).toISOString();
type Args = Record<string, unknown>;

/** Calls of tools that are refused: what is wrong, the tool, its arguments, the code, and where. */
const CALLS: readonly (readonly [what: string, tool: string, args: Args, code: string, pointer?: string])[] = [
  ['no account', 'account_state', {}, 'invalid_input', '/accountId'],
  ['null for an account', 'account_state', { accountId: null }, 'invalid_input', '/accountId'],
  ['a number for an account', 'account_state', { accountId: 1.5 }, 'invalid_input', '/accountId'],
  ['an object for an account', 'account_state', { accountId: { id: SECRET } }, 'invalid_input', '/accountId'],
  ['an argument that is not known', 'account_state', { accountId: 'a', [SECRET]: 1 }, 'invalid_input'],
  ['an argument in another case', 'account_state', { AccountId: 'a' }, 'invalid_input'],
  ['a day that is none', 'account_history', { accountId: 'a', postedOnFrom: SECRET }, 'invalid_input', '/postedOnFrom'],
  ['an amount with a comma', 'account_history', { accountId: 'a', minAmount: '1,5' }, 'invalid_input', '/minAmount'],
  [
    'a direction that is none',
    'account_history',
    { accountId: 'a', directions: [SECRET] },
    'invalid_input',
    '/directions/0',
  ],
  ['a page of less than nothing', 'list_accounts', { first: -1 }, 'rule_broken', '/first'],
  ['a page of no elements', 'list_accounts', { first: 0 }, 'rule_broken', '/first'],
  ['a page of a text', 'list_accounts', { first: SECRET }, 'invalid_input', '/first'],
  ['a cursor that is none', 'list_accounts', { after: SECRET }, 'rule_broken', '/after'],
  ['a status that is none', 'list_accounts', { statuses: ['open'] }, 'invalid_input', '/statuses/0'],
  ['a search for nothing', 'find_account', { text: '' }, 'rule_broken', '/text'],
  ['a search that is too long', 'find_account', { text: 'x'.repeat(255) }, 'rule_broken', '/text'],
  [
    'an instant without a zone',
    'who_changed',
    { occurredFrom: '2026-03-31T10:00:00' },
    'invalid_input',
    '/occurredFrom',
  ],
  ['an outcome that is none', 'who_changed', { outcome: SECRET }, 'invalid_input', '/outcome'],
  ['a year that is a text', 'tax_duties', { taxYear: SECRET }, 'invalid_input', '/taxYear'],
  ['a proposal without a reason', 'freeze_card', { accountId: '$account', cardId: 'c' }, 'invalid_input'],
  [
    'a reason with a control character',
    'freeze_card',
    { accountId: '$account', cardId: 'c', reason: 'Lost\u0000' },
    'invalid_input',
  ],
  ['a reason of spaces', 'freeze_card', { accountId: '$account', cardId: 'c', reason: '  ' }, 'invalid_input'],
  [
    'a reason that is too long',
    'freeze_card',
    { accountId: '$account', cardId: 'c', reason: 'x'.repeat(201) },
    'invalid_input',
  ],
  [
    'a key with a space',
    'freeze_card',
    { accountId: '$account', cardId: 'c', reason: 'Lost', idempotencyKey: 'a b' },
    'invalid_input',
  ],
  [
    'a card that is not there',
    'freeze_card',
    { accountId: '$account', cardId: 'none', reason: 'Lost' },
    'card_not_found',
  ],
  [
    'an account that is not there',
    'freeze_card',
    { accountId: 'none', cardId: 'c', reason: 'Lost' },
    'account_not_found',
  ],
  [
    'a hold of a negative amount',
    'place_hold',
    { accountId: '$account', holdId: 'h', amount: '-1', description: 'd', expiresAt: LATER, reason: 'r' },
    'rule_broken',
  ],
  [
    'a hold that is not there',
    'release_hold',
    { accountId: '$account', holdId: 'none', reason: 'r' },
    'hold_not_found',
  ],
  [
    'a transaction that is not there',
    'reverse_transaction',
    { accountId: '$account', transactionId: 'none', reversalReason: 'r', reason: 'r' },
    'transaction_not_found',
  ],
  [
    'a transfer to the same account',
    'create_transfer',
    { fromAccountId: '$account', toAccountId: '$account', transferId: 't', amount: '1.00', reason: 'r' },
    'same_account',
  ],
];

test.each(CALLS)('%s is refused by %s, with its code and place', async (...[, tool, args, code, pointer]) => {
  const filled = Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, value === '$account' ? ids.accountId : value]),
  );
  const problems = await agent.problems(tool, filled);
  const [problem] = problems;
  expect([problem?.code, problem?.message]).toEqual([code, expect.stringMatching(/^[A-Z].*\.$/)]);
  if (pointer !== undefined) expect(problem?.errors?.map(error => error.pointer)).toEqual([pointer]);
  expect(JSON.stringify(problems)).not.toContain(SECRET);
});

describe('a request that is no call', () => {
  const send = (body: string, headers: Record<string, string> = {}, method = 'POST') =>
    fetch(`${gateway.url}/mcp`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      ...(method === 'POST' && { body }),
    });

  test.each([
    ['no JSON', '{', {}, 400, 'The body must be JSON in UTF-8.'],
    ['a name twice', '{"id":1,"id":2}', {}, 400, 'twice'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"tools/list"}]', {}, 400, 'Batches are not served.'],
    ['another type', 'x', { 'content-type': 'text/plain' }, 415, 'application/json'],
    ['a body that is too large', `"${'x'.repeat(1_100_000)}"`, {}, 413, 'larger'],
    [
      'a subscription',
      '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}',
      {},
      404,
      'Nothing can be listened to',
    ],
    ['a method that is not known', '{"jsonrpc":"2.0","id":1,"method":"no/such"}', {}, 200, 'Method not found'],
    [
      'a tool that is not known',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}',
      {},
      200,
      'No tool has this name.',
    ],
    ['a token that is none', '{}', { authorization: 'Bearer none' }, 401, 'access token'],
  ] as const)('%s gets a clear answer', async (_what, body, headers, status, text) => {
    const answer = await send(body, headers);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(text)]);
  });

  test.each(['GET', 'DELETE'])('%s is not served, since there are no sessions', async method => {
    const answer = await send('', {}, method);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
  });
});
