import { ACCOUNT_ID } from '../../account/account.rest.js';
import { exactNumber } from '../../../platform/http/json.js';
import { ref, type JsonSchema } from '../../../platform/input/json-schema.js';
import { answer } from '../../../platform/openapi/operation.js';
import type { RestRecord } from '../../../platform/openapi/record-schema.js';
import { list, record, value } from '../../../platform/openapi/schema.js';
import { restOver } from '../../../platform/rest/rest.js';
import { BalanceQuery, MAX_DAYS } from './balance.inputs.js';
import type { BalanceService } from './balance.service.js';
import { DailyBalance } from './daily-balance.entity.js';
import { READ_TRANSACTIONS } from '../transaction.operations.js';

export const balanceRecords: readonly RestRecord[] = [
  { of: DailyBalance, omit: ['currency'], example: { date: '2025-12-28', balance: exactNumber('15721.99') } },
];

export const balanceSchemas: Readonly<Record<string, JsonSchema>> = {
  DailyBalances: record('The balances of an account at the end of days.', {
    accountId: value('ID', "The bank's own id of the account."),
    currency: value('Currency', 'The currency of the account.'),
    balances: list(ref('DailyBalance'), 'One of each day, the first day first.', MAX_DAYS),
  }),
};

export interface BalanceServices {
  readonly balances: BalanceService;
}
const rest = restOver<BalanceServices>();

export const balanceOperations = {
  listBalances: rest(READ_TRANSACTIONS, 'GET /accounts/{accountId}/balances', {
    summary: 'List daily balances',
    description: `The posted balance at the end of each day from \`from\` to \`to\`, at most ${MAX_DAYS} days, in the account's time zone: of what was posted up to then, whenever it was sent. What is sent later with an earlier time of posting changes it.`,
    path: { accountId: ACCOUNT_ID },
    query: {
      input: BalanceQuery,
      examples: { from: '2025-12-28', to: '2025-12-28' },
    },
    run: ({ caller, path, query: { from, to } }, { balances }) => balances.ofAccount(caller, path.accountId, from, to),
    answer: answer('The balances.', 'DailyBalances', {
      accountId: 'demo-1001',
      currency: 'USD',
      balances: [{ date: '2025-12-28', balance: exactNumber('15721.99') }],
    }),
    show: ({ account: { accountId, currency }, days }) => ({
      accountId,
      currency,
      balances: days.map(({ date, balance }) => ({ date, balance: exactNumber(balance) })),
    }),
  }),
};
