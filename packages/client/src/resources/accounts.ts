import type { Filters, Rest } from '../rest.js';
import type {
  AccountPatchRecord,
  DailyBalance,
  DepositTransaction,
  NewAccountRecord,
  ReasonInput,
  Account,
  OptionalReasonInput,
} from '../generated/rest.js';
import type { Listing } from '../listing.js';
import type { CallOptions, WriteOptions } from '../transport.js';

export class Accounts {
  constructor(private readonly rest: Rest) {}

  get(accountId: string, options?: CallOptions): Promise<Account> {
    return this.rest.call('GET /accounts/{accountId}', { path: { accountId }, ...options });
  }

  open(account: NewAccountRecord, options?: WriteOptions): Promise<Account> {
    return this.rest.call('POST /accounts', { body: account, ...options });
  }

  update(accountId: string, patch: AccountPatchRecord, options?: WriteOptions): Promise<Account> {
    return this.rest.call('PATCH /accounts/{accountId}', { path: { accountId }, body: patch, ...options });
  }

  restrict(accountId: string, reason: ReasonInput, options?: WriteOptions): Promise<Account> {
    return this.rest.call('POST /accounts/{accountId}/restrict', { path: { accountId }, body: reason, ...options });
  }

  unrestrict(accountId: string, reason: OptionalReasonInput = {}, options?: WriteOptions): Promise<Account> {
    return this.rest.call('POST /accounts/{accountId}/unrestrict', { path: { accountId }, body: reason, ...options });
  }

  close(accountId: string, reason: ReasonInput, options?: WriteOptions): Promise<Account> {
    return this.rest.call('POST /accounts/{accountId}/close', { path: { accountId }, body: reason, ...options });
  }

  /** The history, the newest transactions first. New postings do not shift it while it is read. */
  transactions(
    accountId: string,
    filters?: Filters<'GET /accounts/{accountId}/transactions'>,
    options?: CallOptions,
  ): Listing<DepositTransaction> {
    const call = { path: { accountId }, query: { ...filters }, ...options };
    return this.rest.list('GET /accounts/{accountId}/transactions', call, ({ transactions }) =>
      transactions.map(({ depositTransaction }) => depositTransaction),
    );
  }

  /** The balance at the end of each day. */
  async balances(
    accountId: string,
    days: { readonly from: string; readonly to: string },
    options?: CallOptions,
  ): Promise<readonly DailyBalance[]> {
    const call = { path: { accountId }, query: days, ...options };
    return (await this.rest.call('GET /accounts/{accountId}/balances', call)).balances;
  }
}
