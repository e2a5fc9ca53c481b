import type { Statement } from '../../../lib/pg-wire/statement.js';
import { Account } from '../account/account.entity.js';
import { Card } from '../card/card.entity.js';
import {
  BANK_NUMBER,
  CONTACT_WORDS,
  FIRST_NAME,
  FULL_NAME,
  LAST_FIRST_NAME,
  LAST_FOUR_OF_TAX_ID,
  LAST_NAME,
  WHOLE_NAME,
  nameKey,
} from '../owner/owner.entity.js';
import { apart } from '../../platform/database/keyed.js';
import type { Database } from '../../platform/database/orm.js';
import { MAX_HITS, type SearchHit } from './search.entity.js';

/** A shorter beginning of a name is not looked for. */
const MIN_BEGINNING_CHARACTERS = 3;

/** Finds what a text names in a program: a range of an index that begins with what is compared. */
export type LookUp = (database: Database, program: string, text: string) => Promise<SearchHit[]>;

export const accountById: LookUp = async (database, program, accountId) => {
  const found = await database.em().find(Account, { program, accountId }, { fields: ['accountType', 'status'] });
  return found.map(account => ({
    kind: 'ACCOUNT',
    accountId,
    cardId: null,
    customerId: null,
    label: accountId,
    detail: `${account.accountType}, ${account.status}`,
  }));
};

/** A card has no program of its own. */
export const cardsByLastFour: LookUp = async (database, program, last4) => {
  const em = database.em();
  const accountId = { $in: em.createQueryBuilder(Account, 'a').select('accountId').where({ program }) };
  const found = await em.find(
    Card,
    { last4, accountId },
    {
      fields: ['accountId', 'cardId', 'type', 'status'],
      orderBy: { accountId: 'asc', cardId: 'asc' },
      limit: MAX_HITS,
    },
  );
  return found.map(({ accountId: of, cardId, type, status }) => {
    const label = `${type} card •••• ${last4}`;
    return { kind: 'CARD', accountId: of, cardId, customerId: null, label, detail: status };
  });
};

/** The order of the indexes by which customers are found. */
const BY_ID = 'customer_id NULLS FIRST';

// Customers are compared by the index expressions of their entity, and with their accounts in another way on Citus.
export const customerById = withAccounts(
  'search_customer',
  `SELECT c.* FROM customer c WHERE c.program = $1 AND c.customer_id = $2::uuid`,
);

export const customersByTaxId = withAccounts('search_customers_tax_id', customersBy(`${LAST_FOUR_OF_TAX_ID} = $2`));

const KEY = nameKey('$2::text');
/** The last name comes first, with or without a comma behind it. */
const LAST_FIRST_KEY = nameKey(`replace($2::text, ',', '')`);

/** By a whole name, or by the number under which the bank knows the customer, which is compared as names are. */
export const customersByName = withAccounts(
  'search_customers_name',
  [
    ...[LAST_NAME, FIRST_NAME, FULL_NAME, WHOLE_NAME, BANK_NUMBER].map(name => `${KEY} <> '' AND ${name} = ${KEY}`),
    `${LAST_FIRST_KEY} <> '' AND ${LAST_FIRST_NAME} = ${LAST_FIRST_KEY}`,
  ]
    .map(condition => customersBy(condition))
    .join(' UNION '),
);

/** By the beginning of a last name, unless the program is searched by whole names alone; in the order of names. */
export const customersByBeginning = withAccounts(
  'search_customers_beginning',
  customersBy(
    `${LAST_FIRST_NAME} ~>=~ ${LAST_FIRST_KEY} AND ${LAST_FIRST_NAME} ~<~ (${LAST_FIRST_KEY} || chr(1114111))
      AND char_length(${LAST_FIRST_KEY}) >= ${MIN_BEGINNING_CHARACTERS}
      AND NOT EXISTS (SELECT FROM program p WHERE p.program_id = $1 AND p.exact_search)`,
    `${LAST_FIRST_NAME} USING ~<~, ${BY_ID}`,
  ),
);

/** By any of the words of an e-mail address or a telephone number, which are separated by spaces. */
export const customersByContact = withAccounts(
  'search_customers_contact',
  customersBy(`${CONTACT_WORDS} && string_to_array($2, ' ')`),
);

function customersBy(condition: string, order = BY_ID): string {
  return `(SELECT customer_id, name_first, name_middle, name_last, tax_id FROM customer
    WHERE program = $1 AND ${condition} AND erased_at IS NULL ORDER BY ${order} LIMIT ${MAX_HITS})`;
}

type CustomerRow = [customerId: string, name: string, taxId: string | null, accountId: string | null];

/** Looks customers up with their accounts, by their ids. */
function withAccounts(name: string, customers: string): LookUp {
  const statement = customersWithAccounts(name, customers);
  return async (database, program, text) => {
    const rows = await database.queryTogether<CustomerRow>(statement, [program, text]);
    return rows.map(([customerId, label, detail, accountId]) => {
      return { kind: 'CUSTOMER', accountId, cardId: null, customerId, label, detail };
    });
  };
}

function customersWithAccounts(name: string, customers: string): Statement {
  const selected = `SELECT c.customer_id, concat_ws(' ', nullif(c.name_first, ''), nullif(c.name_middle, ''), c.name_last), c.tax_id, o.account_id`;
  const ordered = `ORDER BY c.customer_id, o.account_id LIMIT ${MAX_HITS}`;
  const owned = 'account_owner o JOIN account a ON a.account_id = o.account_id AND a.program = $1';
  // However many accounts a customer has, so many of each are read.
  const text = `${selected} FROM (${customers}) c
    LEFT JOIN LATERAL (
      SELECT o.account_id FROM ${owned} WHERE o.customer_id = c.customer_id ORDER BY o.account_id LIMIT ${MAX_HITS}
    ) o ON true ${ordered}`;
  // The first owners of all of them are those of the first hits. Each node has its own part of the accounts.
  return apart(
    { name, text },
    `WITH c AS MATERIALIZED (${customers}), o AS MATERIALIZED (
      SELECT o.customer_id, o.account_id FROM ${owned} WHERE o.customer_id IN (SELECT customer_id FROM c)
      ORDER BY o.customer_id, o.account_id LIMIT ${MAX_HITS})
    ${selected} FROM c LEFT JOIN o ON o.customer_id = c.customer_id ${ordered}`,
  );
}
