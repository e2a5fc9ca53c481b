import type { OutgoingHttpHeaders } from 'node:http';
import assert from 'node:assert/strict';
import { pointerWithin, restCode, type GraphqlError } from '../../support/answers.js';
import { unique, type Answer, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { entry, post } from '../../transaction/support/ledger.js';

export const TRANSFER = `transferId fromAccountId toAccountId amount currency status description memo reference madeAt reversedAt
  fromTransactionId toTransactionId`;
const ROW = `transactionId referenceTransactionId reference amount availableBalance: balanceAfter debitCreditMemo: direction category transactionType status
  description memo postedTimestamp: postedAt`;

const MAKE = `mutation ($input: TransferInput!, $dryRun: Boolean!) { transfer: createTransfer(input: { transfer: $input, dryRun: $dryRun }) { transfer { ${TRANSFER} } } }`;
const SEEN = `query ($a: ID!) { account(accountId: $a) { availableBalance
  transfers(first: 100) { totalCount nodes { ${TRANSFER} } } transactions(first: 100) { nodes { ${ROW} } } } }`;

export interface Transfer {
  readonly transferId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly amount: string;
  readonly status: string;
  readonly madeAt: string;
  readonly reversedAt: string | null;
}

/** What mutations of one transfer give. */
export interface TransferPayload {
  readonly transfer: Transfer;
}

export type Row = Readonly<Record<string, string | null>>;

export interface SeenAccount {
  readonly availableBalance: string;
  readonly transfers: { readonly totalCount: number; readonly nodes: readonly Transfer[] };
  readonly transactions: { readonly nodes: readonly Row[] };
}

/** What became of a write, alike for GraphQL and REST. Amounts are texts. */
export interface Outcome {
  /** Of REST; 200 over GraphQL. */
  readonly status: number;
  readonly code: string | null;
  readonly message: string | null;
  readonly pointers: readonly string[];
  readonly transfer: Transfer | null;
  readonly replayed: boolean;
}

/** Two accounts of one program, the first one with 1,000.00. */
export interface Pair {
  readonly program: string;
  readonly caller: string;
  readonly from: GivenAccount;
  readonly to: GivenAccount;
}

export async function pairOf(gateway: TestGateway, changes: { from?: object; to?: object } = {}): Promise<Pair> {
  const from = await gateway.given.account(changes.from);
  const { program, caller } = from;
  const to = await gateway.given.account({ program, ...changes.to });
  await post(gateway, from, [entry({ amount: '1000' })]);
  return { program, caller, from, to };
}

type AccountName = Pick<GivenAccount, 'account'>;

/** A transfer of 250.00 between the two. */
export function transferOf({ from, to }: { from: AccountName; to: AccountName }, changes: object = {}) {
  return {
    fromAccountId: from.account,
    toAccountId: to.account,
    transferId: unique('tr'),
    amount: '250.00',
    description: 'Rent for April',
    memo: 'With thanks',
    reference: 'INV-2041',
    ...changes,
  };
}

export interface TransferOptions {
  readonly headers?: OutgoingHttpHeaders;
  readonly dryRun?: boolean;
}
export type Api = 'GraphQL' | 'REST';

/** Sends a write of transfers. */
export async function make(
  gateway: TestGateway,
  api: Api,
  caller: string,
  input: object,
  { headers = {}, dryRun = false }: TransferOptions = {},
): Promise<Outcome> {
  if (api === 'GraphQL') {
    const answer = await gateway
      .as(caller)
      .graphql<{ transfer: TransferPayload | null }>(MAKE, { input, dryRun }, { headers });
    return ofGraphql(answer.errors, answer.data?.transfer ?? null, answer.headers, '/input/transfer');
  }
  const { amount, ...details } = input as { amount?: unknown };
  const body = amount === undefined ? details : { ...details, amount: Number(amount) };
  return ofRest(await gateway.as(caller).rest.post(`/transfers${dryRun ? '?dryRun=true' : ''}`, body, headers));
}

/** `at` is where GraphQL takes what REST has as the body. */
export function ofGraphql(
  errors: readonly GraphqlError[] | undefined,
  payload: TransferPayload | null,
  headers: Readonly<Record<string, unknown>>,
  at = '/input',
): Outcome {
  const [error] = errors ?? [];
  return {
    status: 200,
    code: restCode(error?.extensions.code) ?? null,
    message: error?.message ?? null,
    transfer: payload?.transfer ?? null,
    pointers: (error?.extensions.errors ?? []).map(({ pointer }) => pointerWithin(at, pointer)),
    replayed: headers['idempotent-replayed'] === 'true',
  };
}

export function ofRest({ status, body, headers }: Answer): Outcome {
  const isRefused = status >= 400;
  return {
    status,
    code: isRefused ? body.code : null,
    message: isRefused ? body.detail : null,
    pointers: isRefused ? ((body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer) : [],
    transfer: isRefused ? null : body,
    replayed: headers['idempotent-replayed'] === 'true',
  };
}

/** What a reader sees of an account at one moment. */
export async function seenBy(gateway: TestGateway, { account, caller }: Pick<GivenAccount, 'account' | 'caller'>) {
  const { data, errors } = await gateway.as(caller).graphql<{ account: SeenAccount }>(SEEN, { a: account });
  assert.equal(errors, undefined);
  return data.account;
}
