import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import type { GivenAccount } from '../support/given.js';
import { make, pairOf, transferOf } from './support/transfers.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Two accounts of a customer, the first with 1,000.00, of a program in which transfers above 100 dollars wait. */
async function given(transfersAbove = '100.00') {
  const { program, caller, from } = await pairOf(gateway);
  await gateway.given.programRecord(program, {
    checkFunds: true,
    approvals: { transfersAbove: [{ currency: 'USD', amount: transfersAbove }] },
  });
  const own = await gateway.given.account({ program, owners: from.owners });
  const customer = await gateway.caller({ program, customerId: from.owners[0] as string });
  const approver = await gateway.caller({ program, clientId: 'another', subject: 'another' });
  return { program, caller, from, own, customer, approver };
}

async function balances({
  account,
  caller,
}: GivenAccount): Promise<{ posted: string; available: string; held: string }> {
  const query = 'query ($a: ID!) { account(accountId: $a) { balances { posted available held } } }';
  return (await gateway.as(caller).graphql(query, { a: account })).data.account.balances;
}

/** Asks for a transfer that waits, and gives the id of its approval. */
async function waits(caller: string, from: GivenAccount, to: GivenAccount, amount: number): Promise<string> {
  const { status, body } = await gateway
    .as(caller)
    .rest.post('/transfers', { ...transferOf({ from, to }), amount }, keyed(unique('key')));
  expect([status, body.status]).toEqual([202, 'WAITING']);
  return body.approvalId;
}

const decide = (approver: string, id: string, verdict: 'approve' | 'reject') =>
  gateway.as(approver).rest.post(`/approvals/${id}/${verdict}`, verdict === 'reject' ? { reason: 'No.' } : undefined);

async function expire(id: string): Promise<void> {
  await gateway.sql.query('UPDATE approval SET expires_at = now() WHERE approval_id = $1', [id]);
  await gateway.expireApprovals();
}

describe.each(['customer', 'caller'] as const)('of a %s', who => {
  test('a transfer that waits keeps its money back, and nothing else can spend it', async () => {
    const { from, own, [who]: caller } = await given();
    await waits(caller, from, own, 800);
    expect(await balances(from)).toEqual({ posted: '1000.00', available: '200.00', held: '800.00' });
    for (const amount of ['200.01', '1000']) {
      const more = await make(gateway, 'REST', caller, transferOf({ from, to: own }, { amount }), {
        headers: keyed(unique('key')),
      });
      expect(more.code).toBe('insufficient_funds');
    }
    expect((await make(gateway, 'REST', caller, transferOf({ from, to: own }, { amount: '100' }))).code).toBeNull();
    expect(await balances(from)).toEqual({ posted: '900.00', available: '100.00', held: '800.00' });
  });

  test.each([
    ['approved', { posted: '200.00', available: '200.00', held: '0.00' }],
    ['rejected', { posted: '1000.00', available: '1000.00', held: '0.00' }],
    ['expired', { posted: '1000.00', available: '1000.00', held: '0.00' }],
    ['approved when it is no longer possible', { posted: '1000.00', available: '1000.00', held: '0.00' }],
  ])('once it is %s, nothing is kept back', async (how, expected) => {
    const { from, own, approver, [who]: caller } = await given();
    const id = await waits(caller, from, own, 800);
    if (how.endsWith('possible')) {
      await gateway.as(from.caller).rest.post(`/accounts/${from.account}/restrict`, { reason: 'Court order' });
    }
    if (how === 'expired') await expire(id);
    else await decide(approver, id, how === 'rejected' ? 'reject' : 'approve');
    expect(await balances(from)).toEqual(expected);
  });
});

test('what waits keeps an account open, and a dry run keeps nothing back', async () => {
  const { from, own, caller, approver } = await given();
  const dry = await gateway
    .as(caller)
    .rest.post('/transfers?dryRun=true', { ...transferOf({ from, to: own }), amount: 800 });
  expect(dry.status).toBe(202);
  expect((await balances(from)).held).toBe('0.00');
  const id = await waits(caller, from, own, 1000);
  const closing = await gateway.as(caller).rest.post(`/accounts/${from.account}/close`, { reason: 'Moved.' });
  expect(closing.body.code).toBe('account_not_empty');
  await gateway.sql.query('UPDATE account SET balance_minor = 0 WHERE account_id = $1', [from.account]);
  const again = await gateway.as(caller).rest.post(`/accounts/${from.account}/close`, { reason: 'Moved.' });
  expect(again.body.code).toBe('account_has_holds');
  await decide(approver, id, 'reject');
  expect((await gateway.as(caller).rest.post(`/accounts/${from.account}/close`, { reason: 'Moved.' })).status).toBe(
    200,
  );
});

