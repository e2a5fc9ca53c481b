// What is asked of whom, and what the right answer is. The right answers come from plain SQL with OFFSET and count(*),
// which no server uses.
import { accountId } from '../make-ledger.mjs';

const SCALARS =
  `transactionId referenceTransactionId reference accountId amount availableBalance debitCreditMemo category transactionType
  status description memo transactionTime transactionTimestamp postedTime postedTimestamp`.replace(/\s+/g, ' ');
const SCALAR_NAMES = SCALARS.split(' ');
/** What the gateway calls them over GraphQL, where that is not their name over REST. */
const GATEWAY_NAMES = {
  availableBalance: 'balanceAfter',
  debitCreditMemo: 'direction',
  transactionTime: 'transactedAtLocal',
  transactionTimestamp: 'transactedAt',
  postedTime: 'postedAtLocal',
  postedTimestamp: 'postedAt',
};
const GATEWAY_SCALARS = SCALAR_NAMES.map(name =>
  name in GATEWAY_NAMES ? `${name}: ${GATEWAY_NAMES[name]}` : name,
).join(' ');
const ACCOUNT = 'accountId status currency availableBalance';
const BENEFICIARY = 'beneficiaryId name { first middle last } taxId beneficiaryType relationship sharePercentage';
const INPUT = {
  name: {
    first: 'Ann',
    middle: 'B',
    last: 'Cole',
  },
  taxId: '912345678',
  taxIdType: 'ITIN',
  dateOfBirth: '1980-02-29',
  addresses: [
    {
      line1: '1 Main Street',
      city: 'Springfield',
      state: 'IL',
      postalCode: '62701',
      country: 'US',
      type: 'HOME',
    },
  ],
  emails: [
    {
      type: 'HOME',
      email: 'ann@example.test',
    },
  ],
  phones: [
    {
      type: 'HOME',
      country: 'US',
      number: '(555) 010-0000',
    },
  ],
  beneficiaryType: 'PRIMARY',
  relationship: 'OTHERS',
  sharePercentage: 40,
};
const KEY = { 'X-Idempotency-Key': '<key>' };

export const WORKLOADS = {
  W1: 'an account with its first 4 beneficiaries',
  W2: 'the first page of a history: 10 transactions with the total',
  W3: 'an account with 4 beneficiaries and 10 transactions',
  W4: '20 accounts by id, each with 4 beneficiaries and 5 transactions',
  W5: 'a deep page of the large account',
  W6: 'REST: the first page of a history',
  W7: 'a write with an idempotency key: add a beneficiary',
};

// ---- Requests. What stands in <angle brackets> is drawn anew for each request; <ids> and <offset> are JSON, the
// others text.

/**
 * @typedef {{method: string, path: string, headers: object, body: string, read: (answer: object) => object}} Request
 */

function graphql(document, variables, read, headers = {}) {
  const [, operationName] = /^\w+ (\w+)/.exec(document);
  const body = JSON.stringify({ operationName, query: document, variables }).replace(/"(<ids>|<offset>)"/g, '$1');
  return { method: 'POST', path: '/graphql', headers: { 'Content-Type': 'application/json', ...headers }, body, read };
}

function get(path, read) {
  return { method: 'GET', path, headers: {}, body: '', read };
}

const ONE = { accountId: '<account>' };
const account = answer => answer.data.account;
const list = answer => answer;
const REST_LIST = get('/accounts/<account>/transactions?offSet=0&limit=10', list);

/**
 * For servers with the gateway's GraphQL: `scalars` are the fields of a transaction, `page` the request for a deep
 * page.
 */
const graphqlWith = (scalars, page) => ({
  W1: graphql(
    `query W1($accountId: ID!) { account(accountId: $accountId) { ${ACCOUNT} beneficiaries(first: 4) { nodes { ${BENEFICIARY} } } } }`,
    ONE,
    account,
  ),
  W2: graphql(
    `query W2($accountId: ID!) { account(accountId: $accountId) { transactions(first: 10) { totalCount nodes { ${scalars} } } } }`,
    ONE,
    account,
  ),
  W3: graphql(
    `query W3($accountId: ID!) { account(accountId: $accountId) { ${ACCOUNT} beneficiaries(first: 4) { nodes { ${BENEFICIARY} } } transactions(first: 10) { totalCount nodes { ${scalars} } } } }`,
    ONE,
    account,
  ),
  W4: graphql(
    `query W4($accountIds: [ID!]!) { accounts(first: 20, filter: { accountIds: $accountIds }) { nodes { ${ACCOUNT} beneficiaries(first: 4) { nodes { ${BENEFICIARY} } } transactions(first: 5) { totalCount nodes { ${scalars} } } } } }`,
    { accountIds: '<ids>' },
    answer => byId(answer.data.accounts.nodes),
  ),
  W5: page,
  W7: graphql(
    `mutation W7($accountId: ID!, $input: BeneficiaryInput!) { addBeneficiary(input: { accountId: $accountId, beneficiary: $input }) { beneficiary { ${BENEFICIARY} } } }`,
    { ...ONE, input: INPUT },
    answer => answer.data.addBeneficiary.beneficiary,
    KEY,
  ),
});

