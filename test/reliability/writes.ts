import { randomBytes } from 'node:crypto';
import type { Answer, HttpRequest, AnyBody } from '../support/http.js';
import { pdfOf } from '../support/statement.js';
import { restCode } from '../support/answers.js';
import { inputsOf } from '../support/postings.js';

export type WriteApi = 'rest' | 'graphql';
export type Request = Pick<HttpRequest, 'method' | 'path' | 'body'>;

/** One write under a key of its own, as it is asked for over each API that has it. */
export interface Write {
  /** Also its request id, so its event tells the key. */
  readonly key: string;
  readonly account: string;
  readonly requests: Partial<Record<WriteApi, Request>>;
  /** What an answer means, in a form thover REST and GraphQL have. */
  readonly effect: (data: AnyBody) => Effect;
  /** The refusal that is the right answer, or null. */
  readonly refusal: string | null;
}

export type Effect =
  | { readonly beneficiary: Beneficiary; readonly deleted: boolean }
  | { readonly owner: string; readonly status: string }
  | { readonly posted: readonly PostingAnswer[] }
  | { readonly card: string; readonly status: string }
  | { readonly hold: string; readonly status: string; readonly captured: string }
  | { readonly statement: string }
  | { readonly transfers: readonly TransferAnswer[] }
  | { readonly opened: string; readonly as: string }
  | { readonly customer: string; readonly as: string };

interface Beneficiary {
  readonly beneficiaryId: string;
  readonly name: { readonly first: string; readonly middle: string | null; readonly last: string };
  readonly taxId: string | null;
  readonly beneficiaryType: string;
  readonly relationship: string;
  readonly sharePercentage: number;
}

interface Holder {
  readonly customerId: string;
  readonly ownerStatus: string;
}

interface PostingAnswer {
  readonly transactionId: string;
  readonly availableBalance: string;
  readonly status?: string;
}

export interface TransferAnswer {
  readonly transferId: string;
  readonly fromAccountId: string;
  readonly toAccountId: string;
  readonly status: string;
}

/** A number over REST. */
interface ReversalAnswer {
  readonly transactionId: string;
  readonly availableBalance: string | number;
}

/** A definite answer. */
export interface Result {
  readonly api: WriteApi;
  readonly text: string;
  readonly replayed: boolean;
  readonly effect: Effect | null;
  readonly refusal: string | null;
}

/** Says nothing of what became of the write: it has to be asked again. */
const UNSURE_CODES = new Set(['idempotency_in_progress', 'unavailable', 'internal_error']);

export function resultOf(write: Write, api: WriteApi, { status, headers, text, body }: Answer): Result | string {
  const refusal: string | null =
    api === 'rest' ? (status < 300 ? null : body.code) : (restCode(body.errors?.[0].extensions.code) ?? null);
  if (refusal !== null && UNSURE_CODES.has(refusal)) return refusal;
  return {
    api,
    text,
    refusal,
    replayed: headers['idempotent-replayed'] === 'true',
    effect: refusal === null ? write.effect(api === 'rest' ? body : recordOf(body.data.write)) : null,
  };
}

/** The record in a payload, or the payload itself if it has a list. */
function recordOf(payload: Readonly<Record<string, AnyBody>>): AnyBody {
  const [given] = Object.values(payload);
  return Array.isArray(given) ? payload : given;
}

const BENEFICIARY = `beneficiaryId name { first middle last } taxId beneficiaryType relationship sharePercentage`;
const ADD = `mutation ($account: ID!, $input: BeneficiaryInput!) { write: addBeneficiary(input: { accountId: $account, beneficiary: $input }) { beneficiary { ${BENEFICIARY} } } }`;
const UPDATE = `mutation ($account: ID!, $id: ID!, $input: BeneficiaryPatch!) {
  write: updateBeneficiary(input: { accountId: $account, beneficiaryId: $id, patch: $input }) { beneficiary { ${BENEFICIARY} } } }`;
const DELETE = `mutation ($account: ID!, $id: ID!) { write: deleteBeneficiary(input: { accountId: $account, beneficiaryId: $id }) { beneficiary { ${BENEFICIARY} } } }`;
const ADD_OWNERS = `mutation ($account: ID!, $ids: [ID!]!) { write: addAccountOwners(input: { accountId: $account, customerIds: $ids }) { results { customerId ownerStatus } } }`;
const REMOVE_OWNERS = ADD_OWNERS.replace('addAccountOwners', 'removeAccountOwners');
const POST = `mutation ($account: ID!, $transactions: [TransactionInput!]!) {
  write: postAccountTransactions(input: { accountId: $account, transactions: $transactions }) { transactions {
    transactionId amount availableBalance: balanceAfter debitCreditMemo: direction status transactionTime: transactedAtLocal postedTime: postedAtLocal } } }`;
const REVERSE = `mutation ($account: ID!, $id: ID!, $reason: String!) {
  write: reverseTransaction(input: { accountId: $account, transactionId: $id, reason: $reason }) { transaction { transactionId availableBalance: balanceAfter } } }`;

