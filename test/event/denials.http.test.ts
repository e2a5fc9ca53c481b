import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { keyed, startTestGateway, unique, type TestGateway } from '../support/gateway.js';
import { newCard } from '../support/card.js';
import { leastBeneficiary, type GivenAccount } from '../support/given.js';
import { StatementWatch } from '../support/statement-watch.js';
import { until } from '../support/until.js';
import { valueOf } from '../platform/metrics/reading.js';

interface DenialRow {
  readonly account_id: string | null;
  readonly action: string;
  readonly occurred_at: Date;
  readonly program: string;
}

async function denied(gateway: TestGateway, action?: string): Promise<DenialRow[]> {
  const { rows } = await gateway.sql.query<DenialRow>(
    `SELECT program, action, account_id, occurred_at FROM event WHERE outcome = 'DENIED' AND ($1::text IS NULL OR action = $1) ORDER BY id`,
    [action ?? null],
  );
  return rows;
}

test('each account that a request names and its caller does not see is an attempt on its program', async () => {
  const gateway = await startTestGateway({});
  try {
    const own = await gateway.given.account();
    const operator = gateway.as(own.caller);
    const customerId = own.owners[0] as string;
    const customer = gateway.as(await gateway.caller({ program: own.program, customerId }));
    const second = await gateway.given.account({ program: own.program, owners: own.owners });
    const transferTo = (toAccountId: string) => ({
      fromAccountId: own.account,
      toAccountId,
      transferId: unique('tr'),
      amount: 1,
    });
    const lines = (account: string) => `${JSON.stringify(transferTo(account))}\n`;
    const importing =
      'mutation ($l: String!) { importRecords(input: { kind: TRANSFERS, lines: $l }) { result { written: writtenCount } } }';
    const by: Record<string, (account: string) => Promise<unknown>> = {
      'transfer.make': async account => {
        await operator.rest.post('/transfers', transferTo(account));
        await customer.rest.post('/transfers', transferTo(account));
      },
      'transfer.make_several': async account => {
        const transfers = [transferTo(second.account), transferTo(account)];
        await operator.rest.post('/transfers/batch', { transfers });
        await customer.rest.post('/transfers/batch', { transfers });
      },
      'import.records': account => operator.graphql(importing, { l: lines(account) }),
      'webhook_endpoint.create': account =>
        operator.rest.post('/webhook-endpoints', { url: 'https://h.example/', accountIds: [own.account, account] }),
    };
    for (const customersTo of ['OWN', 'PROGRAM']) {
      await gateway.given.programRecord(own.program, { transfers: { customersTo } });
      for (const [action, attempt] of Object.entries(by)) {
        const other = await gateway.given.account();
        await attempt(other.account);
        await gateway.recorded();
        const { rows } = await gateway.sql.query(
          `SELECT program, account_id FROM event WHERE outcome = 'DENIED' AND program IN ($1, $2)`,
          [own.program, other.program],
        );
        const told = new Set(rows.map(row => `${row.program} ${row.account_id}`));
        expect([action, told]).toEqual([action, new Set([`${other.program} ${other.account}`])]);
      }
    }
  } finally {
    await gateway.stop();
  }
});

const unrecorded = async (gateway: TestGateway): Promise<number> =>
  valueOf((await gateway.as(null).rest.get('/metrics')).text, 'tillgate_denials_unrecorded_total');

