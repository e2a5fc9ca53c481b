// The ceiling: bare node:http, and one prepared statement a request in which PostgreSQL builds the whole body. It reads
// no GraphQL: the name of the operation chooses the statement.
import { createServer } from 'node:http';
import { listen, pool } from './postgres.mjs';
import { valuesOfAdd } from './reads.mjs';

const instant = column => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const SCALARS = `t.transaction_id AS "transactionId", t.reference_transaction_id AS "referenceTransactionId", t.reference,
  t.account_id AS "accountId", t.amount_minor / 100.0 AS amount, t.balance_minor / 100.0 AS "availableBalance",
  t.debit_credit_memo AS "debitCreditMemo", t.category, t.transaction_type AS "transactionType", t.status, t.description, t.memo,
  t.transaction_timestamp AT TIME ZONE a.time_zone AS "transactionTime", ${instant('t.transaction_timestamp')} AS "transactionTimestamp",
  t.posted_timestamp AT TIME ZONE a.time_zone AS "postedTime", ${instant('t.posted_timestamp')} AS "postedTimestamp"`;
const LISTS = `t.additional_information AS "additionalInformation", t.line_item AS "lineItem", '[]'::json AS "imageIds",
  '[]'::json AS "fiAttributes", '[]'::json AS links`;

const list = (columns, first, offset, item = 'row_to_json(t)') =>
  `coalesce((SELECT json_agg(${item}) FROM (SELECT ${columns} FROM transaction t
    WHERE t.account_id = a.account_id AND t.seq <= a.last_seq - ${offset} ORDER BY t.seq DESC LIMIT ${first}) t), '[]')`;
const transactions = (first, offset = '0') =>
  `json_build_object('totalCount', a.last_seq, 'nodes', ${list(SCALARS, first, offset)})`;
const BENEFICIARY = taxId => `b.beneficiary_id AS "beneficiaryId",
  json_build_object('first', b.name_first, 'middle', b.name_middle, 'last', b.name_last) AS name, ${taxId} AS "taxId",
  b.beneficiary_type AS "beneficiaryType", b.relationship, b.share_percentage AS "sharePercentage"`;
const BENEFICIARIES = `json_build_object('nodes', coalesce((SELECT json_agg(row_to_json(b)) FROM (SELECT ${BENEFICIARY('b.tax_id')}
  FROM beneficiary b WHERE b.account_id = a.account_id ORDER BY b.position LIMIT 4) b), '[]'))`;
const ACCOUNT = `'accountId', a.account_id, 'status', a.status, 'currency', a.currency, 'availableBalance', a.balance_minor / 100.0`;
const answer = (field, ...parts) =>
  `json_build_object('data', json_build_object('${field}', json_build_object(${parts.join(', ')})))::text`;
const ofAccount = (...parts) => `SELECT ${answer('account', ...parts)} FROM account a WHERE a.account_id = $1`;
const MORE = '$3::int8 + $2::int8 < a.last_seq';

const STATEMENTS = {
  W1: { text: ofAccount(ACCOUNT, `'beneficiaries', ${BENEFICIARIES}`), values: v => [v.accountId] },
  W2: { text: ofAccount(`'transactions', ${transactions(10)}`), values: v => [v.accountId] },
  W3: {
    text: ofAccount(ACCOUNT, `'beneficiaries', ${BENEFICIARIES}, 'transactions', ${transactions(10)}`),
    values: v => [v.accountId],
  },
  W4: {
    text: `SELECT ${answer(
      'accounts',
      `'nodes', json_agg(json_build_object(${ACCOUNT}, 'beneficiaries', ${BENEFICIARIES}, 'transactions', ${transactions(5)}))`,
    )} FROM account a WHERE a.account_id = ANY ($1::text[])`,
    values: v => [v.accountIds],
  },
  W5: { text: ofAccount(`'transactions', ${transactions(10, '$2::int8')}`), values: v => [v.accountId, v.offset] },
  W6: {
    text: `SELECT json_build_object(
      'page', CASE WHEN ${MORE} THEN json_build_object('nextOffset', $3::int8 + $2::int8, 'totalElements', a.last_seq)
        ELSE json_build_object('totalElements', a.last_seq) END,
      'links', CASE WHEN ${MORE} THEN json_build_object('next', json_build_object('href', '/accounts/' || a.account_id
        || '/transactions?offSet=' || $3::int8 + $2::int8 || '&limit=' || $2::int8 || '&snapshot=' || a.last_seq)) ELSE '{}' END,
      'transactions', ${list(`${SCALARS}, ${LISTS}`, '$2::int8', '$3::int8', `json_build_object('depositTransaction', t)`)})::text
      FROM account a WHERE a.account_id = $1`,
    values: v => [v.accountId, v.limit, v.offset],
  },
  W7: {
    text: `SELECT ${answer('addBeneficiary', `'beneficiary', row_to_json(b)`)} FROM (SELECT ${BENEFICIARY('peer_mask(b.tax_id)')}
      FROM peer_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) b) b`,
    values: (v, key) => valuesOfAdd(key, v.accountId, v.input),
  },
};

async function answerOf(name, variables, key) {
  const { text, values } = STATEMENTS[name];
  const { rows } = await pool.query({ name, text, values: values(variables, key), rowMode: 'array' });
  return rows[0]?.[0] ?? '{"data":{"account":null}}';
}

async function handle(request) {
  if (request.method === 'GET') {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const accountId = pathname.split('/')[2];
    return answerOf('W6', { accountId, limit: searchParams.get('limit'), offset: searchParams.get('offSet') });
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const { operationName, variables } = JSON.parse(body);
  return answerOf(operationName, variables, request.headers['x-idempotency-key']);
}

async function serve(request, response) {
  try {
    send(response, 200, await handle(request));
  } catch (error) {
    console.error(error);
    send(response, 500, '{}');
  }
}

function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
}

listen(
  createServer((request, response) => {
    void serve(request, response);
  }),
);
