import type { Statement } from '../../lib/pg-wire/statement.js';
import { FULL_NAME, LAST_FOUR_OF_TAX_ID, LAST_NAME, WHOLE_NAME, nameKey } from '../owner/owner.entity.js';
import { otherApart } from '../platform/database/keyed.js';
import { MAX_HITS, type SearchHit } from './search.entity.js';

// What is looked for may be personal, so it is a parameter; the index expressions are those of the entities.
/** A look-up, and how its rows are told. */
export interface LookUp {
  readonly statement: Statement;
  readonly hitOf: (row: never) => SearchHit;
  /** What is looked up if it is not the text as it was sent. */
  readonly value?: string;
}

/**
 * A look-up by exact match: its parameters are the program and the text. Each reads a range of an index that begins
 * with what is compared.
 */
export const ACCOUNT_BY_ID: Statement = {
  name: 'search_account',
  text: `SELECT a.account_id, a.account_type, a.status FROM account a WHERE a.program = $1 AND a.account_id = $2`,
};

/** Account, card, type, last four, status. A card has no program of its own. */
export const CARDS_BY_LAST_FOUR: Statement = {
  name: 'search_cards',
  text: `SELECT c.account_id, c.card_id, c.type, c.last4, c.status
    FROM card c JOIN account a ON a.account_id = c.account_id AND a.program = $1
    WHERE c.last4 = $2 ORDER BY c.account_id, c.card_id LIMIT ${MAX_HITS}`,
};

export const CUSTOMER_BY_ID = withAccounts(
  'search_customer',
  `SELECT c.* FROM customer c WHERE c.program = $1 AND c.customer_id = $2::uuid`,
);

export const CUSTOMERS_BY_TAX_ID = withAccounts('search_customers_tax_id', customersBy(`${LAST_FOUR_OF_TAX_ID} = $2`));

export const CUSTOMERS_BY_NAME = withAccounts(
  'search_customers_name',
  [LAST_NAME, FULL_NAME, WHOLE_NAME].map(name => customersBy(`${name} = ${nameKey('$2::text')}`)).join(' UNION '),
);

type AccountRow = [accountId: string, accountType: string, status: string];
type CardRow = [accountId: string, cardId: string, type: string, last4: string, status: string];
type CustomerRow = [customerId: string, name: string, taxId: string | null, accountId: string | null];

export function accountHit([accountId, type, status]: AccountRow): SearchHit {
  return { kind: 'ACCOUNT', accountId, cardId: null, customerId: null, label: accountId, detail: `${type}, ${status}` };
}

export function cardHit([accountId, cardId, type, last4, status]: CardRow): SearchHit {
  return { kind: 'CARD', accountId, cardId, customerId: null, label: `${type} card •••• ${last4}`, detail: status };
}

export function customerHit([customerId, label, detail, accountId]: CustomerRow): SearchHit {
  return { kind: 'CUSTOMER', accountId, cardId: null, customerId, label, detail };
}

function customersBy(condition: string): string {
  return `(SELECT customer_id, name_first, name_middle, name_last, tax_id FROM customer
    WHERE program = $1 AND ${condition} ORDER BY customer_id LIMIT ${MAX_HITS})`;
}

/** The customers with their accounts, by their ids. */
function withAccounts(name: string, customers: string): Statement {
  const selected = `SELECT c.customer_id, concat_ws(' ', nullif(c.name_first, ''), nullif(c.name_middle, ''), c.name_last), c.tax_id, o.account_id`;
  const ordered = `ORDER BY c.customer_id, o.account_id LIMIT ${MAX_HITS}`;
  const owned = 'account_owner o JOIN account a ON a.account_id = o.account_id AND a.program = $1';
  // However many accounts a customer has, so many of each are read.
  const text = `${selected} FROM (${customers}) c
    LEFT JOIN LATERAL (
      SELECT o.account_id FROM ${owned} WHERE o.customer_id = c.customer_id ORDER BY o.account_id LIMIT ${MAX_HITS}
    ) o ON true ${ordered}`;
  // The first owners of all of them are those of the first hits. Each node has its own part of the accounts.
  return otherApart(
    name,
    text,
    `WITH c AS MATERIALIZED (${customers}), o AS MATERIALIZED (
      SELECT o.customer_id, o.account_id FROM ${owned} WHERE o.customer_id IN (SELECT customer_id FROM c)
      ORDER BY o.customer_id, o.account_id LIMIT ${MAX_HITS})
    ${selected} FROM c LEFT JOIN o ON o.customer_id = c.customer_id ${ordered}`,
  );
}
