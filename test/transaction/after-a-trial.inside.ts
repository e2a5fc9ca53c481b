import { statementsApart } from '../../src/platform/database/keyed.js';

const STATEMENT = 'transaction_ones_by_account_id_transaction_id';

/** The statement by which postings and imports look up what is offered. */
export function lookUp(): string {
  const found = statementsApart().find(({ name }) => name === STATEMENT);
  if (!found) throw new Error(`No statement is called ${STATEMENT}`);
  return found.text;
}