describe('places for what waits', () => {
  /** Lets as many approvals wait as those of a customer or of the program, without their requests. */
  async function fill(program: string, count: number, { client, customer }: { client: string; customer: boolean }) {
    await gateway.sql.query(
      `INSERT INTO approval (approval_id, program, status, command, facts, client_id, subject, request_id, requested_at, expires_at,
        key_hash, sealed, customer_id)
      SELECT gen_random_uuid(), $1, 'WAITING', 'transfer.make', '{}', $2, 's', 'r', now(), now() + interval '1 day', '\\x00', '\\x00',
        CASE WHEN $3 THEN gen_random_uuid() END FROM generate_series(1, $4::int)`,
      [program, client, customer, count],
    );
  }
  const ask = (caller: string, of: { from: GivenAccount; own: GivenAccount }) =>
    make(gateway, 'REST', caller, transferOf({ from: of.from, to: of.own }, { amount: '1' }), {
      headers: keyed(unique('key')),
    });

  test('one customer has a few, and leaves all others to the program', async () => {
    const of = await given('0');
    for (let n = 0; n < 20; n++) await waits(of.customer, of.from, of.own, 1);
    const refused = await ask(of.customer, of);
    expect([refused.code, refused.message]).toEqual([
      'too_many_approvals',
      expect.stringContaining('of this customer'),
    ]);
    expect((await ask(of.caller, of)).status).toBe(202);
  });

  test('customers together leave places for operators, also through the same client', async () => {
    const of = await given('0');
    const client = await gateway.caller({ program: of.program, clientId: 'app' });
    const customer = await gateway.caller({
      program: of.program,
      clientId: 'app',
      customerId: of.from.owners[0] as string,
    });
    await fill(of.program, 500, { client: 'app', customer: true });
    expect((await ask(customer, of)).message).toContain('of this client');
    expect((await ask(of.customer, of)).status).toBe(202);
    await fill(of.program, 199, { client: 'web', customer: true });
    expect((await ask(of.customer, of)).message).toContain('of this program');
    expect((await ask(client, of)).status).toBe(202);
  });

  test('one client of operators leaves places for others', async () => {
    const of = await given('0');
    const busy = await gateway.caller({ program: of.program, clientId: 'busy' });
    await fill(of.program, 500, { client: 'busy', customer: false });
    expect((await ask(busy, of)).message).toContain('of this client');
    expect((await ask(of.caller, of)).status).toBe(202);
    await fill(of.program, 499, { client: 'others', customer: false });
    expect((await ask(of.caller, of)).message).toContain('of this program');
  });
});

test('whatever waits, is decided, moved and held at once: what is held is what waits and what holds keep, to the cent', async () => {
  const { program, caller, customer, approver, from, own } = await given();
  const accounts = [from, own];
  const waiting: string[] = [];
  const wrong = `SELECT a.account_id, a.held_minor, h.sum AS holds, w.sum AS waits FROM account a
      CROSS JOIN LATERAL (SELECT coalesce(sum(h.amount_minor - h.captured_minor), 0) AS sum FROM hold h
        WHERE h.account_id = a.account_id AND h.status = 'ACTIVE') h
      CROSS JOIN LATERAL (SELECT coalesce(sum(p.kept_back_minor), 0) AS sum FROM approval p
        WHERE p.account_id = a.account_id AND p.status = 'WAITING') w
    WHERE a.program = $1 AND (a.held_minor <> h.sum + w.sum OR a.balance_minor - a.held_minor < 0)`;
  const once = async (): Promise<void> => {
    const [source, target] = randomInt(2) ? [from, own] : [own, from];
    const amount = randomInt(1, 30_000) / 100;
    const kind = randomInt(6);
    if (kind < 3) {
      const input = { ...transferOf({ from: source, to: target }), amount };
      const who = randomInt(2) ? customer : caller;
      const { status, body } = await gateway.as(who).rest.post('/transfers', input, keyed(unique('key')));
      expect([201, 202, 422, 409]).toContain(status);
      if (status === 202) waiting.push(body.approvalId);
    } else if (kind === 3) {
      const hold = { holdId: unique('hold'), amount, description: 'Shop', expiresAt: '2999-01-01T00:00:00.000Z' };
      await gateway.as(caller).rest.post(`/accounts/${source.account}/holds`, hold);
      await gateway
        .as(caller)
        .rest.post(`/accounts/${source.account}/holds/${hold.holdId}/${randomInt(2) ? 'release' : 'capture'}`, {});
    } else {
      const id = waiting.splice(randomInt(waiting.length + 1), 1)[0];
      if (id) await decide(approver, id, randomInt(2) ? 'approve' : 'reject');
    }
  };
  for (let round = 0; round < 20; round++) {
    await Promise.all(Array.from({ length: 8 }, once));
    expect((await gateway.sql.query(wrong, [program])).rows).toEqual([]);
  }
  for (const id of waiting.splice(0)) await expire(id);
  expect((await gateway.sql.query(wrong, [program])).rows).toEqual([]);
  const sums = await Promise.all(accounts.map(balances));
  expect(sums.map(({ held }) => held)).toEqual(['0.00', '0.00']);
});
