import type { Gateway } from '../../src/app/gateway.js';
import type { AccountViewer } from '../../src/bank/account/account.service.js';
import type { StatementSender } from '../../src/platform/database/transaction.js';

/** Locks accounts by one statement after another, with the statement `between` before the second. */
export async function lock(
  { container: { accounts, database } }: Gateway,
  between: string,
  viewers: readonly AccountViewer[],
  waits: boolean,
) {
  let sent = 0;
  let last: Promise<unknown> = Promise.resolve();
  const sender: StatementSender = {
    query<Row extends unknown[]>(...[statement, values]: Parameters<StatementSender['query']>) {
      const answer = last.then(async () => {
        if (sent++ === 1) await database.pool.query(between);
        return database.query<Row>(statement, values);
      });
      last = answer;
      return answer;
    },
  };
  const locked = await accounts.repository.lock(sender, viewers, waits);
  return locked.map(account => account && { accountId: account.accountId });
}