describe('what is denied is recorded beside the answer:', () => {
  let gateway: TestGateway;
  let watch: StatementWatch;
  let of: GivenAccount;
  let stranger: string;
  beforeAll(async () => {
    gateway = await startTestGateway({ environment: { REQUEST_LOG: 'off' } }, async url => {
      watch = await StatementWatch.start(url);
      return watch.url;
    });
    of = await gateway.given.account();
    stranger = await gateway.caller({ program: gateway.given.program(), clientId: 'stranger' });
  });
  afterAll(async () => {
    await gateway.stop();
    await watch.stop();
  });

  const add =
    'mutation ($a: ID!, $i: BeneficiaryInput!) { addBeneficiary(input: { accountId: $a, beneficiary: $i }) { beneficiary { beneficiaryId } } }';
  const freeze = 'mutation ($a: ID!) { freezeCard(input: { accountId: $a, cardId: "c-1" }) { card { cardId } } }';
  const WRITES: Record<string, (account: string, headers: Record<string, string>) => Promise<{ text: string }>> = {
    'adding a beneficiary': (account, headers) =>
      gateway.as(stranger).rest.post(`/accounts/${account}/beneficiaries`, leastBeneficiary(), headers),
    'adding a beneficiary by GraphQL': (a, headers) =>
      gateway.as(stranger).graphql(add, { a, i: leastBeneficiary() }, { headers }),
    'adding owners': (account, headers) =>
      gateway
        .as(stranger)
        .rest.post(`/accounts/${account}/owners/add`, { holders: [{ customerId: of.owners[0] }] }, headers),
    'making a card': (account, headers) =>
      gateway.as(stranger).rest.post('/cards/v1/cards', newCard(account, of.owners[0] as string), headers),
    'freezing a card by GraphQL': (a, headers) => gateway.as(stranger).graphql(freeze, { a }, { headers }),
  };

  /** What the gateway does now and then by itself: old keys go, holds and approvals end, plans are renewed. */
  const ITS_OWN = ['idempotency_key_sweep', 'holds_due', 'approvals_expiring', 'plans_forget'];
  // On Citus a name has the form of the statement behind it.
  const isOfRequest = (statement: string): boolean => !ITS_OWN.includes(statement.replace(/\/.*/, ''));

  test.each(Object.keys(WRITES))(
    '%s sends the same statements before the answer, whether the account is of somebody else or of nobody',
    async name => {
      const write = WRITES[name] as (typeof WRITES)[string];
      const statementsOf = async (account: string, withKey: boolean): Promise<string[]> => {
        watch.take();
        await write(account, withKey ? keyed(unique('key')) : {});
        // MikroORM writes values into the text.
        const statements = watch
          .take()
          .map(statement => statement.replace(/'[^']*'/g, '?'))
          .filter(isOfRequest);
        // What is recorded now must not be taken for a part of the next answer.
        await gateway.recorded();
        return statements;
      };
      for (const withKey of [false, true]) {
        const nobodys = unique('acc');
        // A connection learns a statement by its first use.
        await statementsOf(nobodys, withKey);
        const [absent, foreign] = [await statementsOf(nobodys, withKey), await statementsOf(of.account, withKey)];
        expect(absent.length).toBeGreaterThan(0);
        expect(foreign).toEqual(absent);
      }
    },
  );

  test('no answer waits for the record, which has the instant of the attempt', async () => {
    // The record begins by asking whose account it is.
    const unlock = await gateway.lockTable('account');
    const prying = await gateway.caller({ program: of.program, scopes: ['accounts.read'] });
    const { status } = await gateway.as(prying).rest.patch(`/accounts/${of.account}/beneficiaries/x`, {});
    expect(status).toBe(403);
    await gateway.waiting();
    const released = Date.now();
    await unlock();
    await gateway.recorded();
    const [only, ...others] = await denied(gateway, 'beneficiary.update');
    expect([only?.account_id, others]).toEqual([of.account, []]);
    expect(only?.occurred_at.getTime()).toBeLessThan(released);
  });
});

describe('what is denied', () => {
  let gateway: TestGateway;
  beforeEach(async () => {
    gateway = await startTestGateway({});
  });
  afterEach(() => gateway.stop());

  async function deny(count: number, of: GivenAccount): Promise<void> {
    const prying = gateway.as(await gateway.caller({ program: of.program, scopes: ['accounts.read'] })).rest;
    const asked = Array.from({ length: count }, () => prying.post(`/accounts/${of.account}/beneficiaries`, {}));
    for (const { status } of await Promise.all(asked)) expect(status).toBe(403);
  }

  test('is on record when the gateway has stopped, be it right after the answer', async () => {
    const of = await gateway.given.account();
    await deny(20, of);
    await gateway.stopServing();
    expect(await denied(gateway)).toHaveLength(20);
  });

  test('is recorded when the database can do it again', async () => {
    const of = await gateway.given.account();
    const keeper = await gateway.sql.connect();
    await keeper.query('BEGIN');
    await keeper.query('LOCK TABLE event IN ACCESS EXCLUSIVE MODE');
    await deny(3, of);
    // The first attempt to record them ends with the server's limit for waiting, and others follow.
    await gateway.end(await gateway.waiting(), 'cancel');
    await until(async () => (await gateway.waiting()).length > 0);
    await keeper.query('COMMIT');
    keeper.release();
    await gateway.recorded();
    expect(await denied(gateway)).toHaveLength(3);
    expect(await unrecorded(gateway)).toBe(0);
  });

  test('and cannot be recorded is counted and told in the log', async () => {
    const of = await gateway.given.account();
    await gateway.sql.query(`ALTER TABLE denied_attempt ADD CONSTRAINT nothing CHECK (false)`);
    await deny(3, of);
    await gateway.recorded();
    expect(await unrecorded(gateway)).toBe(3);
    expect(gateway.log.filter(line => line.includes('denied attempts could not be recorded'))).toHaveLength(1);
  });

  test('comes in chains without gaps, though two gateways record in the same programs at the same time', async () => {
    const other = await startTestGateway({ databaseUrl: gateway.databaseUrl });
    const accounts = await Promise.all([1, 2, 3].map(() => gateway.given.account()));
    await Promise.all(
      [gateway, other].flatMap(at =>
        accounts.map(async of => {
          const token = await at.caller({ program: of.program, scopes: [], subject: unique('subject') });
          for (let n = 0; n < 10; n++) await at.as(token).rest.delete(`/accounts/${of.account}/beneficiaries/x`);
        }),
      ),
    );
    await gateway.recorded();
    await other.recorded();
    await other.stop();
    const { rows } = await gateway.sql.query(
      `SELECT count(*)::int AS events, max(denied_seq)::int AS last FROM event WHERE outcome = 'DENIED' GROUP BY program`,
    );
    expect(rows).toEqual(accounts.map(() => ({ events: 20, last: 20 })));
  });
});
