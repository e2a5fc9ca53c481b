// Rows of Tillgate's tables for many accounts at once, in the order asked: what dataloaders and routes call. Pages are
// ranges of the ledger's numbers, which have no gaps, so a deep page costs what the first one costs, as in the gateway.
// All accounts are in USD.
import { rowsOf } from './postgres.mjs';

const ACCOUNTS = {
  name: 'accounts',
  text: `SELECT account_id AS "accountId", status, currency, balance_minor AS "availableBalance" FROM account WHERE account_id = ANY ($1::text[])`,
};

const BENEFICIARY = `b.beneficiary_id AS "beneficiaryId", b.name_first, b.name_middle, b.name_last, b.tax_id AS "taxId",
  b.beneficiary_type AS "beneficiaryType", b.relationship, b.share_percentage AS "sharePercentage"`;

const BENEFICIARIES = {
  name: 'beneficiaries',
  text: `SELECT k.id AS "ofAccount", ${BENEFICIARY} FROM unnest($1::text[]) k(id)
    CROSS JOIN LATERAL (SELECT * FROM beneficiary b WHERE b.account_id = k.id ORDER BY b.position LIMIT $2) b`,
};

const SCALARS = `t.transaction_id AS "transactionId", t.reference_transaction_id AS "referenceTransactionId", t.reference,
  t.account_id AS "accountId", t.amount_minor AS amount, t.balance_minor AS "availableBalance", t.debit_credit_memo AS "debitCreditMemo",
  t.category, t.transaction_type AS "transactionType", t.status, t.description, t.memo,
  t.transaction_timestamp AT TIME ZONE a.time_zone AS "transactionTime", t.transaction_timestamp AS "transactionTimestamp",
  t.posted_timestamp AT TIME ZONE a.time_zone AS "postedTime", t.posted_timestamp AS "postedTimestamp"`;

const pages = columns => `SELECT a.account_id AS "ofAccount", a.last_seq AS total, ${columns}
  FROM account a LEFT JOIN LATERAL (
    SELECT * FROM transaction t WHERE t.account_id = a.account_id AND t.seq <= a.last_seq - $3::int8 ORDER BY t.seq DESC LIMIT $2
  ) t ON true WHERE a.account_id = ANY ($1::text[])`;
const PAGES = { name: 'pages', text: pages(SCALARS) };
const WHOLE = {
  name: 'whole',
  text: pages(`${SCALARS}, t.additional_information AS "additionalInformation", t.line_item AS "lineItem"`),
};

const ADD = {
  name: 'add',
  text: `SELECT ${BENEFICIARY.replace('b.tax_id ', 'peer_mask(b.tax_id) ')} FROM peer_add($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) b`,
};

export async function accountsOf(ids) {
  const rows = new Map((await rowsOf(ACCOUNTS, [ids])).map(row => [row.accountId, row]));
  for (const row of rows.values()) row.availableBalance /= 100;
  return ids.map(id => rows.get(id) ?? null);
}

export async function beneficiariesOf(ids, first) {
  const lists = new Map(ids.map(id => [id, []]));
  for (const row of await rowsOf(BENEFICIARIES, [ids, first])) lists.get(row.ofAccount).push(beneficiaryOf(row));
  return ids.map(id => lists.get(id));
}

/** `whole` with the lists that the REST contract has besides the scalars. */
export async function pagesOf(ids, first, offset, whole = false) {
  const lists = new Map(ids.map(id => [id, { totalCount: 0, nodes: [] }]));
  for (const row of await rowsOf(whole ? WHOLE : PAGES, [ids, first, offset])) {
    const list = lists.get(row.ofAccount);
    list.totalCount = row.total;
    if (row.transactionId === null) continue;
    row.amount /= 100;
    row.availableBalance /= 100;
    list.nodes.push(row);
  }
  return ids.map(id => lists.get(id));
}

export function valuesOfAdd(key, accountId, input) {
  const {
    name,
    taxId,
    taxIdType,
    dateOfBirth,
    addresses,
    emails,
    phones,
    beneficiaryType,
    relationship,
    sharePercentage,
  } = input;
  return [
    key,
    accountId,
    name.first,
    name.middle,
    name.last,
    taxId,
    taxIdType,
    dateOfBirth,
    ...[addresses, emails, phones].map(list => JSON.stringify(list)),
    beneficiaryType,
    relationship,
    sharePercentage,
  ];
}

export async function addBeneficiary(key, accountId, input) {
  const [row] = await rowsOf(ADD, valuesOfAdd(key, accountId, input));
  return beneficiaryOf(row);
}

function beneficiaryOf({ beneficiaryId, name_first, name_middle, name_last, ...row }) {
  const { taxId, beneficiaryType, relationship, sharePercentage } = row;
  const name = { first: name_first, middle: name_middle, last: name_last };
  return { beneficiaryId, name, taxId, beneficiaryType, relationship, sharePercentage };
}