const GATEWAY = graphqlWith(
  GATEWAY_SCALARS,
  graphql(
    `query W5($accountId: ID!, $after: String!) { account(accountId: $accountId) { transactions(first: 10, after: $after) { totalCount nodes { ${GATEWAY_SCALARS} } } } }`,
    { accountId: accountId(1), after: '<cursor>' },
    account,
  ),
);
const PEERS = graphqlWith(
  SCALARS,
  graphql(
    `query W5($accountId: ID!, $offset: Int!) { account(accountId: $accountId) { transactions(first: 10, offset: $offset) { totalCount nodes { ${SCALARS} } } } }`,
    { accountId: accountId(1), offset: '<offset>' },
    account,
  ),
);

const REST = {
  W1: get('/accounts/<account>?beneficiaries=4', withNodes),
  W3: get('/accounts/<account>?beneficiaries=4&transactions=10', withNodes),
  W4: get('/accounts?ids=<csv>&beneficiaries=4&transactions=5', answer => byId(answer.map(withNodes))),
  W5: get(`/accounts/${accountId(1)}/transactions?offSet=<offset>&limit=10`, ({ page, transactions }) => ({
    transactions: {
      totalCount: page.totalElements,
      nodes: transactions.map(({ depositTransaction }) => scalarsOf(depositTransaction)),
    },
  })),
  W6: REST_LIST,
  W7: {
    method: 'POST',
    path: '/accounts/<account>/beneficiaries',
    headers: {
      'Content-Type': 'application/json',
      ...KEY,
    },
    body: JSON.stringify(INPUT),
    read: answer => answer,
  },
};

const PG_PARTS = (first, size) =>
  `${ACCOUNT} beneficiaries: beneficiariesByAccountId(first: ${first}, orderBy: POSITION_ASC) { nodes { ${BENEFICIARY} } } transactions: transactionsByAccountId(first: ${size}, orderBy: SEQ_DESC) { totalCount nodes { ${SCALARS} } }`;
const POSTGRAPHILE = {
  W1: graphql(
    `query W1($accountId: String!) { account: accountByAccountId(accountId: $accountId) { ${ACCOUNT} beneficiaries: beneficiariesByAccountId(first: 4, orderBy: POSITION_ASC) { nodes { ${BENEFICIARY} } } } }`,
    ONE,
    account,
  ),
  W2: graphql(
    `query W2($accountId: String!) { transactions: allTransactions(condition: { accountId: $accountId }, first: 10, orderBy: SEQ_DESC) { totalCount nodes { ${SCALARS} } } }`,
    ONE,
    answer => answer.data,
  ),
  W3: graphql(
    `query W3($accountId: String!) { account: accountByAccountId(accountId: $accountId) { ${PG_PARTS(4, 10)} } }`,
    ONE,
    account,
  ),
  W4: graphql(
    `query W4($accountIds: [String!]!) { accounts: peerAccounts(ids: $accountIds) { nodes { ${PG_PARTS(4, 5)} } } }`,
    { accountIds: '<ids>' },
    answer => byId(answer.data.accounts.nodes),
  ),
  W5: graphql(
    `query W5($accountId: String!, $offset: Int!) { transactions: allTransactions(condition: { accountId: $accountId }, first: 10, offset: $offset, orderBy: SEQ_DESC) { totalCount nodes { ${SCALARS} } } }`,
    { accountId: accountId(1), offset: '<offset>' },
    answer => answer.data,
  ),
  W7: graphql(
    `mutation W7($key: String!, $accountId: String!, $input: JSON!) { peerAddBeneficiary(input: { key: $key, accountId: $accountId, input: $input }) { result { ${BENEFICIARY.replace('taxId', 'taxId: maskedTaxId')} } } }`,
    { key: '<key>', ...ONE, input: INPUT },
    answer => answer.data.peerAddBeneficiary.result,
  ),
};

/** Which requests a server is sent. */
export const REQUESTS = {
  gateway: { ...GATEWAY, W6: REST_LIST },
  limit: { ...PEERS, W6: REST_LIST },
  graphql: PEERS,
  rest: REST,
  postgraphile: POSTGRAPHILE,
};

const PLACEHOLDER = /<(account|ids|csv|offset|cursor|key)>/;

/** Texts and names of placeholders in turns: what a load generator needs to put requests together. */
export function partsOf(text) {
  return text.split(PLACEHOLDER);
}

/** The cursor of the entry before an offset, which is the base64 of its number in the ledger. */
export function cursorOf({ largest }, offset) {
  return Buffer.from(String(largest - offset + 1)).toString('base64url');
}

export function filled(text, values) {
  return partsOf(text)
    .map((part, n) => (n % 2 === 0 ? part : values[part]))
    .join('');
}

function withNodes({ beneficiaries, ...rest }) {
  return { ...rest, beneficiaries: { nodes: beneficiaries } };
}

function byId(accounts) {
  return accounts.toSorted((a, b) => (a.accountId < b.accountId ? -1 : 1));
}