const SIMULATE = `mutation ($input: SimulatedPaymentInput!) {
  write: simulateAchCredit(input: $input) { transaction { transactionId amount availableBalance: balanceAfter } } }`;
const CREATE_CARD = `mutation ($input: CardInput!) { write: createCard(input: { card: $input }) { card { cardId number status created: createdAt } } }`;
const STEP = `mutation ($account: ID!, $id: ID!) { write: STEP(input: { accountId: $account, cardId: $id }) { card { cardId status } } }`;
const ADD_STATEMENT = `mutation ($account: ID!, $input: StatementInput!) {
  write: addStatement(input: { accountId: $account, statement: $input }) { statement { statementId sha256 issuedAt } } }`;

const HOLD = 'holdId status capturedAmount';
const PLACE_HOLD = `mutation ($account: ID!, $input: HoldInput!) { write: placeHold(input: { accountId: $account, hold: $input }) { hold { ${HOLD} } } }`;
const CAPTURE_HOLD = `mutation ($account: ID!, $id: ID!, $amount: Decimal, $keepRest: Boolean) {
  write: captureHold(input: { accountId: $account, holdId: $id, amount: $amount, keepRest: $keepRest }) { hold { ${HOLD} } } }`;
const RELEASE_HOLD = `mutation ($account: ID!, $id: ID!) { write: releaseHold(input: { accountId: $account, holdId: $id }) { hold { ${HOLD} } } }`;

export function addBeneficiary(account: string): Write {
  const key = newKey('add');
  const input = {
    name: {
      first: key,
      last: 'Added',
    },
    taxId: '123456789',
    taxIdType: 'SSN',
    beneficiaryType: 'PRIMARY',
    relationship: 'FRIEND',
    sharePercentage: 1,
  };
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/beneficiaries`, body: input },
    graphql: graphql(ADD, { account, input }),
  };
  return { key, account, requests, effect: beneficiaryEffect(false), refusal: null };
}

export function updateBeneficiary(account: string, id: string, name: { first: string }): Write {
  const key = newKey('update');
  const input = {
    name: { first: name.first, last: key.slice(-12) },
    sharePercentage: Math.floor(Math.random() * 101),
  };
  const requests = {
    rest: { method: 'PATCH', path: `/accounts/${account}/beneficiaries/${id}`, body: input },
    graphql: graphql(UPDATE, { account, id, input }),
  };
  return { key, account, requests, effect: beneficiaryEffect(false), refusal: null };
}

/** `again`: the beneficiary is deleted already, and the answer says so. */
export function deleteBeneficiary(account: string, id: string, again = false): Write {
  const requests = {
    rest: { method: 'DELETE', path: `/accounts/${account}/beneficiaries/${id}` },
    graphql: graphql(DELETE, { account, id }),
  };
  const refusal = again ? 'beneficiary_not_found' : null;
  return { key: newKey('delete'), account, requests, effect: beneficiaryEffect(true), refusal };
}

export function changeOwner(change: 'add' | 'remove', account: string, customerId: string): Write {
  const query = change === 'add' ? ADD_OWNERS : REMOVE_OWNERS;
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/owners/${change}`, body: { holders: [{ customerId }] } },
    graphql: graphql(query, { account, ids: [customerId] }),
  };
  const effect = (data: { holders: [Holder] } | { results: [Holder] }): Effect => {
    const [holder] = 'holders' in data ? data.holders : data.results;
    return { owner: holder.customerId, status: holder.ownerStatus.toUpperCase().replaceAll(' ', '_') };
  };
  return { key: newKey(`owner-${change}`), account, requests, effect, refusal: null };
}

export function postTransactions(account: string): Write {
  const key = newKey('post');
  const transactions = Array.from({ length: 1 + Math.floor(Math.random() * 3) }, (_, index) => ({
    transactionId: `${key}-${index}`,
    amount: `${Math.floor(Math.random() * 1e3)}.25`,
    debitCreditMemo: Math.random() < 0.5 ? 'CREDIT' : 'DEBIT',
    category: 'ACH',
    transactionType: 'FEE',
    status: Math.random() < 0.8 ? 'POSTED' : 'PENDING',
    transactionTimestamp: '2026-03-02T15:00:00.000Z',
    postedTimestamp: '2026-03-02T16:00:00.000Z',
  }));
  const requests = { graphql: graphql(POST, { account, transactions: inputsOf(transactions) }) };
  return {
    key,
    account,
    requests,
    effect: ({ transactions: posted }: { transactions: PostingAnswer[] }) => ({ posted }),
    refusal: null,
  };
}

/** `again`: the transaction is reversed already, and the answer says so. */
export function reverseTransaction(account: string, id: string, again = false): Write {
  const reason = 'Posted twice';
  const path = `/accounts/${account}/transactions/${id}/reverse`;
  const requests = {
    rest: { method: 'POST', path, body: { reason } },
    graphql: graphql(REVERSE, { account, id, reason }),
  };
  const effect = (data: { depositTransaction: ReversalAnswer } | ReversalAnswer): Effect => {
    const { transactionId, availableBalance } = 'depositTransaction' in data ? data.depositTransaction : data;
    return { posted: [{ transactionId, availableBalance: Number(availableBalance).toFixed(2) }] };
  };
  return { key: newKey('reverse'), account, requests, effect, refusal: again ? 'already_reversed' : null };
}

