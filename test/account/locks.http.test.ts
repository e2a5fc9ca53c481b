import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccountViewer } from '../../src/bank/account/account.service.js';
import type { StatementSender } from '../../src/platform/database/transaction.js';
import { startGatewayInside, type GatewayInThisProcess } from '../support/gateway-inside.js';

let gateway: GatewayInThisProcess;
beforeAll(async () => {
  gateway = await startGatewayInside();
});
afterAll(() => gateway.stop());

/** Sends one statement after another, with `between` before the second. */
function askingWith(between: () => Promise<unknown>): StatementSender {
  let sent = 0;
  let last: Promise<unknown> = Promise.resolve();
  return {
    query<Row extends unknown[]>(...[statement, values]: Parameters<StatementSender['query']>) {
      const answer = last.then(async () => {
        if (sent++ === 1) await between();
        return gateway.gateway.container.database.query<Row>(statement, values);
      });
      last = answer;
      return answer;
    },
  };
}

const lock = (asking: StatementSender, viewers: readonly AccountViewer[], waits: boolean) =>
  gateway.gateway.container.accounts.repository.lock(asking, viewers, waits);

test.each([true, false])(
  'who comes to own an account after the lock passed it by does not have it (waits: %s)',
  async waits => {
    const { program, account, owners } = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program });
    const owner = { program, customerId: owners[0] as string, accountId: account };
    const late = { program, customerId: customer, accountId: account };
    const comes = () => gateway.sql.query('INSERT INTO account_owner VALUES ($1, $2, 2)', [account, customer]);
    expect(await lock(askingWith(comes), [owner, late], waits)).toEqual([
      expect.objectContaining({ accountId: account }),
      null,
    ]);
    expect(
      await lock(
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
    const owner = { program, customerId: owners[0] as string, accountId: account };
    const goes = () => gateway.sql.query('DELETE FROM account_owner WHERE account_id = $1', [account]);
    expect(await lock(askingWith(goes), [owner], waits)).toEqual([null]);
  },
);
