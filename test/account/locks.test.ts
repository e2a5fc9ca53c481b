import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { lockEach } from '../../src/account/account.locks.js';
import type { Asked } from '../../src/platform/command/group-work.js';
import type { Asking } from '../../src/platform/database/transaction.js';
import { Caller, SCOPES } from '../../src/shared/caller.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

/** Sends one statement after another, with `between` before the second. */
function askingWith(between: () => Promise<unknown>): Asking {
  let sent = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    query<Row extends unknown[]>(...[statement, values]: Parameters<Asking['query']>) {
      const answer = last.then(async () => {
        if (sent++ === 1) await between();
        return gateway.gateway.container.database.query<Row>(statement, values);
      });
      last = answer;
      return answer;
    },
  };
}

function askedBy(program: string, customerId: string, accountId: string): Asked {
  const caller = new Caller(
    { program, clientId: 'c', subject: 's', customerId, scopes: new Set(SCOPES) },
    'request-id',
  );
  return { caller, accountId };
}

test.each([true, false])(
  'who comes to own an account after the lock passed it by does not have it (waits: %s)',
  async waits => {
    const { program, account, owners } = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program });
    const owner = askedBy(program, owners[0] as string, account);
    const late = askedBy(program, customer, account);
    const comes = () => gateway.sql.query('INSERT INTO account_owner VALUES ($1, $2, 2)', [account, customer]);
    expect(await lockEach(askingWith(comes), [owner, late], waits)).toEqual([
      expect.objectContaining({ accountId: account }),
      null,
    ]);
    expect(
      await lockEach(
        askingWith(async () => {}),
        [late],
        waits,
      ),
    ).toEqual([expect.objectContaining({ accountId: account })]);
  },
);

test.each([true, false])(
  'who has ceased to own an account since it was locked does not have it (waits: %s)',
  async waits => {
    const { program, account, owners } = await gateway.given.account();
    const owner = askedBy(program, owners[0] as string, account);
    const goes = () => gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [account]);
    expect(await lockEach(askingWith(goes), [owner], waits)).toEqual([null]);
  },
);