function scalarsOf(transaction) {
  return Object.fromEntries(SCALAR_NAMES.map(name => [name, transaction[name]]));
}

// ---- Right answers.

/**
 * What a workload is tried with before it is measured: some accounts of the middle and both ends, the same for every
 * server.
 */
export function casesOf(workload, { accounts, deepest }) {
  const some = [2, Math.ceil(accounts / 2), accounts].map(accountId);
  const key = () => `check-${crypto.randomUUID()}`;
  if (workload === 'W4') {
    const chosen = Array.from({ length: 20 }, (_, n) => accountId(2 + ((n * 97) % (accounts - 1))));
    return [{ ids: JSON.stringify(chosen), csv: chosen.join(',') }];
  }
  if (workload === 'W5') {
    return [deepest.first, deepest.last].map(offset => ({ offset: String(offset), cursor: cursorOf(deepest, offset) }));
  }
  return some.map(id => ({ account: id, key: key() }));
}

const COLUMNS = `transaction_id AS "transactionId", reference_transaction_id AS "referenceTransactionId", reference, t.account_id AS "accountId",
  amount_minor::float8 / 100 AS amount, t.balance_minor::float8 / 100 AS "availableBalance", debit_credit_memo AS "debitCreditMemo",
  category, transaction_type AS "transactionType", t.status, description, memo,
  to_char(transaction_timestamp AT TIME ZONE a.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "transactionTime",
  transaction_timestamp AS "transactionTimestamp", to_char(posted_timestamp AT TIME ZONE a.time_zone, 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "postedTime",
  posted_timestamp AS "postedTimestamp", additional_information AS "additionalInformation", line_item AS "lineItem"`;

/** @param {import('pg').Client} db */
export async function rightAnswer(db, workload, values) {
  const id = workload === 'W5' ? accountId(1) : values.account;
  const wanted = {
    W1: () => accountOf(db, id),
    W2: async () => ({ transactions: await pageOf(db, id, 10, 0) }),
    W3: () => accountOf(db, id, 10),
    W4: () => Array.fromAsync(values.csv.split(',').toSorted(), one => accountOf(db, one, 5)),
    W5: async () => ({ transactions: await pageOf(db, id, 10, Number(values.offset)) }),
    W6: () => listOf(db, id),
    W7: () => {
      const { name, beneficiaryType, relationship, sharePercentage } = INPUT;
      return { name, taxId: '*****5678', beneficiaryType, relationship, sharePercentage };
    },
  };
  return canonical(await wanted[workload]());
}

async function accountOf(db, id, size = null) {
  const { rows } = await db.query(
    'SELECT account_id AS "accountId", status, currency, balance_minor::float8 / 100 AS "availableBalance" FROM account WHERE account_id = $1',
    [id],
  );
  const { rows: beneficiaries } = await db.query(
    `SELECT beneficiary_id AS "beneficiaryId", json_build_object('first', name_first, 'middle', name_middle, 'last', name_last) AS name,
      tax_id AS "taxId", beneficiary_type AS "beneficiaryType", relationship, share_percentage AS "sharePercentage"
      FROM beneficiary WHERE account_id = $1 ORDER BY position LIMIT 4`,
    [id],
  );
  const parts = { beneficiaries: { nodes: beneficiaries } };
  return { ...rows[0], ...parts, ...(size && { transactions: await pageOf(db, id, size, 0) }) };
}

async function rowsOf(db, id, size, offset) {
  const { rows } = await db.query(
    `SELECT ${COLUMNS} FROM transaction t JOIN account a USING (account_id) WHERE t.account_id = $1 ORDER BY seq DESC LIMIT $2 OFFSET $3`,
    [id, size, offset],
  );
  const { rows: counts } = await db.query('SELECT count(*)::int AS total FROM transaction WHERE account_id = $1', [id]);
  return { rows, total: counts[0].total };
}

async function pageOf(db, id, size, offset) {
  const { rows, total } = await rowsOf(db, id, size, offset);
  return { totalCount: total, nodes: rows.map(scalarsOf) };
}

async function listOf(db, id) {
  const { rows, total } = await rowsOf(db, id, 10, 0);
  const hasNext = total > 10;
  const href = `/accounts/${id}/transactions?offSet=10&limit=10&snapshot=${total}`;
  return {
    page: { ...(hasNext && { nextOffset: 10 }), totalElements: total },
    links: hasNext ? { next: { href } } : {},
    transactions: rows.map(row => ({ depositTransaction: { ...row, imageIds: [], fiAttributes: [], links: [] } })),
  };
}

/**
 * Amounts as numbers, one spelling for each time, and null for an absent text: the servers may differ in those, and in
 * nothing else.
 */
export function canonical(value, name = '') {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(element => canonical(element));
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, canonical(part, key)]));
  }
  if (value === '') return null;
  if (value === null || typeof value !== 'string') return value;
  if (name === 'amount' || name === 'availableBalance') return Number(value);
  if (name.endsWith('Timestamp')) return new Date(value).toISOString();
  if (name === 'transactionTime' || name === 'postedTime') return value.replace(/\.\d+$/, '');
  return value;
}