/** Its id is made when it comes, so only its key makes a retry the same payment. */
export function simulateAchCredit(account: string): Write {
  const amount = Math.floor(Math.random() * 1000) + 0.25;
  const requests = {
    rest: { method: 'POST', path: '/simulate/ach-credit', body: { accountId: account, amount } },
    graphql: graphql(SIMULATE, { input: { accountId: account, amount: String(amount) } }),
  };
  const effect = (data: PostingAnswer | { depositTransaction: PostingAnswer }): Effect => {
    const { transactionId, availableBalance } = 'depositTransaction' in data ? data.depositTransaction : data;
    return { posted: [{ transactionId, availableBalance: Number(availableBalance).toFixed(2) }] };
  };
  return { key: newKey('simulate'), account, requests, effect, refusal: null };
}

export function createCard(account: string, cardHolderId: string): Write {
  const key = newKey('card');
  const input = {
    accountId: account,
    type: 'PHYSICAL',
    number: cardNumber(),
    currency: 'USD',
    expiration: '1239',
    cardHolderId,
    cardProductId: 'debit',
    pin: '1234',
  };
  return { key, account, requests: { graphql: graphql(CREATE_CARD, { input }) }, effect: cardEffect, refusal: null };
}

/** A step of a card's life, such as `freezeCard`. */
export function stepCard(step: string, account: string, id: string): Write {
  const query = step === 'reportCard' ? STEP.replace('cardId: $id', 'cardId: $id, loss: LOST') : STEP;
  const requests = { graphql: graphql(query.replace('STEP', step), { account, id }) };
  return { key: newKey('step'), account, requests, effect: cardEffect, refusal: null };
}

export function placeHold(account: string): Write {
  const key = newKey('hold');
  // It lasts longer than the storm.
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const input = { holdId: key, amount: '50.25', description: key, expiresAt };
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/holds`, body: { ...input, amount: 50.25 } },
    graphql: graphql(PLACE_HOLD, { account, input }),
  };
  return { key, account, requests, effect: holdEffect, refusal: null };
}

/** Captures so many cents, or all that remains, and keeps the rest. */
export function captureHold(account: string, id: string, cents: number | null): Write {
  const amount = cents === null ? null : cents / 100;
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/holds/${id}/capture`, body: { amount, keepRest: true } },
    graphql: graphql(CAPTURE_HOLD, { account, id, amount: amount?.toFixed(2) ?? null, keepRest: true }),
  };
  return { key: newKey('capture'), account, requests, effect: holdEffect, refusal: null };
}

export function releaseHold(account: string, id: string): Write {
  const requests = {
    rest: { method: 'POST', path: `/accounts/${account}/holds/${id}/release` },
    graphql: graphql(RELEASE_HOLD, { account, id }),
  };
  return { key: newKey('release'), account, requests, effect: holdEffect, refusal: null };
}

function holdEffect(data: { holdId: string; status: string; capturedAmount: string | number }): Effect {
  const { holdId, status, capturedAmount } = data;
  // REST has numbers, of which JSON.parse drops the zeros at the end.
  return { hold: holdId, status, captured: Number(capturedAmount).toFixed(2) };
}

export function addStatement(account: string): Write {
  const key = newKey('statement');
  const input = { statementDate: '2026-05-31', description: key, document: pdfOf(key).toString('base64') };
  const requests = { graphql: graphql(ADD_STATEMENT, { account, input }) };
  const effect = ({ statementId }: { statementId: string }): Effect => ({ statement: statementId });
  return { key, account, requests, effect, refusal: null };
}

function cardEffect({ cardId, status }: { cardId: string; status: string }): Effect {
  return { card: cardId, status };
}

/** Sixteen digits, the last of which makes the weighted sum end in 0 (ISO/IEC 7812-1, annex B). */
function cardNumber(): string {
  const digits = `4${Array.from({ length: 14 }, () => Math.floor(Math.random() * 10)).join('')}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const weighted = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

export function graphql(query: string, variables: object): Request {
  return { method: 'POST', path: '/graphql', body: { query, variables } };
}

function beneficiaryEffect(deleted: boolean) {
  return ({ beneficiaryId, name, taxId, beneficiaryType, relationship, sharePercentage }: Beneficiary): Effect => ({
    // An absent text is null over GraphQL and empty over REST.
    beneficiary: {
      beneficiaryId,
      name: { ...name, middle: name.middle || null },
      taxId,
      beneficiaryType,
      relationship,
      sharePercentage,
    },
    deleted,
  });
}

export function newKey(kind: string): string {
  return `${kind}-${randomBytes(9).toString('hex')}`;
}
