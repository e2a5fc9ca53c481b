import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newCard } from '../../../test/support/card.js';
import { startTestGateway, unique, type TestGateway } from '../../../test/support/gateway.js';
import { TestAgent } from './agents.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ environment: { MCP: 'true' } });
});
afterAll(() => gateway.stop());

interface Proposed {
  readonly status: 'WAITING' | 'DONE';
  readonly approvalId: string | null;
  readonly result: object | null;
}

/** An agent with the token of an operator, which does not say that it is one, and somebody who approves. */
async function given(approvals: object | null = { agentProposals: true }) {
  const { program, account: accountId, owners, caller } = await gateway.given.account({ balanceMinor: 100_000n });
  await gateway.given.programRecord(program, { approvals });
  const { account: toAccountId } = await gateway.given.account({ program });
  const operator = gateway.as(caller);
  const card = newCard(accountId, String(owners[0]), { status: 'Active' });
  await operator.rest.post('/cards/v1/cards', card);
  const agent = await TestAgent.connect(
    gateway,
    await gateway.caller({ program, clientId: 'assistant', subject: 'maren' }),
  );
  const approver = gateway.as(await gateway.caller({ program, subject: unique('approver') }));
  return { program, accountId, toAccountId, cardId: card.cardId, operator, agent, approver };
}

const LATER = new Date(Date.now() + 86_400_000).toISOString();

test('every writing tool proposes, a person approves, and the same call gives the result', async () => {
  const { accountId, toAccountId, cardId, agent, approver } = await given();
  const holdId = unique('hold');
  const reason = 'The customer asked for it by telephone.';
  const calls: readonly (readonly [tool: string, args: Record<string, unknown>, result: object])[] = [
    [
      'place_hold',
      { accountId, holdId, amount: '75.00', description: 'Pump 4', expiresAt: LATER },
      { placeHold: { hold: { heldAmount: '75.00' } } },
    ],
    ['release_hold', { accountId, holdId }, { releaseHold: { hold: { status: 'RELEASED' } } }],
    ['freeze_card', { accountId, cardId }, { freezeCard: { card: { status: 'FROZEN' } } }],
    [
      'create_transfer',
      { fromAccountId: accountId, toAccountId, transferId: unique('tr'), amount: '12.50', description: 'Rent' },
      { createTransfer: { transfer: { amount: '12.50', status: 'MADE' } } },
    ],
  ];
  for (const [tool, args, result] of calls) {
    const waiting = await agent.read<Proposed>(tool, { ...args, reason });
    expect([tool, waiting]).toEqual([tool, { status: 'WAITING', approvalId: expect.any(String), result: null }]);
    // An agent that calls again, for another reason, proposes nothing twice.
    expect(await agent.read<Proposed>(tool, { ...args, reason: 'Once more.' })).toEqual(waiting);
    const approved = await approver.rest.post(`/approvals/${waiting.approvalId}/approve`);
    expect(approved.body).toMatchObject({
      status: 'APPROVED',
      subject: 'maren',
      actor: 'assistant',
      statedReason: reason,
    });
    expect(await agent.read<Proposed>(tool, { ...args, reason })).toMatchObject({
      status: 'DONE',
      result,
    });
  }
  const { tools } = await agent.client.listTools();
  const hints = tools
    .filter(({ annotations }) => !annotations?.readOnlyHint)
    .map(({ name, annotations: of }) => [name, of?.destructiveHint, of?.idempotentHint]);
  expect(hints).toEqual([
    ['create_transfer', false, true],
    ['freeze_card', true, true],
    ['place_hold', false, true],
    ['release_hold', true, true],
    ['reverse_transaction', true, true],
  ]);
  await agent.close();
});

test('a further change just like an earlier one has a key of its own', async () => {
  const { accountId, cardId, agent } = await given();
  const args = { accountId, cardId, reason: 'Lost.' };
  const first = await agent.read<Proposed>('freeze_card', args);
  const second = await agent.read<Proposed>('freeze_card', { ...args, idempotencyKey: 'second' });
  expect(second.status).toBe('WAITING');
  expect(second.approvalId).not.toBe(first.approvalId);
  await agent.close();
});

test('what a person rejects is told to the agent, with the reason', async () => {
  const { accountId, cardId, agent, approver } = await given();
  const args = { accountId, cardId, reason: 'Lost.' };
  const { approvalId } = await agent.read<Proposed>('freeze_card', args);
  await approver.rest.post(`/approvals/${approvalId}/reject`, { reason: 'The card was found.' });
  expect(await agent.problems('freeze_card', args)).toMatchObject([{ code: 'approval_rejected' }]);
  expect(await agent.read('proposal_state', { approvalId })).toMatchObject({
    approval: { status: 'REJECTED', reason: { untrusted: 'The card was found.' } },
  });
  await agent.close();
});

test('agents only read where the record of the program does not let them propose', async () => {
  const { accountId, cardId, agent } = await given(null);
  expect(await agent.problems('freeze_card', { accountId, cardId, reason: 'Lost.' })).toMatchObject([
    { code: 'agents_only_read', message: expect.stringContaining('approvals.agentProposals') },
  ]);
  await agent.close();
});
