import type { OutgoingHttpHeaders } from 'node:http';
import assert from 'node:assert/strict';
import { unique, type GraphqlAnswer, type TestGateway } from '../../support/gateway.js';
import type { GivenAccount } from '../../support/given.js';
import { entry, post } from '../../transaction/support/ledger.js';
import { inSeconds } from './in-seconds.js';

export { inSeconds } from './in-seconds.js';

export const HOLD = `holdId accountId amount capturedAmount heldAmount currency captures: captureCount status description reference cardId
  placedAt expiresAt endedAt`;

const PLACE = `mutation ($a: ID!, $input: HoldInput!) { payload: placeHold(input: { accountId: $a, hold: $input }) { hold { ${HOLD} } } }`;
const CAPTURE = `mutation ($a: ID!, $h: ID!, $amount: Decimal, $keepRest: Boolean) {
  payload: captureHold(input: { accountId: $a, holdId: $h, amount: $amount, keepRest: $keepRest }) { hold { ${HOLD} } } }`;
const RELEASE = `mutation ($a: ID!, $h: ID!) { payload: releaseHold(input: { accountId: $a, holdId: $h }) { hold { ${HOLD} } } }`;
const SEEN = `query ($a: ID!) { account(accountId: $a) {
  availableBalance balances { posted available held overdraftLimit }
  holds(first: 100) { nodes { holdId status amount capturedAmount heldAmount } }
  transactions(first: 100) { nodes {
    transactionId referenceTransactionId amount availableBalance: balanceAfter debitCreditMemo: direction status category transactionType } } } }`;

export type Where = Pick<GivenAccount, 'account' | 'caller'>;

export interface Hold {
  readonly holdId: string;
  readonly amount: string;
  readonly capturedAmount: string;
  readonly heldAmount: string;
  readonly captures: number;
  readonly status: string;
  readonly endedAt: string | null;
  readonly expiresAt: string;
}

interface Row {
  readonly transactionId: string;
  readonly referenceTransactionId: string | null;
  readonly amount: string;
  readonly availableBalance: string;
  readonly debitCreditMemo: string;
  readonly status: string;
  readonly category: string;
  readonly transactionType: string;
}

export interface AccountBalances {
  readonly availableBalance: string;
  readonly balances: {
    readonly posted: string;
    readonly available: string;
    readonly held: string;
    readonly overdraftLimit: string;
  };
  readonly holds: { readonly nodes: readonly Pick<Hold, 'holdId' | 'status' | 'heldAmount'>[] };
  readonly transactions: { readonly nodes: readonly Row[] };
}

type HoldAnswer = Promise<GraphqlAnswer<{ hold: Hold }>>;

interface HoldPayload {
  readonly payload: { readonly hold: Hold };
}

/** A hold of 75 that ends tomorrow. */
export function newHold(changes: object = {}) {
  return {
    holdId: unique('hold'),
    amount: '75.00',
    description: 'Quarry Road Fuel, pump 4',
    expiresAt: inSeconds(86400),
    reference: 'INV-2041',
    ...changes,
  };
}

/** Asks for holds over GraphQL; an answer may be a refusal. */
export class HoldClient {
  constructor(
    private readonly gateway: TestGateway,
    private readonly where: Where,
  ) {}

  place(input: object, headers: OutgoingHttpHeaders = {}): HoldAnswer {
    return this.ask(PLACE, { input }, headers);
  }

  capture(holdId: string, more: object = {}, headers: OutgoingHttpHeaders = {}): HoldAnswer {
    return this.ask(CAPTURE, { h: holdId, ...more }, headers);
  }

  release(holdId: string, headers: OutgoingHttpHeaders = {}): HoldAnswer {
    return this.ask(RELEASE, { h: holdId }, headers);
  }

  /** Places a hold, and gives its id. */
  async placed(changes: object = {}): Promise<string> {
    const { data, errors } = await this.place(newHold(changes));
    assert.equal(errors, undefined);
    return data.hold.holdId;
  }

  /** What a reader sees of the account at one moment. */
  async seen(): Promise<AccountBalances> {
    const { data } = await this.gateway
      .as(this.where.caller)
      .graphql<{ account: AccountBalances }>(SEEN, { a: this.where.account });
    return data.account;
  }

  private async ask(query: string, variables: object, headers: OutgoingHttpHeaders): HoldAnswer {
    const { account, caller } = this.where;
    const answer = await this.gateway.as(caller).graphql<HoldPayload>(query, { a: account, ...variables }, { headers });
    return { ...answer, data: answer.data?.payload };
  }
}

/** An account with 1,000.00 on it. */
export async function fundedAccount(
  gateway: TestGateway,
  changes: object = {},
): Promise<GivenAccount & { holding: HoldClient }> {
  const given = await gateway.given.account(changes);
  await post(gateway, given, [entry({ amount: '1000' })]);
  return { ...given, holding: new HoldClient(gateway, given) };
}
