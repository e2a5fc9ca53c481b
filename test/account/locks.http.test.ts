import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { AccountViewer } from '../../src/bank/account/account.service.js';
import { startTestGateway, type TestGateway } from '../support/gateway.js';
import type * as Inside from './locks.inside.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({});
});
afterAll(() => gateway.stop());

const lock = (between: string, viewers: readonly AccountViewer[], waits: boolean) =>
  gateway.module<typeof Inside>('test/account/locks').lock(between, viewers, waits);

test.each([true, false])(
  'who comes to own an account after the lock passed it by does not have it (waits: %s)',
  async waits => {
    const { program, account, owners } = await gateway.given.account();
    const { customer } = await gateway.given.customer({ program });
    const owner = { program, customerId: owners[0] as string, accountId: account };
    const late = { program, customerId: customer, accountId: account };
    const comes = `INSERT INTO account_owner VALUES ('${account}', '${customer}', 2)`;
    expect(await lock(comes, [owner, late], waits)).toEqual([expect.objectContaining({ accountId: account }), null]);
    expect(await lock('SELECT', [late], waits)).toEqual([expect.objectContaining({ accountId: account })]);
  },
);

test.each([true, false])(
  'who has ceased to own an account since it was locked does not have it (waits: %s)',
  async waits => {
    const { program, account, owners } = await gateway.given.account();
    const owner = { program, customerId: owners[0] as string, accountId: account };
    const goes = `DELETE FROM account_owner WHERE account_id = '${account}'`;
    expect(await lock(goes, [owner], waits)).toEqual([null]);
  },
);
